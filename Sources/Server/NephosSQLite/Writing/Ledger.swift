import CloudKitWire
import NephosStorage

/// The heads that one decision may write: moved forward as it says, counted by what statements really touched.
struct Ledger {
    private(set) var heads: [DatabaseNumber: HeadRow] = [:]
    private var touched: Set<DatabaseNumber> = []

    /// - Parameter stored: The heads as this transaction sees them.
    init(stored: [HeadRow]) {
        for head in stored { heads[head.database] = head }
    }

    /// Moves a head to where the decision says. - Throws: ``StorageError/failed(_:)`` when that is back.
    mutating func advance(to next: HeadRow) throws(StorageError) {
        guard let stored = heads[next.database] else { throw Self.unnamed(next.database) }
        guard
            next.sequence >= stored.sequence, next.recordNumber >= stored.recordNumber,
            next.zoneNumber >= stored.zoneNumber, next.time >= stored.time,
            next.purgedSequence >= stored.purgedSequence
        else { throw .failed("the head of database \(next.database) would move back") }
        guard next.kind == stored.kind, next.owner == stored.owner, next.watchers >= 0 else {
            throw .failed("the head of database \(next.database) would become another's")
        }
        var head = stored
        head.sequence = next.sequence
        head.recordNumber = next.recordNumber
        head.zoneNumber = next.zoneNumber
        head.time = next.time
        head.purgedSequence = next.purgedSequence
        head.watchers = next.watchers
        heads[next.database] = head
        touched.insert(next.database)
    }

    /// A new database, with nothing in it.
    mutating func open(_ head: HeadRow) throws(StorageError) {
        guard heads[head.database] == nil else { throw .failed("database \(head.database) is there already") }
        var head = head
        head.records = 0
        head.recordBytes = 0
        head.tombstones = 0
        head.references = 0
        head.events = 0
        head.cascades = 0
        head.indexVersion = 0
        head.trash = 0
        head.zones = 0
        head.liveZones = 0
        heads[head.database] = head
        touched.insert(head.database)
    }

    /// Counts what a statement touched.
    mutating func count(_ database: DatabaseNumber, _ change: (inout HeadRow) -> Void) throws(StorageError) {
        guard var head = heads[database] else { throw Self.unnamed(database) }
        change(&head)
        heads[database] = head
        touched.insert(database)
    }

    /// A sequence that the decision used must be one that its head has given out.
    func check(_ sequence: Sequence, in database: DatabaseNumber) throws(StorageError) {
        guard let head = heads[database] else { throw Self.unnamed(database) }
        guard sequence <= head.sequence else {
            throw .failed("sequence \(sequence) lies beyond the head of database \(database)")
        }
    }

    /// The heads to store.
    var changed: [HeadRow] { touched.sorted().compactMap { heads[$0] } }

    private static func unnamed(_ database: DatabaseNumber) -> StorageError {
        .failed("database \(database) is written but was not read")
    }
}
