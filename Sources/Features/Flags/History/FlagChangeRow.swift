import CloudKitWire
import NephosDomain
import NephosStorage

/// What a flag became, when, and by whom (table `flag_changes`): the last ``kept`` versions of each flag, also of one that is gone.
struct FlagChangeRow: RecordVersionRow {
    var database: DatabaseNumber
    /// The name of its record.
    var flag: Name
    /// Counted per flag, from 1.
    var version: Int64
    /// The fields of the record as they were stored from then on; nil where it was deleted.
    var fields: Bytes?
    var changedAt: Milliseconds
    /// Who changed it, for people.
    var author: String

    /// Versions of a flag. As one more comes, the oldest goes.
    static let kept = 200

    static let table = Table(
        of: Self.self, "flag_changes", .database, key: ["db", "flag", "version"], isCounted: true)
    static let sample = FlagChangeRow(name: "", version: 0, fields: [], changedAt: 0, author: "")

    init(name: Name, version: Int64, fields: Bytes?, changedAt: Milliseconds, author: String) {
        database = Flags.database
        (flag, self.version, self.fields) = (name, version, fields)
        (self.changedAt, self.author) = (changedAt, author)
    }

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&database)
        try columns.name("flag", &flag)
        try columns.int("version", &version)
        // No fields at all are written `{}`.
        var bytes = fields ?? []
        try columns.utf8("fields", &bytes)
        fields = bytes.isEmpty ? nil : bytes
        try columns.int("changed_at", &changedAt)
        try columns.text("author", &author)
    }

    // MARK: Scans

    /// The newest first.
    static func newest(of flag: Name, limit: Int) -> Scan<Self> {
        Scan(.database(Flags.database), .name(flag), descending: true, limit: limit)
    }

    static func oldest(of flag: Name) -> Scan<Self> { Scan(.database(Flags.database), .name(flag), limit: 1) }

    static func version(_ version: Int64, of flag: Name) -> Scan<Self> {
        Scan(.database(Flags.database), .name(flag), .int(version), limit: 1)
    }
}

extension RecordVersions<FlagChangeRow> {
    /// Where the settings cannot be read, nobody knows which records are flags.
    static let flags = RecordVersions(of: FlagChangeRow.self) { type, catalog in (try? catalog.flagType()) == type }
}
