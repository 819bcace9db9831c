/// One open tenant. Safe to use from any thread.
public protocol TenantStore: AnyObject, Sendable {
    /// The tenant that is open.
    var tenant: Tenant { get }

    /// The described tables of the store.
    var described: TableSet { get }

    /// Whether reads access another computer, and belong on a thread that may block, however little they request.
    var readsWait: Bool { get }

    /// Reads everything in `set` from one snapshot, on the calling thread.
    ///
    /// Unless ``readsWait``, a set that is ``ReadSet/isBounded`` or ``ReadSet/brief`` may be read on an event loop;
    /// every other set belongs on a thread that may block.
    ///
    /// - Throws: ``StorageError``: `noSuchTenant` once the container is deleted; `abandoned` if nobody waits any more
    ///   (``ReadSet/abandonment``); `unavailable`, `corrupt`, `noKey`, `closed` or `failed` if the store cannot be
    ///   read. An engine whose connection was lost has retried once before it throws.
    func read(_ set: ReadSet) throws(StorageError) -> Reading

    /// Decides and writes in one transaction, shared with other waiting writers, and completes once it is durable.
    ///
    /// - Parameters:
    ///   - set: What `decide` needs. `set.databases` must name every database that is written; a write to any other
    ///     database fails.
    ///   - decide: Pure and synchronous. It may be called again: with what it requested after what it already had, or
    ///     from the start after a failure that it did not cause. An error that it throws is passed to `completion`,
    ///     and nothing is written.
    ///   - completion: Called once, on a thread of the engine; it must not block.
    func commit<Answer: Sendable>(
        _ set: ReadSet,
        decide: @escaping @Sendable (Reading) throws -> Decision<Answer>,
        completion: @escaping @Sendable (Result<Answer, any Error>) -> Void
    )

    /// Removes rows of dead zones, at most `rows` of them in one transaction. Files that no record holds after that are
    /// released, at the time `now`.
    ///
    /// - Returns: Whether there is more to sweep. false, too, if a feature has no room to record the removal: then
    ///   nothing was removed (``CatalogDerivative``).
    /// - Throws: ``StorageError``; then what was removed stays removed.
    func sweepDeadZones(rows: Int, at now: Milliseconds) async throws -> Bool

    /// Removes tombstones of records and zones that were deleted before `time`, at most `rows` in one transaction,
    /// and raises the purged sequences, so that older change tokens expire.
    ///
    /// - Returns: Whether there is more to purge.
    /// - Throws: ``StorageError``; then what was removed stays removed.
    func purgeTombstones(deletedBefore time: Milliseconds, rows: Int) async throws -> Bool

    /// Creates an index for each of these shapes that the database does not have yet. Writers keep it up to date from
    /// then on; ``buildIndexes(in:rows:)`` adds the records that already exist.
    ///
    /// A database has at most ``indexesMax`` indexes of one type: if there are more, those that have not been used for
    /// the longest time are dropped.
    ///
    /// - Throws: ``StorageError``; then no index was created, except possibly after `unavailable`.
    func openIndexes(_ shapes: [IndexShape], in database: DatabaseNumber, at now: Milliseconds) async throws

    /// Adds records to indexes that are being built, and removes entries of dropped ones: at most `rows` records or
    /// entries in one transaction.
    ///
    /// - Parameter database: The database to work in; nil for all databases.
    /// - Returns: Whether there is more to do.
    /// - Throws: ``StorageError``; then what was built stays, and the next call continues.
    func buildIndexes(in database: DatabaseNumber?, rows: Int) async throws -> Bool

    /// Drops indexes. Queries stop using them immediately; ``buildIndexes(in:rows:)`` removes their entries.
    ///
    /// - Throws: ``StorageError``; then no index was dropped, except possibly after `unavailable`.
    func dropIndexes(_ numbers: [IndexNumber], in database: DatabaseNumber) async throws

    /// Records that queries used these indexes.
    ///
    /// - Throws: ``StorageError``; then the recorded times of use are too old, which does no other harm.
    func noteUse(of numbers: [IndexNumber], in database: DatabaseNumber, at now: Milliseconds) async throws

    /// Removes records from the trash that were deleted before `time`, at most `rows` in one transaction. Files that no
    /// record holds after that are released, at the time `now`.
    ///
    /// - Returns: Whether there is more to remove.
    /// - Throws: ``StorageError``; then what was removed stays removed.
    func purgeTrash(deletedBefore time: Milliseconds, rows: Int, at now: Milliseconds) async throws -> Bool

    /// Removes the rows of files that no record has held since before `time`, at most `rows` in one transaction. The
    /// caller then removes the bytes of the files; if it dies before that, the bytes stay on the disk, and nothing
    /// refers to them.
    ///
    /// - Returns: The removed rows; if there are as many as `rows`, there may be more to remove.
    /// - Throws: ``StorageError``; then nothing was removed, except possibly after `unavailable`.
    func sweepAssets(releasedBefore time: Milliseconds, rows: Int) async throws -> [AssetRow]

    /// Removes a person together with the head of their private database, in one transaction, once nothing is left of
    /// the database except its indexes, zones that were swept, and zones without records.
    ///
    /// - Parameter user: The row of the person, as it was read.
    /// - Returns: Whether the person is removed. If not, the database still contains something, and nothing was
    ///   removed.
    /// - Throws: ``StorageError``; then nothing was removed, except possibly after `unavailable`.
    func removePerson(_ user: UserRow, at now: Milliseconds) async throws -> Bool

    /// What is left for these functions to do, now or later. May block.
    ///
    /// - Throws: ``StorageError``, like ``read(_:)``.
    func waitingRows() throws(StorageError) -> WaitingRows

    /// Compares everything stored with its checksums, counters and digest, in one snapshot.
    ///
    /// - Parameter progress: Called with the number of rows examined and the total number of rows.
    /// - Throws: ``StorageError`` if the store cannot be read at all. Damage is a finding, not an error.
    func check(progress: (Int, Int) -> Void) throws(StorageError) -> [CheckFinding]
}

/// Something in a store that is not as it was written.
public struct CheckFinding: Sendable, Equatable, CustomStringConvertible {
    /// The table in which it was found; a word such as `store` if it is not in a table.
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

/// Maximum number of indexes of one record type in one database.
public let indexesMax = 16

extension TenantStore {
    /// The tables of the server only.
    public var described: TableSet { .server }

    /// ``commit(_:decide:completion:)``, awaited.
    ///
    /// - Throws: What `decide` throws: then nothing is written. ``StorageError``: `busy` if too many writers wait,
    ///   `full`, `readOnly`, `noSuchTenant` once the container is deleted, and the errors of ``read(_:)``. After
    ///   `unavailable` the commit may have taken place.
    public func commit<Answer: Sendable>(
        _ set: ReadSet, decide: @escaping @Sendable (Reading) throws -> Decision<Answer>
    ) async throws -> Answer {
        try await withCheckedThrowingContinuation { continuation in
            commit(set, decide: decide) { continuation.resume(with: $0) }
        }
    }
}
