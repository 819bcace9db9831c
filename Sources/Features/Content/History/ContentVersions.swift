import NephosDomain
import NephosRunner
import NephosStorage

/// Earlier versions of content records (table `content_changes`).
enum ContentVersions: VersionKeeper { static let table = ContentVersion.table("content_changes") }

typealias ContentVersion = DatedVersion<ContentVersions>

extension RecordVersions<ContentVersion> {
    /// If the settings cannot be read, it is unknown which records are content.
    static let content = RecordVersions(of: ContentVersion.self) { type, catalog in
        (try? catalog.content())?.types[type] != nil
    }
}
