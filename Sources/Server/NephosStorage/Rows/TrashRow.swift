public import CloudKitWire

/// A deleted record of a public database, kept so that it can be restored (table `trash`).
public struct TrashRow: Sendable, Equatable {
    /// The record as it was when it was deleted.
    public var record: RecordRow
    /// When it was deleted, in milliseconds since 1970.
    public var deletedAt: Milliseconds
    /// Who deleted it; nil for the server itself, for example when it completes a cascade.
    public var deletedBy: UserID?

    /// Creates a row from its columns.
    public init(record: RecordRow, deletedAt: Milliseconds, deletedBy: UserID?) {
        self.record = record
        self.deletedAt = deletedAt
        self.deletedBy = deletedBy
    }

    public var checksum: Int64 {
        Self.checksum(record: record.checksum, deletedAt: deletedAt, deletedBy: deletedBy)
    }

    /// ``checksum``, computed from the checksum of the record only.
    package static func checksum(record: Int64, deletedAt: Milliseconds, deletedBy: UserID?) -> Int64 {
        var sum = Checksum()
        sum.add(record)
        sum.add(deletedAt)
        if let deletedBy { sum.add(deletedBy) } else { sum.addNothing() }
        return sum.value
    }
}

extension TrashRow: StoredRow {
    /// Its checksum is not derived from these columns, but from the checksum of the record.
    public static let table = Table(
        of: Self.self, "trash", .database, key: ["db", "record_no"],
        indexes: [
            Table.Index("trash_newest", ["db", "deleted_at", "record_no"]),
            Table.Index("trash_by_name", ["db", "name", "deleted_at", "record_no"]),
        ], isCounted: true)
    public static let sample = TrashRow(
        record: RecordRow(
            database: 1, number: 1, zone: 1, name: "", sequence: 1, tagSequence: 1, type: 1, createdAt: 0,
            createdBy: UserID(high: 0, low: 1), modifiedAt: 0, modifiedBy: UserID(high: 0, low: 1), fields: Bytes("{}")),
        deletedAt: 0, deletedBy: nil)

    public mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try record.columns(&columns)
        try columns.int("deleted_at", &deletedAt)
        try columns.optionalUser("deleted_by", &deletedBy)
    }

    public func count(in head: inout HeadRow, times: Int64, checksum: Int64) { head.trash += times }

    // MARK: Scans

    /// The rows of a database, in the order in which the records were created, whose numbers are above one and at most another.
    public static func byNumber(
        in database: DatabaseNumber, above: RecordNumber, through last: RecordNumber, limit: Int
    ) -> Scan<Self> {
        Scan(
            .database(database), above: [.int(above)], only: [.atMost("record_no", .int(last))], limit: limit)
    }

    /// The row that was deleted first.
    public static func oldest(in database: DatabaseNumber) -> Scan<Self> {
        Scan(by: "trash_newest", .database(database), limit: 1)
    }

    /// A position in the trash: among records deleted at the same time, the one that was created last comes first.
    public struct Position: Sendable, Hashable {
        /// When the record was deleted, in milliseconds since 1970.
        public var deletedAt: Milliseconds
        /// The number of the record.
        public var number: RecordNumber

        /// Creates the place of a record.
        public init(deletedAt: Milliseconds, number: RecordNumber) {
            self.deletedAt = deletedAt
            self.number = number
        }
    }

    /// Its place in the trash.
    public var position: Position { Position(deletedAt: deletedAt, number: record.number) }

    /// The rows of a database, the last deleted first.
    ///
    /// - Parameters:
    ///   - name: Only records of this name, of any type; nil for all.
    ///   - type: Only records of this type; nil for all.
    ///   - from: Only those deleted at this time or later; nil for all.
    ///   - position: Where the last page ended: the page begins after it; nil to begin with the newest.
    public static func newest(
        in database: DatabaseNumber, named name: Name? = nil, type: TypeNumber? = nil, from: Milliseconds? = nil,
        after position: Position? = nil, limit: Int
    ) -> Scan<Self> {
        var conditions: [RowCondition] = []
        if let from { conditions.append(.atLeast("deleted_at", .int(from))) }
        if let type { conditions.append(.equal("type", .int(Int64(type)))) }
        let below = position.map { [ColumnValue.int($0.deletedAt), .int($0.number)] }
        guard let name else {
            return Scan(
                by: "trash_newest", .database(database), below: below, descending: true, only: conditions, limit: limit)
        }
        return Scan(
            by: "trash_by_name", .database(database), .name(name), below: below, descending: true, only: conditions,
            limit: limit)
    }
}

extension RecordRow {
    fileprivate mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&database)
        try columns.int("record_no", &number)
        try columns.int("zone_no", &zone)
        try columns.name("name", &name)
        try columns.int("seq", &sequence)
        try columns.int("tag_seq", &tagSequence)
        try columns.type("type", &type)
        try columns.int("created_at", &createdAt)
        try columns.user("created_by", &createdBy)
        try columns.int("modified_at", &modifiedAt)
        try columns.user("modified_by", &modifiedBy)
        try columns.optionalName("parent", &parent)
        try columns.optionalInt("share_root", &share)
        try columns.kind("flags", &flags)
        try columns.int("fields_epoch", &fieldsEpoch)
        try columns.int("ref_count", &referenceCount)
        // Derived from the record.
        var size = storedBytes
        try columns.int("size", &size)
        try columns.utf8("fields", &fields)
    }
}
