package import NephosStorage

/// What an engine provides for work on indexes: parts of its tables, inside one transaction.
package protocol IndexTables {
    /// The first index that is being built, because queries wait for it; if there is none, the first that was dropped.
    ///
    /// - Parameter database: Only there; nil for any.
    /// - Throws: ``StorageError/noSuchTenant``.
    func unfinishedIndex(
        in database: DatabaseNumber?
    ) throws(StorageError) -> (database: DatabaseNumber, number: IndexNumber)?

    /// The cached lists for writers.
    var indexLists: MaintainedIndexLists { get }

    /// All indexes of a database.
    func indexes(of database: DatabaseNumber) throws(StorageError) -> [IndexRow]

    /// The same, locked until the transaction ends.
    ///
    /// - Throws: ``StorageError/failed(_:)`` if there is no such database.
    func indexList(of database: DatabaseNumber) throws(StorageError) -> IndexList

    /// Writes the changes of a list.
    func store(_ list: IndexList) throws(StorageError)

    /// Passes records of a database to `filling`, in the order of their numbers, and adds the entries that it returns.
    func fill(_ filling: inout IndexFilling, of database: DatabaseNumber) throws(StorageError)

    /// Existing records by number, in any order.
    func records(_ numbers: [RecordNumber], in database: DatabaseNumber) throws(StorageError) -> [RecordRow]

    /// Adds entries, except existing ones: writers may have added entries to an index that is being built before it reached their
    /// records.
    func insert(_ entries: [StoredEntry], of database: DatabaseNumber) throws(StorageError)

    func remove(_ entries: [StoredEntry], of database: DatabaseNumber) throws(StorageError)

    /// The first zone, from this number on, that may still have rows.
    func firstUnswept(_ database: DatabaseNumber, from zone: ZoneNumber) throws(StorageError) -> ZoneNumber?

    /// Removes the first entries of an index in one zone.
    ///
    /// - Returns: How many; less than `limit` if none are left.
    func removeEntries(_ limit: Int, of index: IndexRow, in zone: ZoneNumber) throws(StorageError) -> Int
}

extension IndexTables {
    /// Adds existing records to indexes that are being built, and removes what dropped ones left behind: a bounded number of rows
    /// and a bounded time per transaction.
    ///
    /// Meanwhile writers update these indexes for all records, including those that were not added yet. So it does not matter
    /// what happens to a record between two chunks: its entries are added by whichever reaches it first.
    ///
    /// - Parameter database: Only there; nil for any.
    /// - Returns: Whether there is more to do.
    package func workOnIndexes(in database: DatabaseNumber?, _ chunk: IndexChunk) throws(StorageError) -> Bool {
        guard let work = try unfinishedIndex(in: database) else { return false }
        var list = try indexList(of: work.database)
        guard let index = list.rows.first(where: { $0.number == work.number }) else {
            list.dropUnreadable()
            try store(list)
            return true
        }
        switch index.state {
        case .building: try build(&list, chunk)
        case .dropped: try clear(index, &list, chunk)
        case .ready: break
        }
        try store(list)
        return try unfinishedIndex(in: database) != nil
    }

    private func build(_ list: inout IndexList, _ chunk: IndexChunk) throws(StorageError) {
        guard let walk = IndexWalk(list.rows) else { return }
        var filling = IndexFilling(walk, chunk)
        try fill(&filling, of: list.database)
        walk.end(at: filling.last, isAtEnd: filling.isAtEnd, in: &list)
    }

    /// Removes entries zone by zone, in the order of the table. The zone where it stops is remembered.
    private func clear(_ index: IndexRow, _ list: inout IndexList, _ chunk: IndexChunk) throws(StorageError) {
        var clock = ChunkClock(chunk)
        var first = index.builtTo
        var removed = 0
        while let zone = try firstUnswept(index.database, from: first) {
            if removed >= chunk.rows || clock.isOver() { return list.clear(index, to: zone) }
            let limit = min(chunk.rows - removed, IndexChunk.entriesRemovedAtOnce)
            let count = try removeEntries(limit, of: index, in: zone)
            removed += count
            first = count < limit ? zone + 1 : zone
        }
        list.clear(index, to: nil)
    }
}

/// Adds records to indexes that are being built, up to the end of a chunk.
package struct IndexFilling {
    /// The numbers of the records to read.
    package let range: ClosedRange<RecordNumber>
    /// The maximum number of records.
    package let rows: Int
    /// The types that have such an index. For others neither fields nor zones are needed.
    package var types: [TypeNumber] { Array(indexes.keys) }
    /// The last record that was read; nil if there was none.
    private(set) var last: RecordNumber?
    /// There is no other record after it in ``range``.
    private(set) var isAtEnd = true
    private let indexes: [TypeNumber: MaintainedIndexes]
    private var clock: ChunkClock
    private var (looked, added) = (0, 0)

    init(_ walk: IndexWalk, _ chunk: IndexChunk) {
        range = walk.range
        rows = min(chunk.rows, recordsMax)
        indexes = MaintainedIndexes.byType(walk.indexes)
        clock = ChunkClock(chunk)
    }

    /// The entries of the next record; nil if the chunk ends before it.
    ///
    /// - Parameter row: Begins with ``RecordRow/columns`` and the state of the zone. Without fields the record did not fit.
    package mutating func entries(
        of row: borrowing some AnswerRow & ~Copyable
    ) throws(StorageError) -> [StoredEntry]? {
        let kept = indexes[try row.type(RecordRow.typeColumn)]
        let state = Int32(RecordRow.columns.count)
        isAtEnd = looked < rows && added < IndexChunk.entriesAdded
        // A record without an index was read in passing, and costs no time.
        if kept != nil, isAtEnd { isAtEnd = !row.isNull(state - 1) && !clock.isOver() }
        guard isAtEnd else { return nil }
        looked += 1
        last = row.int(1)
        guard let kept, row.optionalInt(state) == ZoneRow.State.live.rawValue else { return [] }
        let entries = kept.entries(of: try RecordRow(row))
        added += entries.count
        return entries
    }
}

/// Determines when the time of a chunk is over. The first step is always free, so that there is progress.
private struct ChunkClock {
    private let time: Duration
    private var start: ContinuousClock.Instant?

    init(_ chunk: IndexChunk) { time = chunk.time }

    /// Must be called before each step.
    mutating func isOver() -> Bool {
        let now = ContinuousClock.now
        if let start { return now - start >= time }
        start = now
        return false
    }
}

/// The maximum number of records per chunk.
private let recordsMax = 1_000
