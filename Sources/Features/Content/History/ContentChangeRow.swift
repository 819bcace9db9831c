import CloudKitWire
import NephosDomain
import NephosStorage

/// What a record of content became, when, and by whom (table `content_changes`): the last ``kept`` versions of each, also of one that is gone,
/// without those that were made and never changed.
struct ContentChangeRow: RecordVersionRow {
    var database: DatabaseNumber
    /// Of the record.
    var name: Name
    /// Counted per name, from 1.
    var version: Int64
    /// Of the record: another may have its name later.
    var type: TypeNumber
    var fields: Bytes?
    var changedAt: Milliseconds
    /// Who changed it, for people.
    var author: String

    static let kept = 50
    static let beginsWithChange = true

    static let table = Table(
        of: Self.self, "content_changes", .database, key: ["db", "name", "version"], isCounted: true)
    static let sample = ContentChangeRow(name: "", type: 1, version: 0, fields: [], changedAt: 0, author: "")

    init(name: Name, type: TypeNumber, version: Int64, fields: Bytes?, changedAt: Milliseconds, author: String) {
        database = Content.database
        (self.name, self.type, self.version, self.fields) = (name, type, version, fields)
        (self.changedAt, self.author) = (changedAt, author)
    }

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&database)
        try columns.name("name", &name)
        try columns.int("version", &version)
        try columns.type("type_no", &type)
        try columns.version("fields", &fields)
        try columns.int("changed_at", &changedAt)
        try columns.text("author", &author)
    }
}

extension RecordVersions<ContentChangeRow> {
    /// Where the settings cannot be read, nobody knows which records are content.
    static let content = RecordVersions(of: ContentChangeRow.self) { type, catalog in
        (try? catalog.content())?.types[type] != nil
    }
}
