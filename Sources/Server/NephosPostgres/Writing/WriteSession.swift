import CloudKitWire
import NephosQueries
import NephosStorage

/// One write transaction of one tenant.
///
/// The heads of all databases that it writes are locked before any of their rows are read, in ascending order, so that
/// commits of one database are serialized and no two wait for each other.
final class WriteSession: CommitSession {
    let store: PostgresTenantStore
    let transaction: Transaction
    /// The databases whose heads it has locked.
    private(set) var locked: [DatabaseNumber] = []
    private var catalogIsLocked = false
    /// The heads as the decisions of this transaction left them, written on commit: most groups move one head many times.
    private var heads: [DatabaseNumber: HeadRow] = [:]
    private var movedHeads: Set<DatabaseNumber> = []
    private(set) var tombstoned = TombstonedNames()
    private var isTorn = false

    var tenant: TenantNumber { store.number }
    var keys: SecretKeys { store.secretKeys }
    private var catalogReader: CatalogReader { CatalogReader(tenant: tenant) }
    private var headReader: HeadReader { HeadReader(tenant: tenant) }

    init(_ store: PostgresTenantStore, _ connection: Connection) {
        self.store = store
        transaction = Transaction(connection, .begin)
    }

    // MARK: Reading

    /// In one round trip, if the catalog is still the cached one.
    func load(_ set: ReadSet, locking databases: [DatabaseNumber]) throws(StorageError) -> Reading {
        let lock = unlocked(databases).sorted()
        let batch = try ReadBatch(set, tenant, headsAreKnown: true)
        let locks = try headReader.headsForUpdate(lock)
        if !set.annexes.isEmpty { try writeHeads() }
        var answers = try transaction.run(locks + [catalogReader.stamp] + batch.calls)
        note(lock, try headReader.read(answers.prefix(locks.count)))
        answers.removeFirst(locks.count)
        var reading = Reading(catalog: try catalog(answers.removeFirst()))
        reading.databases = set.databases.map { heads[$0] }
        try batch.load(&answers, transaction, into: &reading)
        takeVersions(of: set, into: &reading)
        try reading.openSecrets(by: keys)
        tombstoned.merge(batch.tombstoned)
        return reading
    }

    func load(more set: ReadSet, into reading: inout Reading) throws(StorageError) {
        let batch = try ReadBatch(set, tenant, headsAreKnown: true)
        if !set.annexes.isEmpty { try writeHeads() }
        var answers = try transaction.run(batch.calls)
        reading.databases += set.databases.map { heads[$0] }
        try batch.load(&answers, transaction, into: &reading)
        takeVersions(of: set, into: &reading)
        try reading.openSecrets(by: keys)
        tombstoned.merge(batch.tombstoned)
    }

    /// Of heads that this transaction has locked, the versions are those that its decisions have left.
    private func takeVersions(of set: ReadSet, into reading: inout Reading) {
        let databases = set.shareVersions
        guard !databases.isEmpty else { return }
        let known = reading.shareVersions.suffix(databases.count)
        reading.shareVersions.replaceSubrange(
            known.indices, with: zip(databases, known).map { heads[$0]?.sharesVersion ?? $1 })
    }

    /// The catalog as this transaction sees it. - Throws: ``StorageError/noSuchTenant``.
    func catalog() throws(StorageError) -> Catalog {
        guard let stamp = try transaction.run([catalogReader.stamp]).first else { throw .noSuchTenant }
        return try catalog(stamp)
    }

    private func catalog(_ stamp: Rows) throws(StorageError) -> Catalog {
        // A transaction writes the catalog as its last step, so that what is read here is committed.
        return try store.catalogs.catalog { known throws(StorageError) in
            try catalogReader.catalog(stamp, remembered: known, transaction)
        }
    }

    func lockCatalog(asSeenIn reading: Reading) throws(StorageError) -> Bool {
        if catalogIsLocked { return true }
        catalogIsLocked = true
        guard let stamp = try transaction.run([catalogReader.stampForUpdate]).first else { throw .noSuchTenant }
        let catalog = try catalog(stamp)
        return catalog.head.stamp == reading.catalog.head.stamp
    }

    func unlocked(_ databases: [DatabaseNumber]) -> [DatabaseNumber] { databases.filter { !locked.contains($0) } }

    // MARK: Heads

    private func note(_ databases: [DatabaseNumber], _ found: [DatabaseNumber: HeadRow]) {
        locked += databases
        heads.merge(found) { _, new in new }
    }

