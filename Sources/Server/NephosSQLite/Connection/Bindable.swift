import CloudKitWire
import NephosStorage

/// A value for a parameter of a statement.
protocol Bindable {
    func bind(to cursor: inout Cursor)
}

extension Connection {
    /// Starts a statement, with a value for each of its parameters; call `next()` for its rows. It is prepared once.
    @inline(__always)
    func start<each Value: Bindable>(
        _ statement: Statement, _ values: repeat each Value
    ) throws(StorageError) -> Cursor {
        var cursor = Cursor(try prepared(statement), self, isKept: true)
        repeat (each values).bind(to: &cursor)
        return cursor
    }

    /// Runs a statement to its end. - Returns: The number of rows that it changed, for a statement that writes.
    @inline(__always) @discardableResult
    func run<each Value: Bindable>(
        _ statement: Statement, _ values: repeat each Value
    ) throws(StorageError) -> Int64 {
        var cursor = try start(statement, repeat each values)
        try cursor.finish()
        return changes
    }

    /// All rows of a statement.
    func rows<Row, each Value: Bindable>(
        _ statement: Statement, _ values: repeat each Value, read: (borrowing Cursor) throws(StorageError) -> Row
    ) throws(StorageError) -> [Row] {
        var cursor = try start(statement, repeat each values)
        var rows: [Row] = []
        while try cursor.next() { rows.append(try read(cursor)) }
        return rows
    }

    /// The first row of a statement.
    func first<Row, each Value: Bindable>(
        _ statement: Statement, _ values: repeat each Value, read: (borrowing Cursor) throws(StorageError) -> Row
    ) throws(StorageError) -> Row? {
        var cursor = try start(statement, repeat each values)
        return try cursor.next() ? try read(cursor) : nil
    }
}

extension Int64: Bindable {
    @inline(__always) func bind(to cursor: inout Cursor) { cursor.bind(self) }
}

extension Int32: Bindable {
    @inline(__always) func bind(to cursor: inout Cursor) { cursor.bind(Int64(self)) }
}

extension Name: Bindable {
    @inline(__always) func bind(to cursor: inout Cursor) { cursor.bind(self) }
}

extension UserID: Bindable {
    @inline(__always) func bind(to cursor: inout Cursor) { cursor.bind(self) }
}

extension String: Bindable {
    @inline(__always) func bind(to cursor: inout Cursor) { cursor.bind(self) }
}

/// Arrays and slices of bytes are bound as blobs.
extension [UInt8]: Bindable {
    @inline(__always) func bind(to cursor: inout Cursor) { cursor.bind(blob: self) }
}

extension ArraySlice<UInt8>: Bindable {
    @inline(__always) func bind(to cursor: inout Cursor) { cursor.bind(blob: self) }
}

extension Optional: Bindable where Wrapped: Bindable {
    @inline(__always) func bind(to cursor: inout Cursor) {
        if let self { self.bind(to: &cursor) } else { cursor.bindNull() }
    }
}

/// UTF-8 for a text column.
struct Text: Bindable {
    let bytes: Bytes

    init(_ bytes: Bytes) { self.bytes = bytes }

    @inline(__always) func bind(to cursor: inout Cursor) { cursor.bind(text: bytes) }
}
