import CSQLite
import NephosStorage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// One connection to one SQLite file, over the C interface: hot code must not pay for conveniences.
///
/// It is used by one thread at a time, as ensured by its owner (a pool, a queue). Therefore it is opened without SQLite's own
/// mutexes, and may be declared `Sendable`.
final class Connection: @unchecked Sendable {
    enum Access: Sendable { case read, write }

    let handle: OpaquePointer
    /// Statements to finalize when the connection closes.
    private var prepared: [OpaquePointer] = []
    /// Cached statements by number, in pages: numbers count all statements of a process, of which a connection uses those
    /// that were created with its tables.
    @exclusivity(unchecked) private var kept: [[OpaquePointer?]] = []
    private static let pageSize = 256
    /// SQLITE_CANTOPEN_SYMLINK.
    private static let isLink = SQLITE_CANTOPEN | 6 << 8
    private var isClosed = false
    /// The transaction must be rolled back: some writes of ``allOrNothing(_:)`` are missing, or an error occurred after which
    /// SQLite may have rolled back all of it. Set by the error, reset by the next ``begin()``.
    private(set) var transactionIsBroken = false

    /// Opens a file that exists, at a path without symbolic links.
    ///
    /// - Parameter settings: Pragmas to run immediately.
    init(path: String, access: Access, settings: [String]) throws(StorageError) {
        let mode = access == .read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW, nil)
        guard let opened else { throw .failed("sqlite3_open_v2: out of memory") }
        handle = opened
        guard code == SQLITE_OK else {
            if sqlite3_extended_errcode(opened) == Self.isLink, let reason = NoFollow.explain(ELOOP) {
                throw .failed("cannot open \(path): \(reason)")
            }
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

    /// Closes the file; the last connection to it also empties its log. The connection must not be used afterwards.
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

    /// Starts a statement that is not cached: for rare queries.
    func once(_ sql: String) throws(StorageError) -> Cursor {
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v2(handle, sql, -1, &statement, nil))
        guard let statement else { throw .failed("no statement in: \(sql)") }
        return Cursor(statement, self, isKept: false)
    }

    /// Runs statements without results, once.
    func execute(_ sql: String) throws(StorageError) {
        try check(sqlite3_exec(handle, sql, nil, nil, nil))
    }

    /// The first column of the first row of a statement that is run once.
    func number(_ sql: String) throws(StorageError) -> Int64? {
        var cursor = try once(sql)
        return try cursor.next() ? cursor.int(0) : nil
    }

    /// The number of rows that the last statement changed.
    var changes: Int64 { sqlite3_changes64(handle) }

    // MARK: Transactions

    /// Begins a transaction that may write, waiting for other writers. - Throws: ``StorageError/busy``.
    func begin() throws(StorageError) {
        transactionIsBroken = false
        try run(Self.begin)
    }

    /// Begins a transaction that may write, unless another connection is in one.
    ///
    /// - Returns: Whether it was begun.
    func beginAtOnce() throws(StorageError) -> Bool {
        sqlite3_busy_handler(handle, nil, nil)
        defer { sqlite3_busy_handler(handle, waitForLock, nil) }
        do throws(StorageError) {
            try begin()
            return true
        } catch {
            guard error == .busy else { throw error }
            return false
        }
    }

    /// Begins a transaction that reads. Its snapshot is taken by its first statement.
    func beginReading() throws(StorageError) { try run(Self.beginReading) }

    func commit() throws(StorageError) { try run(Self.commit) }

    /// Ends a transaction without effect. Does nothing if SQLite has ended it already.
    func rollback() {
        guard sqlite3_get_autocommit(handle) == 0 else { return }
        do { try run(Self.rollback) } catch { transactionIsBroken = true }
    }

    /// Runs `body` in a transaction that may write, and commits; if `body` throws, nothing is changed.
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

    /// Runs writes that belong together. If one fails, the transaction is broken, and must be rolled back by the code that began it.
    ///
    /// A savepoint would preserve the rest of the transaction, but makes SQLite copy every page before it is written. That is
    /// a third of the time of a small item, spent each time on a failure that almost never happens.
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

    /// The error for a result code, with SQLite's message.
    func failure(_ code: Int32) -> StorageError {
        switch code & 0xff {
        case SQLITE_FULL, SQLITE_IOERR, SQLITE_NOMEM, SQLITE_INTERRUPT: transactionIsBroken = true
        default: break
        }
        return StorageError(
            sqlite: code, system: sqlite3_system_errno(handle), message: String(cString: sqlite3_errmsg(handle)))
    }
}

/// How long a connection waits for the locks of others: of a second command, or of a server that runs at the same time.
private let lockTimeoutMilliseconds: Int32 = 10_000

/// SQLite's own busy handler soon retries only every 100 ms, and so starves next to a writer that commits group after group
/// with microseconds between them. A retry every millisecond finds the gap.
private let waitForLock: @convention(c) (UnsafeMutableRawPointer?, Int32) -> Int32 = { _, attempt in
    guard attempt < lockTimeoutMilliseconds else { return 0 }
    sqlite3_sleep(1)
    return 1
}

extension StorageError {
    /// - Parameter system: The system's error code for the failed call. If a full disk prevents SQLite from creating its
    ///   `-shm` file, SQLite itself reports an I/O error.
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
