/// One open tenant. Safe to use from any thread.
public protocol TenantStore: AnyObject, Sendable {
    /// The tenant that is open.
    var tenant: Tenant { get }

    /// The described tables that it has.
    var described: TableSet { get }

    /// Reads ask another computer, and belong on a thread that may wait, however little they ask for.
    var readsWait: Bool { get }

    /// Reads everything in `set` from one snapshot, on the calling thread.
    ///
    /// Unless ``readsWait``, a set that ``ReadSet/isBounded`` or ``ReadSet/brief`` may run on an event loop; everything else
    /// belongs on a thread that may wait.
    ///
    /// - Throws: ``StorageError``: `noSuchTenant` once the container is deleted; `abandoned` when
    ///   ``ReadSet/abandonment`` says so; `unavailable`, `corrupt`, `noKey`, `closed` or `failed` when the store cannot
    ///   be read. An engine whose connection had broken has tried once more by then.
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
    /// - Throws: ``StorageError``; then what was removed stays removed.
    func sweepDeadZones(rows: Int, at now: Milliseconds) async throws -> Bool

    /// Forgets tombstones of records and zones that were deleted before `time`, at most `rows` in one transaction,
    /// and raises the purged sequences so that older change tokens are expired.
    ///
    /// - Returns: Whether there is more to purge.
    /// - Throws: ``StorageError``; then what was forgotten stays forgotten.
    func purgeTombstones(deletedBefore time: Milliseconds, rows: Int) async throws -> Bool

    /// Opens indexes of these shapes where a database has none. Writers keep them up to date from then on;
    /// ``buildIndexes(in:rows:)`` adds the records that are there already.
    ///
    /// A database has at most ``indexesMax`` indexes of one type: past that, the ones that were not used for longest
    /// are dropped.
    ///
    /// - Throws: ``StorageError``; then no index was opened, but for what `unavailable` says.
    func openIndexes(_ shapes: [IndexShape], in database: DatabaseNumber, at now: Milliseconds) async throws

    /// Adds records to indexes that are being built, and removes entries of dropped ones: at most `rows` records or
    /// entries in one transaction.
    ///
    /// - Parameter database: Only there; nil anywhere.
    /// - Returns: Whether there is more to do.
    /// - Throws: ``StorageError``; then what was built stays, and the next call goes on.
    func buildIndexes(in database: DatabaseNumber?, rows: Int) async throws -> Bool

    /// Drops indexes. Queries do without them at once; their entries go with ``buildIndexes(in:rows:)``.
    ///
    /// - Throws: ``StorageError``; then no index was dropped, but for what `unavailable` says.
    func dropIndexes(_ numbers: [IndexNumber], in database: DatabaseNumber) async throws

    /// Remembers that queries used these indexes.
    ///
    /// - Throws: ``StorageError``; then the times of use are older than they should be, and nothing else is wrong.
    func noteUse(of numbers: [IndexNumber], in database: DatabaseNumber, at now: Milliseconds) async throws

    /// Forgets records in the trash that were deleted before `time`, at most `rows` in one transaction. Files that nobody
    /// holds then are let go now.
    ///
    /// - Returns: Whether there is more to forget.
    /// - Throws: ``StorageError``; then what was forgotten stays forgotten.
    func purgeTrash(deletedBefore time: Milliseconds, rows: Int, at now: Milliseconds) async throws -> Bool

    /// Forgets files that no record has held since before `time`, at most `rows` in one transaction. Whoever calls this
    /// removes their bytes then; if it dies before, they lie there and are named nowhere.
    ///
    /// - Returns: Those that were forgotten; as many as `rows` when there may be more.
    /// - Throws: ``StorageError``; then nothing was forgotten, but for what `unavailable` says.
    func sweepAssets(releasedBefore time: Milliseconds, rows: Int) async throws -> [AssetRow]

    /// Removes a person with the head of their private database, in one transaction, once nothing is left of that but its indexes, zones that
    /// were swept, and ones without records.
    ///
    /// - Parameter user: As it was read.
    /// - Returns: Whether they are gone. Else something of the database is left, and nothing was removed.
    /// - Throws: ``StorageError``; then nothing was removed, but for what `unavailable` says.
    func removePerson(_ user: UserRow, at now: Milliseconds) async throws -> Bool

    /// What of all this there is left to do, now or one day. May wait.
    ///
    /// - Throws: ``StorageError``, as ``read(_:)``.
    func waitingRows() throws(StorageError) -> WaitingRows

    /// Compares everything stored with its checksums, counters and digest, in one snapshot.
    ///
    /// - Parameter progress: Called with the number of rows looked at and how many there are in all.
    /// - Throws: ``StorageError`` when the store cannot be read at all. What is damaged is a finding, and no error.
    func check(progress: (Int, Int) -> Void) throws(StorageError) -> [CheckFinding]
}

/// One thing that is not as it was written.
public struct CheckFinding: Sendable, Equatable, CustomStringConvertible {
    /// The table in which it was found; `store` or its like for what is in none.
    public var table: String
    /// What is wrong, for the operator.
    public var what: String

    /// Creates a finding.
    public init(table: String, what: String) {
        self.table = table
        self.what = what
    }

    public var description: String { "\(table): \(what)" }
}

/// Most indexes of one record type in one database.
public let indexesMax = 16

extension TenantStore {
    /// The tables of the server alone.
    public var described: TableSet { .server }

    /// ``commit(_:decide:completion:)``, awaited.
    ///
    /// - Throws: What `decide` throws, then nothing is written; ``StorageError``: `busy` when too many writers wait,
    ///   `full` and `readOnly`, `noSuchTenant` once the container is deleted, and what reading fails with. After
    ///   `unavailable` the commit may have taken place.
    public func commit<Answer: Sendable>(
        _ set: ReadSet, decide: @escaping @Sendable (Reading) throws -> Decision<Answer>
    ) async throws -> Answer {
        try await withCheckedThrowingContinuation { continuation in
            commit(set, decide: decide) { continuation.resume(with: $0) }
        }
    }
}
