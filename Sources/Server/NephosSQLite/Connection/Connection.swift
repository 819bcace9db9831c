import CSQLite
import NephosStorage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// One connection to one SQLite file, over the C interface: what is hot here must not pay for conveniences.
///
/// It belongs to one thread at a time; whoever hands it around (a pool, a queue) sees to that, which is why it is
/// opened without SQLite's own mutexes and may say that it is `Sendable`.
final class Connection: @unchecked Sendable {
    enum Access: Sendable { case read, write }

    let handle: OpaquePointer
    /// Statements to finalize when the connection closes.
    private var prepared: [OpaquePointer] = []
    /// Those that are kept, by their numbers, in pages: numbers go over all statements of a process, of which a connection uses those that
    /// were made with its tables.
    @exclusivity(unchecked) private var kept: [[OpaquePointer?]] = []
    private static let pageSize = 256
    private var isClosed = false
    /// Nothing of the transaction counts: some writes of ``allOrNothing(_:)`` are missing, or an error came up after
    /// which SQLite may have rolled the whole of it back. Set by the error, forgotten by the next ``begin()``.
    private(set) var transactionIsBroken = false

    /// Opens a file that exists.
    ///
    /// - Parameter settings: Pragmas to run at once.
    init(path: String, access: Access, settings: [String]) throws(StorageError) {
        let mode = access == .read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, mode | SQLITE_OPEN_NOMUTEX, nil)
        guard let opened else { throw .failed("sqlite3_open_v2: out of memory") }
        handle = opened
        guard code == SQLITE_OK else {
            let message = "\(String(cString: sqlite3_errmsg(opened))): \(path)"
            if [EACCES, EPERM].contains(sqlite3_system_errno(opened)) {
                throw .denied("cannot open \(path): \(FolderOwner.explain(path))")
            }
            throw StorageError(sqlite: code, system: sqlite3_system_errno(opened), message: message)
        }
        sqlite3_extended_result_codes(opened, 1)
        sqlite3_busy_handler(opened, waitForLock, nil)
        for setting in settings { try execute(setting) }
    }

    deinit { close() }

    /// Closes the file; the last connection to it also empties its log. Nothing may be asked of it afterwards.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        for statement in prepared { sqlite3_finalize(statement) }
        prepared = []
        kept = []
        sqlite3_close_v2(handle)
    }

    // MARK: Statements

    /// Prepares a statement that lives as long as the connection.
    func prepare(_ sql: String) throws(StorageError) -> OpaquePointer {
        var statement: OpaquePointer?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        try check(sqlite3_prepare_v3(handle, sql, -1, flags, &statement, nil))
        guard let statement else { throw .failed("no statement in: \(sql)") }
        prepared.append(statement)
        return statement
    }

    /// The statement, ready to be bound.
    func prepared(_ statement: Statement) throws(StorageError) -> OpaquePointer {
        let (page, place) = statement.number.quotientAndRemainder(dividingBy: Self.pageSize)
        if page < kept.count, place < kept[page].count, let handle = kept[page][place] { return handle }
        let handle = try prepare(statement.sql)
        while kept.count <= page { kept.append([]) }
        if kept[page].isEmpty { kept[page] = Array(repeating: nil, count: Self.pageSize) }
        kept[page][place] = handle
        return handle
    }

    /// Starts a statement that is not kept: for what is asked rarely.
    func once(_ sql: String) throws(StorageError) -> Cursor {
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v2(handle, sql, -1, &statement, nil))
        guard let statement else { throw .failed("no statement in: \(sql)") }
        return Cursor(statement, self, isKept: false)
    }

    /// Runs statements that answer nothing, once.
    func execute(_ sql: String) throws(StorageError) {
        try check(sqlite3_exec(handle, sql, nil, nil, nil))
    }

    /// The first column of the first row of a statement that is run once.
    func number(_ sql: String) throws(StorageError) -> Int64? {
        var cursor = try once(sql)
        return try cursor.next() ? cursor.int(0) : nil
    }

    /// Rows that the last statement touched.
    var changes: Int64 { sqlite3_changes64(handle) }

    // MARK: Transactions

    /// Begins a transaction that may write, waiting for other writers. - Throws: ``StorageError/busy``.
    func begin() throws(StorageError) {
        transactionIsBroken = false
        try run(Self.begin)
    }

    /// Begins a transaction that reads. Its snapshot is taken by its first statement.
    func beginReading() throws(StorageError) { try run(Self.beginReading) }

    func commit() throws(StorageError) { try run(Self.commit) }

    /// Ends a transaction without a trace. Does nothing when SQLite ended it already.
    func rollback() {
        guard sqlite3_get_autocommit(handle) == 0 else { return }
        do { try run(Self.rollback) } catch { transactionIsBroken = true }
    }

    /// Runs `body` in a transaction that may write, and commits; what it throws leaves no trace.
    func transaction<Answer>(
        _ body: (Connection) throws(StorageError) -> Answer
    ) throws(StorageError) -> Answer {
        try begin()
        do {
            let answer = try body(self)
            try commit()
            return answer
        } catch {
            rollback()
            throw error
        }
    }

    /// Runs writes that belong together. When one fails, the transaction is broken: whoever began it rolls it back.
    ///
    /// A savepoint would spare the rest of the transaction, but has SQLite copy every page before it is written. That is
    /// a third of its time for a small item, spent each time on a failure that hardly ever comes.
    func allOrNothing<Answer>(_ body: () throws(StorageError) -> Answer) throws(StorageError) -> Answer {
        do { return try body() } catch {
            transactionIsBroken = true
            throw error
        }
    }

    private static let begin = Statement("BEGIN IMMEDIATE")
    private static let beginReading = Statement("BEGIN DEFERRED")
    private static let commit = Statement("COMMIT")
    private static let rollback = Statement("ROLLBACK")

    // MARK: Errors

    func check(_ code: Int32) throws(StorageError) {
        guard code == SQLITE_OK else { throw failure(code) }
    }

    /// The error for a result code, with SQLite's words for it.
    func failure(_ code: Int32) -> StorageError {
        switch code & 0xff {
        case SQLITE_FULL, SQLITE_IOERR, SQLITE_NOMEM, SQLITE_INTERRUPT: transactionIsBroken = true
        default: break
        }
        return StorageError(
            sqlite: code, system: sqlite3_system_errno(handle), message: String(cString: sqlite3_errmsg(handle)))
    }
}

