/// One write transaction of an engine on one tenant, as commits need it.
package protocol CommitSession: AnyObject {
    /// The keys that seal secrets.
    var keys: SecretKeys { get }

    /// Locks the heads of these databases, of which nothing was read yet, and loads what a decision must see.
    ///
    /// - Throws: ``StorageError/noSuchTenant`` if the container was deleted.
    func load(_ set: ReadSet, locking databases: [DatabaseNumber]) throws(StorageError) -> Reading
    /// Loads what a decision requested in addition to the contents of `reading`.
    func load(more set: ReadSet, into reading: inout Reading) throws(StorageError)
    /// Those of the given databases whose heads are not locked. A head below a locked one cannot be locked now.
    func unlocked(_ databases: [DatabaseNumber]) -> [DatabaseNumber]
    /// Locks the catalog; always after all heads. - Returns: Whether it is still the one that the decision saw.
    func lockCatalog(asSeenIn reading: Reading) throws(StorageError) -> Bool

    /// The rows that a decision would touch. - Parameter reading: What the decision saw.
    func report(of writes: WriteSet, _ reading: Reading) throws(StorageError) -> CommitReport
    /// Writes a decision's rows; a failure breaks the transaction. - Parameter reading: What the decision saw.
    func apply(_ writes: WriteSet, _ reading: Reading) throws(StorageError)
    /// Runs writes that belong together; a failure breaks the transaction.
    func allOrNothing<Answer>(_ body: () throws(StorageError) -> Answer) throws(StorageError) -> Answer
    func commit() throws(StorageError)

    /// A part of an item may have been written: the transaction must not be committed.
    var isBroken: Bool { get }
    /// Its commit failed, but may have taken effect.
    var isOfUnknownFate: Bool { get }
    /// It timed out waiting for heads: others that need the same heads would wait as long.
    var headsAreHeld: Bool { get }
    /// It failed for a reason that may be temporary.
    var mayBeRepeated: Bool { get }
}

/// For an engine whose transactions lock a whole tenant, and which can determine whether they were committed.
extension CommitSession {
    package func unlocked(_ databases: [DatabaseNumber]) -> [DatabaseNumber] { [] }
    package func lockCatalog(asSeenIn reading: Reading) throws(StorageError) -> Bool { true }
    package var isOfUnknownFate: Bool { false }
    package var headsAreHeld: Bool { false }
    package var mayBeRepeated: Bool { false }
}

/// A tenant, as seen by the queue of its writers.
///
/// Neither this nor sessions are type parameters: every save passes through the queue, and code that is generic over types of
/// another module requests type metadata from the runtime again and again.
package protocol CommitPlace: AnyObject, Sendable {
    /// The line of a commit that names these databases; nil for a transaction of its own.
    func line(of databases: [DatabaseNumber]) -> CommitLine?
    /// Begins a transaction for `body`. What `body` does not commit is rolled back.
    func withSession(_ body: (any CommitSession) throws(StorageError) -> Void) throws(StorageError)
}

/// Items in one line share transactions.
package struct CommitLine: Hashable, Sendable {
    let tenant: Int64
    let database: DatabaseNumber

    package init(tenant: Int64, database: DatabaseNumber) { (self.tenant, self.database) = (tenant, database) }
}
