import NephosStorage

/// How far the records of a content type are sorted for picking (table `content_indexes`).
struct PickIndexRow: Sendable, Equatable {
    var database = Content.database
    var type: TypeNumber
    /// A hash of the fields by which they are sorted: if it differs, all are sorted again.
    var fields: Int64
    /// The zone whose feed is followed: after a reset it has another number.
    var zone: ZoneNumber
    /// All changes of the zone up to here are included.
    var sequence: Sequence
    /// Increases with every change of a record of the type, and with every record that begins or ends.
    var version: Int64
    /// When the next record begins or ends; ``PickItemRow/never`` for none.
    var moment: Milliseconds
}

extension PickIndexRow: StoredRow {
    static let table = Table(of: Self.self, "content_indexes", .database, key: ["db", "type_no"])
    static let sample = PickIndexRow(type: 1, fields: 0, zone: 1, sequence: 0, version: 0, moment: 0)

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&database)
        try columns.type("type_no", &type)
        try columns.int("fields_hash", &fields)
        try columns.int("zone_no", &zone)
        try columns.int("seq", &sequence)
        try columns.int("version", &version)
        try columns.int("moment", &moment)
    }

    static let all = Scan<Self>(.database(Content.database), limit: 2 * ContentSettings.typesMax)

    static func of(_ type: TypeNumber) -> Scan<Self> {
        Scan(.database(Content.database), .int(Int64(type)), limit: 1)
    }
}
