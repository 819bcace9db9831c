import NephosDomain
import NephosRunner
import NephosStorage

/// Earlier versions of messages (table `message_changes`).
enum MessageVersions: VersionKeeper { static let table = MessageVersion.table("message_changes") }

typealias MessageVersion = DatedVersion<MessageVersions>

extension RecordVersions<MessageVersion> {
    /// If the settings cannot be read, it is unknown which records are messages.
    static let messages = RecordVersions(of: MessageVersion.self) { type, catalog in
        (try? catalog.messages())?.type == type
    }
}
