import NephosDomain
import NephosRunner
import NephosStorage

/// What messages were (table `message_changes`).
enum MessageVersions: VersionKeeper { static let table = MessageVersion.table("message_changes") }

typealias MessageVersion = DatedVersion<MessageVersions>

extension RecordVersions<MessageVersion> {
    /// Where the settings cannot be read, nobody knows which records are messages.
    static let messages = RecordVersions(of: MessageVersion.self) { type, catalog in
        (try? catalog.messages())?.type == type
    }
}
