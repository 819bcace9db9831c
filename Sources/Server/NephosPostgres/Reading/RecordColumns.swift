import CloudKitWire
import NephosStorage

/// Columns of a stub, in the order of ``read(_:_:name:)``, of a table with the alias `r`.
enum StubColumns {
    static let list = """
        r.db, r.record_no, r.zone_no, r.name, r.tag_seq, r.type, r.created_by, r.size, r.ref_count, r.flags, r.created_at, \
        r.share_root
        """
    static let number: Int32 = 1
    /// The number of columns; others may follow.
    static let count: Int32 = 12

    /// - Parameter name: The record's name, if it is known already.
    static func read(_ row: Row, _ tenant: TenantNumber, name: Name? = nil) throws(StorageError) -> RecordStub {
        RecordStub(
            database: tenant.database(row.int(0)), zone: row.int(2), number: row.int(number), name: name ?? row.name(3),
            tagSequence: row.int(4), type: try row.type(5), createdAt: row.int(10), createdBy: try row.user(6),
            storedBytes: row.int(7),
            referenceCount: row.int(8), flags: RecordRow.Flags(rawValue: row.int(9)), share: row.optionalInt(11))
    }
}

/// Columns of a complete record, in the tables `records` and `trash`. Read them with ``RecordPage``.
enum RecordColumns {
    static let list = RecordRow.columns.joined(separator: ", ")
    /// All except `db`, for copies into other tables.
    static let copied = RecordRow.columns.dropFirst().joined(separator: ", ")

    /// The columns with the alias of a table or subquery.
    ///
    /// - Parameter fields: SQL in place of the last column.
    static func list(of alias: String, fields: String? = nil) -> String {
        (RecordRow.columns.dropLast().map { "\(alias).\($0)" } + [fields ?? "\(alias).fields"])
            .joined(separator: ", ")
    }

    /// The number of columns; others may follow.
    static let count: Int32 = 18
    static let number: Int32 = 1
    static let zone: Int32 = 2
    static let name: Int32 = 3
    static let sequence: Int32 = 4
    static let tagSequence: Int32 = 5
    static let type: Int32 = 6
    static let createdAt: Int32 = 7
    static let parent: Int32 = 11
    static let share: Int32 = 12
    static let size: Int32 = 16
    static let fields: Int32 = 17

    /// The columns of variable length.
    fileprivate static let bytes = [name, parent, fields]
}

/// The records of one result, with names and fields adjacent in one piece of memory: a page of 200 costs a few allocations, not hundreds.
struct RecordPage {
    private let rows: Rows
    private let tenant: TenantNumber
    private let memory: [UInt8]
    /// Where the bytes of each row begin in `memory`: name, parent, fields.
    private let starts: [Int]

    /// - Parameter rows: Rows that begin with ``RecordColumns``. In rows without a record these are null.
    init(_ rows: Rows, _ tenant: TenantNumber) {
        self.rows = rows
        self.tenant = tenant
        var starts: [Int] = []
        starts.reserveCapacity(rows.count)
        var count = 0
        for index in 0..<rows.count {
            starts.append(count)
            let row = rows[index]
            for column in RecordColumns.bytes { count += row.raw(column).count }
        }
        self.starts = starts
        memory = Array(unsafeUninitializedCapacity: count) { buffer, end in
            end = 0
            for index in 0..<rows.count { rows[index].copyBytes(to: buffer, at: &end) }
        }
    }

    /// The record of a row.
    func record(_ index: Int) throws(StorageError) -> RecordRow {
        try rows[index].record(tenant, memory, at: starts[index])
    }

    /// The name in a row.
    func name(_ index: Int) -> Name {
        Name(bytes: memory[starts[index]..<starts[index] + rows[index].raw(RecordColumns.name).count])
    }

    /// All records, if each row is a record.
    func records() throws(StorageError) -> [RecordRow] {
        var records: [RecordRow] = []
        records.reserveCapacity(rows.count)
        for index in 0..<rows.count { records.append(try record(index)) }
        return records
    }
}

extension Row {
    /// The record of a row that begins with ``RecordColumns``, with its own memory.
    func record(_ tenant: TenantNumber) throws(StorageError) -> RecordRow {
        let count = RecordColumns.bytes.reduce(0) { $0 + raw($1).count }
        let memory = [UInt8](unsafeUninitializedCapacity: count) { buffer, end in
            end = 0
            copyBytes(to: buffer, at: &end)
        }
        return try record(tenant, memory, at: 0)
    }

    /// Copies name, parent and fields, one after the other.
    fileprivate func copyBytes(to buffer: UnsafeMutableBufferPointer<UInt8>, at end: inout Int) {
        for column in RecordColumns.bytes {
            let raw = raw(column)
            _ = buffer[end..<end + raw.count].initialize(from: raw)
            end += raw.count
        }
    }

    /// - Parameter memory: Contains name, parent and fields from `start` on.
    fileprivate func record(
        _ tenant: TenantNumber, _ memory: [UInt8], at start: Int
    ) throws(StorageError) -> RecordRow {
        let nameEnd = start + raw(RecordColumns.name).count
        let parentEnd = nameEnd + raw(RecordColumns.parent).count
        let end = parentEnd + raw(RecordColumns.fields).count
        return RecordRow(
            database: tenant.database(int(0)), number: int(RecordColumns.number), zone: int(RecordColumns.zone),
            name: Name(bytes: memory[start..<nameEnd]), sequence: int(RecordColumns.sequence),
            tagSequence: int(RecordColumns.tagSequence),
            type: try type(RecordColumns.type), createdAt: int(7), createdBy: try user(8), modifiedAt: int(9),
            modifiedBy: try user(10),
            parent: isNull(RecordColumns.parent) ? nil : Name(bytes: memory[nameEnd..<parentEnd]),
            share: optionalInt(RecordColumns.share), flags: RecordRow.Flags(rawValue: int(13)), fieldsEpoch: int(14),
            referenceCount: int(15), fields: memory[parentEnd..<end])
    }
}