/// How long a connection waits for the locks of others: a second server command, or a server beside a command.
private let lockPatienceMilliseconds: Int32 = 10_000

/// SQLite's own busy handler soon asks only every 100 ms and so starves beside a writer that commits group after
/// group with microseconds between. Asking every millisecond finds the gap.
private let waitForLock: @convention(c) (UnsafeMutableRawPointer?, Int32) -> Int32 = { _, attempt in
    guard attempt < lockPatienceMilliseconds else { return 0 }
    sqlite3_sleep(1)
    return 1
}

extension StorageError {
    /// - Parameter system: What the system said when it refused SQLite something. A full disk that keeps SQLite from its
    ///   `-shm` file is an I/O error in its own words.
    init(sqlite code: Int32, system: Int32 = 0, message: String) {
        switch code & 0xff {
        case SQLITE_FULL: self = .full
        case SQLITE_IOERR where system == ENOSPC || system == EDQUOT: self = .full
        case SQLITE_CANTOPEN where system == ENOSPC || system == EDQUOT: self = .full
        case SQLITE_READONLY, SQLITE_PERM: self = .readOnly
        case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
        case SQLITE_CORRUPT, SQLITE_NOTADB: self = .corrupt("SQLite \(code): \(message)")
        default: self = .failed("SQLite \(code): \(message)")
        }
    }
}
