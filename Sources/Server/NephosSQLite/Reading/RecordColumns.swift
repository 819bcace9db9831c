import CloudKitWire
import NephosStorage

/// Columns of a stub, in the order that ``StubColumns/read(_:database:name:)`` expects. Prefix with a table's alias.
enum StubColumns {
    static let list =
        "r.record_no, r.zone_no, r.name, r.tag_seq, r.type, r.created_by, r.size, r.ref_count, r.flags, r.created_at, r.share_root"
    static let name: Int32 = 2
    static let share: Int32 = 10
    /// The number of columns; others may follow.
    static let count: Int32 = 11

    static func read(
        _ cursor: borrowing Cursor, database: DatabaseNumber, name: Name
    ) throws(StorageError) -> RecordStub {
        RecordStub(
            database: database, zone: cursor.int(1), number: cursor.int(0), name: name, tagSequence: cursor.int(3),
            type: try cursor.type(4), createdAt: cursor.int(9), createdBy: try cursor.user(5),
            storedBytes: cursor.int(6),
            referenceCount: cursor.int(7), flags: RecordRow.Flags(rawValue: cursor.int(8)),
            share: cursor.optionalInt(share))
    }
}

/// Columns of a complete record, in the order that ``RecordPage`` expects.
enum RecordColumns {
    static let list = list(fields: "fields")

    /// - Parameter fields: SQL for the fields.
    static func list(fields: String) -> String {
        RecordRow.columns.dropFirst().map { $0 == "fields" ? fields : $0 }.joined(separator: ", ")
    }

    /// The number of columns; others may follow.
    static let count: Int32 = 17
    static let number: Int32 = 0
    static let zone: Int32 = 1
    static let name: Int32 = 2
    static let sequence: Int32 = 3
    static let type: Int32 = 5
    static let createdBy: Int32 = 7
    static let parent: Int32 = 10
    static let share: Int32 = 11
    static let size: Int32 = 15
    static let fields: Int32 = 16
}

/// Records of one response, with names and fields adjacent in one piece of memory: a page of 200 costs a few allocations, not
/// hundreds. The rows are created after that memory is complete.
struct RecordPage {
    /// The other columns of a row, and where its texts end in `bytes`; they start where those of the previous row end.
    private struct Rest {
        var database: DatabaseNumber
        var number: RecordNumber
        var zone: ZoneNumber
        var sequence: Sequence
        var tagSequence: Sequence
        var type: TypeNumber
        var createdAt: Milliseconds
        var createdBy: UserID
        var modifiedAt: Milliseconds
        var modifiedBy: UserID
        var hasParent: Bool
        var share: ShareNumber?
        var flags: RecordRow.Flags
        var fieldsEpoch: Int64
        var referenceCount: Int64
        var nameEnd: Int
        var parentEnd: Int
        var fieldsEnd: Int
    }

    private var bytes: [UInt8] = []
    private var rows: [Rest] = []

    var count: Int { rows.count }

    mutating func reserve(rows count: Int, bytes expected: Int) {
        rows.reserveCapacity(count)
        bytes.reserveCapacity(expected)
    }

    /// Adds the current row of the cursor.
    mutating func add(_ cursor: borrowing Cursor, database: DatabaseNumber) throws(StorageError) {
        let (createdBy, modifiedBy) = (try cursor.user(RecordColumns.createdBy), try cursor.user(9))
        let type = try cursor.type(RecordColumns.type)
        bytes.append(contentsOf: cursor.raw(RecordColumns.name))
        let nameEnd = bytes.count
        bytes.append(contentsOf: cursor.raw(RecordColumns.parent))
        let parentEnd = bytes.count
        bytes.append(contentsOf: cursor.raw(RecordColumns.fields))
        rows.append(
            Rest(
                database: database, number: cursor.int(RecordColumns.number), zone: cursor.int(RecordColumns.zone),
                sequence: cursor.int(RecordColumns.sequence), tagSequence: cursor.int(4), type: type,
                createdAt: cursor.int(6), createdBy: createdBy, modifiedAt: cursor.int(8), modifiedBy: modifiedBy,
                hasParent: !cursor.isNull(RecordColumns.parent), share: cursor.optionalInt(RecordColumns.share),
                flags: RecordRow.Flags(rawValue: cursor.int(12)), fieldsEpoch: cursor.int(13),
                referenceCount: cursor.int(14), nameEnd: nameEnd, parentEnd: parentEnd, fieldsEnd: bytes.count))
    }

    /// The current row of the cursor as a single record.
    static func row(_ cursor: borrowing Cursor, database: DatabaseNumber) throws(StorageError) -> RecordRow {
        var page = RecordPage()
        try page.add(cursor, database: database)
        return page.row(0)
    }

    /// The rows, with their slices of the finished memory.
    consuming func finish() -> [RecordRow] { rows.indices.map { row($0) } }

    /// A row, after the page is complete.
    func row(_ index: Int) -> RecordRow {
        let start = index == 0 ? 0 : rows[index - 1].fieldsEnd
        let row = rows[index]
        return RecordRow(
            database: row.database, number: row.number, zone: row.zone, name: Name(bytes: bytes[start..<row.nameEnd]),
            sequence: row.sequence, tagSequence: row.tagSequence, type: row.type, createdAt: row.createdAt,
            createdBy: row.createdBy, modifiedAt: row.modifiedAt, modifiedBy: row.modifiedBy,
            parent: row.hasParent ? Name(bytes: bytes[row.nameEnd..<row.parentEnd]) : nil, share: row.share,
            flags: row.flags, fieldsEpoch: row.fieldsEpoch, referenceCount: row.referenceCount,
            fields: bytes[row.parentEnd..<row.fieldsEnd])
    }
}
