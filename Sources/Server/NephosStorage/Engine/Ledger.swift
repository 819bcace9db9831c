/// The heads that one decision may write: advanced to the values of the decision, with counters of the rows that
/// statements actually affected. Shared by all engines.
package struct Ledger {
    private struct Entry {
        var head: HeadRow
        var isNew = false
        var isTouched = false
    }

    /// A decision has one or two databases, so a linear search is fastest.
    private var entries: [Entry]

    /// - Parameter stored: The heads as this transaction sees them.
    package init(stored: [HeadRow]) { entries = stored.map { Entry(head: $0) } }

    /// Advances a head to the values of the decision.
    ///
    /// - Throws: ``StorageError/failed(_:)`` if a value would become lower, if the owner or the kind would change, or
    ///   if the head was not read.
    package mutating func advance(to next: HeadRow) throws(StorageError) {
        let index = try index(of: next.database)
        guard !entries[index].head.isAhead(of: next) else {
            throw .failed("the head of database \(next.database) would move back")
        }
        guard next.kind == entries[index].head.kind, next.owner == entries[index].head.owner else {
            throw .failed("the head of database \(next.database) would change its owner or kind")
        }
        // In place: a head is large.
        entries[index].head.sequence = next.sequence
        entries[index].head.recordNumber = next.recordNumber
        entries[index].head.zoneNumber = next.zoneNumber
        entries[index].head.time = next.time
        entries[index].head.purgedSequence = next.purgedSequence
        entries[index].head.annex = next.annex
        entries[index].isTouched = true
    }

    /// Adds a new, empty database.
    package mutating func open(_ head: HeadRow) throws(StorageError) {
        guard !entries.contains(where: { $0.head.database == head.database }) else {
            throw .failed("database \(head.database) already exists")
        }
        var head = head
        head.watchers = .none
        head.records = 0
        head.recordBytes = 0
        head.tombstones = 0
        head.references = 0
        head.events = 0
        head.cascades = 0
        head.indexVersion = 0
        head.sharesVersion = 0
        head.visits = 0
        head.trash = 0
        head.assets = 0
        head.assetBytes = 0
        head.zones = 0
        head.liveZones = 0
        head.rowsDigest = 0
        entries.append(Entry(head: head, isNew: true))
    }

    /// Advances the heads of a decision, and adds its new databases.
    ///
    /// - Parameter last: The number of the last database that exists.
    package mutating func begin(_ set: WriteSet, after last: DatabaseNumber) throws(StorageError) {
        for head in set.heads { try advance(to: head) }
        for (index, head) in set.databases.enumerated() {
            guard head.database == last + Int64(index) + 1 else {
                throw .failed("database \(head.database) does not follow database \(last)")
            }
            try open(head)
        }
    }

    /// Checks that a zone keeps its identity, and was changed at a sequence that its head has assigned.
    package func check(_ write: ZoneWrite) throws(StorageError) {
        let zone = write.new
        try check(zone.changedSequence, in: zone.database)
        guard let old = write.old else { return }
        guard old.database == zone.database, old.number == zone.number else {
            throw .failed("zone \(old.number) cannot become zone \(zone.number)")
        }
    }

    package mutating func count(_ write: ZoneWrite) throws(StorageError) {
        let (wasLive, isLive) = (write.old?.state == .live, write.new.state == .live)
        let isOfShares = wasLive != isLive || write.old?.sharing != write.new.sharing
        try count(write.new.database) {
            if isOfShares { $0.changeShares(1, write.new.checksum) }
            $0.zones += write.old == nil ? 1 : 0
            $0.liveZones += (isLive ? 1 : 0) - (wasLive ? 1 : 0)
        }
    }

    /// Changes the counters of a head by the rows that a statement affected.
    package mutating func count(_ database: DatabaseNumber, _ change: (inout HeadRow) -> Void) throws(StorageError) {
        let index = try index(of: database)
        change(&entries[index].head)
        entries[index].isTouched = true
    }

    /// Checks that a sequence that the decision used was assigned by its head.
    package func check(_ sequence: Sequence, in database: DatabaseNumber) throws(StorageError) {
        guard sequence <= entries[try index(of: database)].head.sequence else {
            throw .failed("sequence \(sequence) is beyond the head of database \(database)")
        }
    }

    /// Checks that a record number was assigned by its head.
    package func check(number: RecordNumber, in database: DatabaseNumber) throws(StorageError) {
        guard number <= entries[try index(of: database)].head.recordNumber else {
            throw .failed("record number \(number) is beyond the head of database \(database)")
        }
    }

    /// Whether an event includes its record: it is about a record, and a query subscription watches the database.
    package func keepsRecord(of event: ChangeEventRow) -> Bool {
        event.isOfRecord && head(event.database)?.watchers.queries ?? 0 > 0
    }

    /// Returns the current state of a head; nil for a database that was not read.
    package func head(_ database: DatabaseNumber) -> HeadRow? { entries.first { $0.head.database == database }?.head }

    /// The heads of new databases.
    package var opened: [HeadRow] { entries.filter(\.isNew).map(\.head) }

    /// The stored heads that have changed.
    package var moved: [HeadRow] { entries.filter { $0.isTouched && !$0.isNew }.map(\.head) }

    private func index(of database: DatabaseNumber) throws(StorageError) -> Int {
        guard let index = entries.firstIndex(where: { $0.head.database == database }) else {
            throw .failed("database \(database) is written but was not read")
        }
        return index
    }
}

extension HeadRow {
    /// Whether `next`, a head of the same database, has a lower value than this one for anything that heads assign.
    fileprivate func isAhead(of next: HeadRow) -> Bool {
        next.sequence < sequence || next.recordNumber < recordNumber || next.zoneNumber < zoneNumber || next.time < time
            || next.purgedSequence < purgedSequence
    }
}
