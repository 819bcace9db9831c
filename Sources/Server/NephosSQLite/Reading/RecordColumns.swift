import CloudKitWire
import NephosStorage

/// Columns of a stub, in the order that ``StubColumns/read(_:database:name:)`` expects. Prefix with a table's alias.
enum StubColumns {
    static let list = "r.record_no, r.zone_no, r.name, r.tag_seq, r.type, r.created_by, r.size, r.ref_count, r.flags"
    static let name: Int32 = 2

    static func read(
        _ cursor: borrowing Cursor, database: DatabaseNumber, name: Name
    ) throws(StorageError) -> RecordStub {
        RecordStub(
            database: database, zone: cursor.int(1), number: cursor.int(0), name: name, tagSequence: cursor.int(3),
            type: try cursor.type(4), createdBy: try cursor.user(5), storedBytes: cursor.int(6),
            referenceCount: cursor.int(7), flags: RecordRow.Flags(rawValue: cursor.int(8)))
    }
}

/// Columns of a whole record, in the order that ``RecordPage`` expects.
enum RecordColumns {
    static let list = """
        record_no, zone_no, name, seq, tag_seq, type, created_at, created_by, modified_at, modified_by, parent, \
        share_root, flags, fields_epoch, ref_count, size, fields
        """
    /// How many there are; others may follow.
    static let count: Int32 = 17
    static let number: Int32 = 0
    static let zone: Int32 = 1
    static let name: Int32 = 2
    static let sequence: Int32 = 3
    static let type: Int32 = 5
    static let createdBy: Int32 = 7
    static let parent: Int32 = 10
    static let size: Int32 = 15
    static let fields: Int32 = 16
}

/// Records of one answer, their names and fields side by side in one piece of memory: a page of 200 costs a few
/// allocations, not hundreds.
struct RecordPage {
    private var bytes: [UInt8] = []
    private var rows: [RecordRow] = []
    /// Where the name, the parent and the fields of each row end in `bytes`; a row starts where the last one ended.
    private var ends: [(name: Int, parent: Int, fields: Int)] = []

    var count: Int { rows.count }

    mutating func reserve(rows count: Int, bytes expected: Int) {
        rows.reserveCapacity(count)
        ends.reserveCapacity(count)
        bytes.reserveCapacity(expected)
    }

    /// Adds the row under the cursor.
    mutating func add(_ cursor: borrowing Cursor, database: DatabaseNumber) throws(StorageError) {
        rows.append(
            RecordRow(
                database: database, number: cursor.int(0), zone: cursor.int(RecordColumns.zone),
                name: Self.unsetName, sequence: cursor.int(RecordColumns.sequence), tagSequence: cursor.int(4),
                type: try cursor.type(RecordColumns.type), createdAt: cursor.int(6),
                createdBy: try cursor.user(RecordColumns.createdBy), modifiedAt: cursor.int(8),
                modifiedBy: try cursor.user(9), parent: cursor.isNull(RecordColumns.parent) ? nil : Self.unsetName,
                shareRoot: cursor.optionalInt(11), flags: RecordRow.Flags(rawValue: cursor.int(12)),
                fieldsEpoch: cursor.int(13), referenceCount: cursor.int(14), fields: Self.unsetName.bytes))
        bytes.append(contentsOf: cursor.raw(RecordColumns.name))
        let nameEnd = bytes.count
        bytes.append(contentsOf: cursor.raw(RecordColumns.parent))
        let parentEnd = bytes.count
        bytes.append(contentsOf: cursor.raw(RecordColumns.fields))
        ends.append((nameEnd, parentEnd, bytes.count))
    }

    /// The record under the cursor alone.
    static func row(_ cursor: borrowing Cursor, database: DatabaseNumber) throws(StorageError) -> RecordRow {
        var page = RecordPage()
        try page.add(cursor, database: database)
        guard let row = page.finish().first else { throw .failed("a page lost its only record") }
        return row
    }

    /// The rows, with their slices of the finished memory.
    consuming func finish() -> [RecordRow] {
        var start = 0
        for (index, end) in ends.enumerated() {
            rows[index].name = Name(bytes: bytes[start..<end.name])
            if rows[index].parent != nil { rows[index].parent = Name(bytes: bytes[end.name..<end.parent]) }
            rows[index].fields = bytes[end.parent..<end.fields]
            start = end.fields
        }
        return rows
    }

    /// Stands for a slice until ``finish()`` knows the memory.
    private static let unsetName: Name = Name(bytes: [])
}
