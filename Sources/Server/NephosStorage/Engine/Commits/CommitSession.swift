/// One transaction of an engine that writes, of one tenant: what commits need of it.
package protocol CommitSession: AnyObject {
    /// Secrets are sealed by these.
    var keys: SecretKeys { get }

    /// Locks the heads of these databases, of which nothing was read yet, and loads what a decision must see.
    ///
    /// - Throws: ``StorageError/noSuchTenant`` once the container was deleted.
    func load(_ set: ReadSet, locking databases: [DatabaseNumber]) throws(StorageError) -> Reading
    /// Loads what a decision asked for after what `reading` holds.
    func load(more set: ReadSet, into reading: inout Reading) throws(StorageError)
    /// Those of some databases whose heads are not locked. One that is below another that is cannot be locked now.
    func unlocked(_ databases: [DatabaseNumber]) -> [DatabaseNumber]
    /// Keeps others from changing the catalog; always after all heads. - Returns: Whether it is still what the decision saw.
    func lockCatalog(asSeenIn reading: Reading) throws(StorageError) -> Bool

    /// What a decision would touch. - Parameter reading: What the decision saw.
    func report(of writes: WriteSet, _ reading: Reading) throws(StorageError) -> CommitReport
    /// Writes a decision's rows; a failure breaks the transaction. - Parameter reading: What the decision saw.
    func apply(_ writes: WriteSet, _ reading: Reading) throws(StorageError)
    /// Runs writes that belong together; a failure breaks the transaction.
    func allOrNothing<Answer>(_ body: () throws(StorageError) -> Answer) throws(StorageError) -> Answer
    func commit() throws(StorageError)

    /// A part of something may be written: the transaction must not be committed.
    var isBroken: Bool { get }
    /// Its commit failed, and may stand all the same.
    var isOfUnknownFate: Bool { get }
    /// It waited for heads until it gave up: whoever asks for the same would wait as long.
    var headsAreHeld: Bool { get }
    /// It failed, and for a reason that may be gone next time.
    var mayBeRepeated: Bool { get }
}

/// Of an engine whose transactions lock the whole of a tenant, and see for themselves whether they were committed.
extension CommitSession {
    package func unlocked(_ databases: [DatabaseNumber]) -> [DatabaseNumber] { [] }
    package func lockCatalog(asSeenIn reading: Reading) throws(StorageError) -> Bool { true }
    package var isOfUnknownFate: Bool { false }
    package var headsAreHeld: Bool { false }
    package var mayBeRepeated: Bool { false }
}

/// A tenant, as the queue of its writers sees it.
///
/// Neither this nor sessions are parameters of types: the queue is on the way of every save, and code that is generic over what
/// another module has asks the runtime for types again and again.
package protocol CommitPlace: AnyObject, Sendable {
    /// Where a commit waits that names these databases; nil for a transaction of its own.
    func line(of databases: [DatabaseNumber]) -> CommitLine?
    /// Begins a transaction for `body`. What that does not commit is rolled back.
    func withSession(_ body: (any CommitSession) throws(StorageError) -> Void) throws(StorageError)
}

/// Those who wait in one line share transactions.
package struct CommitLine: Hashable, Sendable {
    let tenant: Int64
    let database: DatabaseNumber

    package init(tenant: Int64, database: DatabaseNumber) { (self.tenant, self.database) = (tenant, database) }
}
