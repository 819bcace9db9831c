/// A write transaction of an engine on one tenant, as commits use it.
package protocol CommitSession: AnyObject {
    /// The keys that seal secrets.
    var keys: SecretKeys { get }

    /// Locks the heads of these databases, of which nothing was read yet, and loads what a decision requires.
    ///
    /// - Throws: ``StorageError/noSuchTenant`` if the container was deleted.
    func load(_ set: ReadSet, locking databases: [DatabaseNumber]) throws(StorageError) -> Reading
    /// Loads what a decision requested in addition to the contents of `reading`.
    func load(more set: ReadSet, into reading: inout Reading) throws(StorageError)
    /// Returns those of the given databases whose heads are not locked. A head with a lower number than a locked head
    /// can no longer be locked.
    func unlocked(_ databases: [DatabaseNumber]) -> [DatabaseNumber]
    /// Locks the catalog, always after all heads. - Returns: Whether it is still the one that the decision saw.
    func lockCatalog(asSeenIn reading: Reading) throws(StorageError) -> Bool

    /// Counts the rows that a decision would touch. - Parameter reading: What the decision saw.
    func report(of writes: WriteSet, _ reading: Reading) throws(StorageError) -> CommitReport
    /// Writes the rows of a decision. A failure breaks the transaction. - Parameter reading: What the decision saw.
    func apply(_ writes: WriteSet, _ reading: Reading) throws(StorageError)
    /// Runs writes that belong together. A failure breaks the transaction.
    func allOrNothing<Answer>(_ body: () throws(StorageError) -> Answer) throws(StorageError) -> Answer
    func commit() throws(StorageError)

    /// Whether a part of an item may have been written, so that the transaction must not be committed.
    var isBroken: Bool { get }
    /// Whether the commit failed, but may have taken effect.
    var isOfUnknownFate: Bool { get }
    /// Whether the transaction timed out waiting for the locks of heads. Others that need the same heads would wait as
    /// long.
    var headsAreHeld: Bool { get }
    /// Whether the transaction failed for a reason that may be temporary, and was not committed.
    var mayBeRepeated: Bool { get }
}

/// Defaults for an engine whose transactions lock a whole tenant, and which can determine whether they were committed.
extension CommitSession {
    package func unlocked(_ databases: [DatabaseNumber]) -> [DatabaseNumber] { [] }
    package func lockCatalog(asSeenIn reading: Reading) throws(StorageError) -> Bool { true }
    package var isOfUnknownFate: Bool { false }
    package var headsAreHeld: Bool { false }
    package var mayBeRepeated: Bool { false }
}

/// A tenant, as the queue of its writes uses it.
///
/// The queue is not generic over this protocol or over sessions: every save passes through the queue, and code that is
/// generic over types of another module requests type metadata from the runtime again and again.
package protocol CommitPlace: AnyObject, Sendable {
    /// Returns the line of a commit that names these databases; nil for a commit with a transaction of its own.
    func line(of databases: [DatabaseNumber]) -> CommitLine?
    /// Begins a transaction for `body`. Whatever `body` does not commit is rolled back.
    func withSession(_ body: (any CommitSession) throws(StorageError) -> Void) throws(StorageError)
}

/// Identifies a line of the queue, whose items share transactions.
package struct CommitLine: Hashable, Sendable {
    let tenant: Int64
    let database: DatabaseNumber

    package init(tenant: Int64, database: DatabaseNumber) { (self.tenant, self.database) = (tenant, database) }
}
