import CSQLite
import CloudKitWire
import NephosStorage

extension Cursor {
    mutating func bind(_ value: ColumnValue) {
        switch value {
        case .int(let number), .database(let number): bind(number)
        case .user(let user): bind(user)
        case .text(let text): bind(text)
        case .utf8(let bytes): bind(text: bytes)
        case .bytes(let bytes): bind(blob: bytes)
        }
    }

    /// Binds the columns of a row at the given positions, in order.
    mutating func bind(_ row: some StoredRow, _ places: Range<Int>) {
        var columns = BoundColumns(handle: handle, parameter: parameter, bindFailure: bindFailure, places: places)
        row.visit(&columns)
        (parameter, bindFailure) = (columns.parameter, columns.bindFailure)
    }
}

extension StatementRow where Self: ~Copyable {
    func row<Row: StoredRow>(_ type: Row.Type) throws(StorageError) -> Row {
        var row = Row.sample
        var columns = ReadColumns(handle: handle)
        try row.columns(&columns)
        return row
    }
}

/// Binds columns to a statement.
private struct BoundColumns: Columns, Binding {
    let handle: OpaquePointer
    var parameter: Int32
    var bindFailure: Int32
    let places: Range<Int>
    private var place = 0

    init(handle: OpaquePointer, parameter: Int32, bindFailure: Int32, places: Range<Int>) {
        self.handle = handle
        self.parameter = parameter
        self.bindFailure = bindFailure
        self.places = places
    }

    /// Whether the current column is to be bound.
    private mutating func isWanted() -> Bool {
        defer { place += 1 }
        return places.contains(place)
    }

    mutating func skips(_ isNothing: Bool) -> Bool {
        if isNothing, isWanted() { bind(nil as Int64?) }
        return isNothing
    }

    mutating func database(_ number: inout DatabaseNumber) { if isWanted() { bind(number) } }
    mutating func int(_ column: String, _ value: inout Int64) { if isWanted() { bind(value) } }
    mutating func user(_ column: String, _ value: inout UserID) { if isWanted() { bind(value) } }
    mutating func text(_ column: String, _ value: inout String) { if isWanted() { bind(value) } }
    mutating func utf8(_ column: String, _ value: inout Bytes) { if isWanted() { bind(text: value) } }
    mutating func bytes(_ column: String, _ value: inout [UInt8]) { if isWanted() { bind(blob: value) } }
}

/// Reads columns from the current row of a statement.
private struct ReadColumns: Columns {
    let handle: OpaquePointer
    private var next: Int32 = 0

    init(handle: OpaquePointer) { self.handle = handle }

    private mutating func take() -> Int32 {
        defer { next += 1 }
        return next
    }

    mutating func skips(_ isNothing: Bool) -> Bool {
        guard sqlite3_column_type(handle, next) == SQLITE_NULL else { return false }
        next += 1
        return true
    }

    private mutating func raw() -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(of: handle, take()) }

    mutating func database(_ number: inout DatabaseNumber) { number = sqlite3_column_int64(handle, take()) }
    mutating func int(_ column: String, _ value: inout Int64) { value = sqlite3_column_int64(handle, take()) }
    mutating func user(_ column: String, _ value: inout UserID) throws(StorageError) {
        value = try UserID(stored: raw())
    }
    mutating func text(_ column: String, _ value: inout String) { value = String(decoding: raw(), as: UTF8.self) }
    mutating func utf8(_ column: String, _ value: inout Bytes) { value = [UInt8](raw())[...] }
    mutating func bytes(_ column: String, _ value: inout [UInt8]) { value = [UInt8](raw()) }
}