    /// Locks a head, for work of the engine itself. - Returns: nil if there is no such database.
    func lockHead(_ database: DatabaseNumber) throws(StorageError) -> HeadRow? {
        if !locked.contains(database) {
            note([database], try headReader.read(transaction.run(try headReader.headsForUpdate([database]))))
        }
        return heads[database]
    }

    /// Changes counters or the annex of a locked head, for work of the engine itself.
    func changeHead(_ database: DatabaseNumber, _ change: (inout HeadRow) -> Void) throws(StorageError) {
        guard var head = try lockHead(database) else { throw .corrupt("heads: database \(database) is missing") }
        change(&head)
        heads[database] = head
        movedHeads.insert(database)
    }

    /// Removes a locked head, for work of the engine itself.
    func removeHead(_ database: DatabaseNumber) throws(StorageError) {
        heads[database] = nil
        movedHeads.remove(database)
        try headWriter.remove(database)
    }

    // MARK: Writing

    var isBroken: Bool { isTorn || transaction.connection.failure != nil }

    var isOfUnknownFate: Bool {
        let connection = transaction.connection
        return transaction.isCommitSent && (connection.isLost || connection.failure?.isOfUnknownFate == true)
    }

    /// A transaction with locked heads may still time out waiting for the catalog, or for a big statement; others are not affected by that.
    var headsAreHeld: Bool { locked.isEmpty && transaction.connection.failure?.isTimeout == true }

    /// It conflicted with another transaction, or the connection was lost before COMMIT was sent.
    var mayBeRepeated: Bool {
        guard let failure = transaction.connection.failure else { return false }
        return failure.isRetryable || failure.isLost && !transaction.isCommitSent
    }

    func report(of writes: WriteSet, _ reading: Reading) throws(StorageError) -> CommitReport {
        try report(of: writes, reading, Array(heads.values))
    }

    func apply(_ writes: WriteSet, _ reading: Reading) throws(StorageError) {
        guard !writes.isEmpty else { return }
        try allOrNothing { () throws(StorageError) in try write(writes, reading) }
    }

    private func write(_ writes: WriteSet, _ reading: Reading) throws(StorageError) {
        var ledger = Ledger(stored: locked.compactMap { heads[$0] })
        let entries = try entryChanges(of: writes, reading, Array(heads.values))
        try SetWriter(session: self).apply(writes, reading, &ledger)
        try apply(entries)
        for head in ledger.moved {
            heads[head.database] = head
            movedHeads.insert(head.database)
        }
        // They were inserted before the rows of their databases, and count these now.
        for head in ledger.opened {
            heads[head.database] = head
            movedHeads.insert(head.database)
        }
        try Notification.send(writes.devicesToNotify, of: tenant, on: store.channel, sealedBy: keys, transaction)
        try CatalogWriter(tenant: tenant, transaction: transaction).apply(
            writes, to: reading.catalog.head, store.described)
        tombstoned.forget(writes)
    }

    func allOrNothing<Answer>(_ body: () throws(StorageError) -> Answer) throws(StorageError) -> Answer {
        isTorn = true
        let answer = try body()
        isTorn = false
        return answer
    }

    var headWriter: HeadWriter { HeadWriter(tenant: tenant, transaction: transaction) }

    var zoneWriter: ZoneWriter { ZoneWriter(tenant: tenant, transaction: transaction) }

    func commit() throws(StorageError) {
        try writeHeads()
        try transaction.commit()
    }

    private func writeHeads() throws(StorageError) {
        for database in movedHeads.sorted() {
            if let head = heads[database] { try headWriter.update(head) }
        }
        movedHeads.removeAll()
    }

    func rollback() { transaction.rollback() }
}

/// Names for which it is known whether there is a tombstone.
struct TombstonedNames {
    struct Place: Hashable {
        var database: DatabaseNumber
        var zone: ZoneNumber
        var name: Name
    }

    private var known: [Place: Bool] = [:]

    subscript(_ place: Place) -> Bool? {
        get { known[place] }
        set { known[place] = newValue }
    }

    /// Forgets the names that are written: whether there is a tombstone may change.
    mutating func forget(_ writes: WriteSet) {
        guard !known.isEmpty else { return }
        for write in writes.records { known[Place(write.new)] = nil }
        for deletion in writes.deletions { known[Place(deletion.tombstone)] = nil }
    }

    mutating func merge(_ other: TombstonedNames) { known.merge(other.known) { _, new in new } }
}
