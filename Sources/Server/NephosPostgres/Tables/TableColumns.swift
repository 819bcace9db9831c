import CloudKitWire
import NephosStorage

/// Reads columns from a row of a result.
private struct ReadColumns: Columns {
    let row: Row
    let tenant: TenantNumber
    private var next: Int32

    init(_ row: Row, _ tenant: TenantNumber, from first: Int32) {
        self.row = row
        self.tenant = tenant
        next = first
    }

    private mutating func take() -> Int32 {
        defer { next += 1 }
        return next
    }

    mutating func skips(_ isNothing: Bool) -> Bool {
        guard row.isNull(next) else { return false }
        next += 1
        return true
    }

    mutating func database(_ number: inout DatabaseNumber) { number = tenant.database(row.int(take())) }
    mutating func int(_ column: String, _ value: inout Int64) { value = row.int(take()) }
    mutating func user(_ column: String, _ value: inout UserID) throws(StorageError) { value = try row.user(take()) }
    mutating func text(_ column: String, _ value: inout String) { value = row.string(take()) }
    mutating func utf8(_ column: String, _ value: inout Bytes) { value = row.bytes(take())[...] }
    mutating func bytes(_ column: String, _ value: inout [UInt8]) { value = row.bytes(take()) }
}

extension Row {
    /// Reads a row of a described table, starting at the given column.
    func stored<Stored: StoredRow>(
        _ type: Stored.Type, _ tenant: TenantNumber, from first: Int32 = 0
    ) throws(StorageError) -> Stored {
        var stored = Stored.sample
        var columns = ReadColumns(self, tenant, from: first)
        try stored.columns(&columns)
        return stored
    }
}

/// Consecutive columns of many rows, as one array each.
struct ColumnArrays: Columns {
    private(set) var arrays: [MemberArray]
    /// The number of columns before them.
    private let first: Int
    private var place = 0

    init(_ columns: ArraySlice<Column>) {
        first = columns.startIndex
        arrays = columns.map { MemberArray(of: $0.kind) }
    }

    mutating func add(_ row: some StoredRow) {
        place = -first
        row.visit(&self)
    }

    private mutating func add(_ value: some ArrayMember) {
        if arrays.indices.contains(place) { arrays[place].append(value) }
        place += 1
    }

    mutating func skips(_ isNothing: Bool) -> Bool {
        guard isNothing else { return false }
        if arrays.indices.contains(place) { arrays[place].appendNull() }
        place += 1
        return true
    }

    /// The owner is passed once for all rows.
    mutating func database(_ number: inout DatabaseNumber) { place += 1 }
    mutating func int(_ column: String, _ value: inout Int64) { add(value) }
    mutating func user(_ column: String, _ value: inout UserID) { add(value) }
    mutating func text(_ column: String, _ value: inout String) { add(value) }
    mutating func utf8(_ column: String, _ value: inout Bytes) { add(value) }
    mutating func bytes(_ column: String, _ value: inout [UInt8]) { add(value) }
}

extension MemberArray {
    init(of kind: ColumnKind) {
        switch kind {
        case .database, .int: self.init(.bigint)
        case .user, .utf8, .bytes: self.init(.bytea)
        case .text: self.init(.text)
        }
    }

    mutating func append(_ value: ColumnValue, _ tenant: TenantNumber) throws(StorageError) {
        switch value {
        case .int(let number): append(number)
        case .database(let number): append(try tenant.stored(number))
        case .user(let user): append(user)
        case .text(let text): append(text)
        case .utf8(let bytes): append(bytes)
        case .bytes(let bytes): append(bytes)
        }
    }
}

extension Values {
    mutating func add(_ value: ColumnValue, _ tenant: TenantNumber) throws(StorageError) {
        switch value {
        case .int(let number): add(number)
        case .database(let number): add(try tenant.stored(number))
        case .user(let user): add(user)
        case .text(let text): add(text)
        case .utf8(let bytes): add(bytes: bytes)
        case .bytes(let bytes): add(bytes: bytes)
        }
    }
}
