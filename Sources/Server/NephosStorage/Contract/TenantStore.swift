/// One open tenant. Safe to use from any thread.
public protocol TenantStore: AnyObject, Sendable {
    var tenant: Tenant { get }

    /// The described tables that it has.
    var described: TableSet { get }

    /// Reads ask another computer, and belong on a thread that may wait, however little they ask for.
    var readsWait: Bool { get }

    /// Reads everything in `set` from one snapshot, on the calling thread.
    ///
    /// Unless ``readsWait``, a set that ``ReadSet/isBounded`` or ``ReadSet/brief`` may run on an event loop; everything else
    /// belongs on a thread that may wait.
    func read(_ set: ReadSet) throws(StorageError) -> Reading

    /// Decides and writes in one transaction, shared with other waiting writers, and answers once it is durable.
    ///
    /// - Parameters:
    ///   - set: What `decide` must see. Every database that is written is named in `set.databases`;
    ///     a write to another fails.
    ///   - decide: Pure and synchronous. It may be called again, with what it asked for behind what it had, or from
    ///     the start after a failure that was no fault of its own. An error it throws is the completion's failure,
    ///     and nothing is written.
    ///   - completion: Called once, on a thread of the engine; it must not wait.
    func commit<Answer: Sendable>(
        _ set: ReadSet,
        decide: @escaping @Sendable (Reading) throws -> Decision<Answer>,
        completion: @escaping @Sendable (Result<Answer, any Error>) -> Void
    )

    /// Removes rows of dead zones, at most `rows` of them in one transaction. Files that nobody holds then are let go now.
    ///
    /// - Returns: Whether there is more to sweep.
    func sweepDeadZones(rows: Int, at now: Milliseconds) async throws -> Bool

    /// Forgets tombstones of records and zones that were deleted before `time`, at most `rows` in one transaction,
    /// and raises the purged sequences so that older change tokens are expired.
    ///
    /// - Returns: Whether there is more to purge.
    func purgeTombstones(deletedBefore time: Milliseconds, rows: Int) async throws -> Bool

    /// Opens indexes of these shapes where a database has none. Writers keep them up to date from then on;
    /// ``buildIndexes(in:rows:)`` adds the records that are there already.
    ///
    /// A database has at most ``indexesMax`` indexes of one type: past that, the ones that were not used for longest
    /// are dropped.
    func openIndexes(_ shapes: [IndexShape], in database: DatabaseNumber, at now: Milliseconds) async throws

    /// Adds records to indexes that are being built, and removes entries of dropped ones: at most `rows` records or
    /// entries in one transaction.
    ///
    /// - Parameter database: Only there; nil anywhere.
    /// - Returns: Whether there is more to do.
    func buildIndexes(in database: DatabaseNumber?, rows: Int) async throws -> Bool

    /// Drops indexes. Queries do without them at once; their entries go with ``buildIndexes(in:rows:)``.
    func dropIndexes(_ numbers: [IndexNumber], in database: DatabaseNumber) async throws

    /// Remembers that queries used these indexes.
    func noteUse(of numbers: [IndexNumber], in database: DatabaseNumber, at now: Milliseconds) async throws

    /// Forgets records in the trash that were deleted before `time`, at most `rows` in one transaction. Files that nobody
    /// holds then are let go now.
    ///
    /// - Returns: Whether there is more to forget.
    func purgeTrash(deletedBefore time: Milliseconds, rows: Int, at now: Milliseconds) async throws -> Bool

    /// Forgets files that no record has held since before `time`, at most `rows` in one transaction. Whoever calls this
    /// removes their bytes then; if it dies before, they lie there and are named nowhere.
    ///
    /// - Returns: Those that were forgotten; as many as `rows` when there may be more.
    func sweepAssets(releasedBefore time: Milliseconds, rows: Int) async throws -> [AssetRow]

    /// Removes a person with the head of their private database, in one transaction, once nothing is left of that but its indexes, zones that
    /// were swept, and ones without records.
    ///
    /// - Parameter user: As it was read.
    /// - Returns: Whether they are gone. Else something of the database is left, and nothing was removed.
    func removePerson(_ user: UserRow, at now: Milliseconds) async throws -> Bool

    /// What of all this there is left to do, now or one day. May wait.
    func waitingRows() throws(StorageError) -> WaitingRows

    /// Compares everything stored with its checksums, counters and digest, in one snapshot.
    ///
    /// - Parameter progress: Called with the number of rows looked at and how many there are in all.
    func check(progress: (Int, Int) -> Void) throws(StorageError) -> [CheckFinding]
}

/// One thing that is not as it was written.
public struct CheckFinding: Sendable, Equatable, CustomStringConvertible {
    public var table: String
    public var what: String

    public init(table: String, what: String) {
        self.table = table
        self.what = what
    }

    public var description: String { "\(table): \(what)" }
}

/// Most indexes of one record type in one database.
public let indexesMax = 16

extension TenantStore {
    public var described: TableSet { .server }

    /// ``commit(_:decide:completion:)``, awaited.
    public func commit<Answer: Sendable>(
        _ set: ReadSet, decide: @escaping @Sendable (Reading) throws -> Decision<Answer>
    ) async throws -> Answer {
        try await withCheckedThrowingContinuation { continuation in
            commit(set, decide: decide) { continuation.resume(with: $0) }
        }
    }
}
