import CSQLite
import CloudKitWire
import NephosStorage

/// A running statement. It is reset at the end of its lifetime, or finalized if it is not cached.
struct Cursor: ~Copyable, Binding, StatementRow {
    let handle: OpaquePointer
    private unowned let connection: Connection
    private let isKept: Bool
    var parameter: Int32 = 0
    var bindFailure = SQLITE_OK

    init(_ handle: OpaquePointer, _ connection: Connection, isKept: Bool) {
        self.handle = handle
        self.connection = connection
        self.isKept = isKept
    }

    deinit {
        if isKept {
            sqlite3_reset(handle)
            sqlite3_clear_bindings(handle)
        } else {
            sqlite3_finalize(handle)
        }
    }

    // MARK: Rows

    /// Steps to the next row; false at the end.
    mutating func next() throws(StorageError) -> Bool {
        guard bindFailure == SQLITE_OK else { throw connection.failure(bindFailure) }
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw connection.failure(code)
        }
    }

    /// Runs a statement to its end.
    mutating func finish() throws(StorageError) {
        while try next() {}
    }
}

/// The current row of a statement, until its next step.
struct CurrentRow: StatementRow {
    let handle: OpaquePointer
}

protocol StatementRow: AnswerRow, ~Copyable {
    var handle: OpaquePointer { get }
}

extension StatementRow where Self: ~Copyable {
    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    func int(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    func raw(_ column: Int32) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(of: handle, column) }

    func database(_ column: Int32) -> DatabaseNumber { int(column) }
}

extension UnsafeRawBufferPointer {
    /// Text or blob of the current row of a statement; valid until its next step.
    init(of statement: OpaquePointer, _ column: Int32) {
        // The order matters: the blob call must not convert the value after its length was read.
        let base = sqlite3_column_blob(statement, column)
        self.init(start: base, count: Int(sqlite3_column_bytes(statement, column)))
    }
}
