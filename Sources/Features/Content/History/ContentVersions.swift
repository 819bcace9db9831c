import NephosDomain
import NephosRunner
import NephosStorage

/// What records of content were (table `content_changes`).
enum ContentVersions: VersionKeeper { static let table = ContentVersion.table("content_changes") }

typealias ContentVersion = DatedVersion<ContentVersions>

extension RecordVersions<ContentVersion> {
    /// Where the settings cannot be read, nobody knows which records are content.
    static let content = RecordVersions(of: ContentVersion.self) { type, catalog in
        (try? catalog.content())?.types[type] != nil
    }
}
