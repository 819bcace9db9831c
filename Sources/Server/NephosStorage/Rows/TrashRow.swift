public import CloudKitWire

/// A deleted record of a public database, kept so that it can be restored (table `trash`).
public struct TrashRow: Sendable, Equatable {
    /// The record as it stood when it was deleted.
    public var record: RecordRow
    public var deletedAt: Milliseconds
    /// Who deleted it; nil for the server itself, as when a cascade is carried on.
    public var deletedBy: UserID?

    public init(record: RecordRow, deletedAt: Milliseconds, deletedBy: UserID?) {
        self.record = record
        self.deletedAt = deletedAt
        self.deletedBy = deletedBy
    }

    /// In the order of ``init(_:)``: a whole record first.
    package static let columns = RecordRow.columns + ["deleted_at", "deleted_by"]

    /// Reads a row that begins with ``columns``.
    package init(_ row: borrowing some AnswerRow & ~Copyable) throws(StorageError) {
        let next = Int32(RecordRow.columns.count)
        self.init(record: try RecordRow(row), deletedAt: row.int(next), deletedBy: try row.optionalUser(next + 1))
    }

    public var checksum: Int64 {
        Self.checksum(record: record.checksum, deletedAt: deletedAt, deletedBy: deletedBy)
    }

    /// ``checksum`` from the checksum of the record alone.
    package static func checksum(record: Int64, deletedAt: Milliseconds, deletedBy: UserID?) -> Int64 {
        var sum = Checksum()
        sum.add(record)
        sum.add(deletedAt)
        if let deletedBy { sum.add(deletedBy) } else { sum.addNothing() }
        return sum.value
    }
}
