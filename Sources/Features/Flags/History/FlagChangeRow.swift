import CloudKitWire
import NephosDomain
import NephosStorage

/// A version of a flag, with when and by whom it was saved (table `flag_changes`): the last ``kept`` versions of each flag,
/// including deleted ones.
struct FlagChangeRow: RecordVersionRow {
    var database: DatabaseNumber
    /// The name of the flag's record.
    var flag: Name
    /// Counted per flag, from 1.
    var version: Int64
    /// The stored fields of the record in this version; nil if it was deleted.
    var fields: Bytes?
    var changedAt: Milliseconds
    /// Who changed it, for people.
    var author: String

    /// Versions per flag. When another is added, the oldest is removed.
    static let kept = 200

    static let table = Table(
        of: Self.self, "flag_changes", .database, key: ["db", "flag", "version"], isCounted: true)
    static let sample = FlagChangeRow(name: "", type: 1, version: 0, fields: [], changedAt: 0, author: "")

    init(name: Name, type: TypeNumber, version: Int64, fields: Bytes?, changedAt: Milliseconds, author: String) {
        database = Flags.database
        (flag, self.version, self.fields) = (name, version, fields)
        (self.changedAt, self.author) = (changedAt, author)
    }

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&database)
        try columns.name("flag", &flag)
        try columns.int("version", &version)
        try columns.version("fields", &fields)
        try columns.int("changed_at", &changedAt)
        try columns.text("author", &author)
    }
}

extension RecordVersions<FlagChangeRow> {
    /// If the settings cannot be read, it is unknown which records are flags.
    static let flags = RecordVersions(of: FlagChangeRow.self) { type, catalog in (try? catalog.flagType()) == type }
}
