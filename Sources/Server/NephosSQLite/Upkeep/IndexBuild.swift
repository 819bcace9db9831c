import CloudKitWire
import NephosQueries
package import NephosStorage

/// Adds old records to indexes that are being built, and removes what dropped ones left behind: a bounded number of
/// rows and a bounded time in one transaction.
///
/// Meanwhile writers keep these indexes up to date for all records, also for those that were not added yet. So it
/// does not matter what happens to a record between two chunks: whoever comes to it first adds its entries.
struct IndexBuild {
    private let session: WriteSession
    private let rows: Int
    private let clock = ContinuousClock()
    private let deadline: ContinuousClock.Instant

    init(_ session: WriteSession, _ chunk: IndexChunk) {
        self.session = session
        rows = chunk.rows
        deadline = clock.now.advanced(by: chunk.time)
    }

    /// - Parameter database: Only there; nil anywhere.
    /// - Returns: Whether there is more to do.
    func run(in database: DatabaseNumber?) throws(StorageError) -> Bool {
        _ = try session.catalog()
        guard let work = try nextWork(in: database) else { return false }
        var list = try session.indexList(of: work.database)
        guard list.rows.contains(where: { $0.number == work.index }) else {
            list.dropUnreadable()
            try session.store(list)
            return true
        }
        switch work.state {
        case .building: try build(&list)
        case .dropped: try clear(work.index, &list)
        case .ready: break
        }
        try session.store(list)
        return try nextWork(in: database) != nil
    }

    private struct Work {
        var database: DatabaseNumber
        var index: IndexNumber
        var state: IndexRow.State
    }

    /// What queries wait for comes first, then what is in nobody's way.
    private func nextWork(in database: DatabaseNumber?) throws(StorageError) -> Work? {
        for state in [IndexRow.State.building, .dropped] {
            var cursor = try session.connection.once(
                """
                SELECT db, index_no FROM indexes INDEXED BY indexes_unfinished
                WHERE state <> \(IndexRow.State.ready.rawValue) AND state = ? \(database == nil ? "" : "AND db = ?")
                ORDER BY db, index_no LIMIT 1
                """)
            cursor.bind(state.rawValue)
            if let database { cursor.bind(database) }
            if try cursor.next() { return Work(database: cursor.int(0), index: cursor.int(1), state: state) }
        }
        return nil
    }

    // MARK: Building

    private func build(_ list: inout IndexList) throws(StorageError) {
        guard let walk = IndexWalk(list.rows) else { return }
        let walked = try add(records: walk.range, of: list.database, to: KeptIndexes.byType(walk.indexes))
        walk.end(at: walked.last, isAtEnd: walked.isAtEnd, in: &list)
    }

    /// - Returns: The last record that was looked at, and whether it was the last there is.
    private func add(
        records range: ClosedRange<RecordNumber>, of database: DatabaseNumber, to indexes: [TypeNumber: KeptIndexes]
    ) throws(StorageError) -> (last: RecordNumber?, isAtEnd: Bool) {
        var zones = LiveZones(session.reader.zones, database)
        var cursor = try session.connection.once(
            """
            SELECT \(RecordColumns.list) FROM records
            WHERE id BETWEEN \(RowKey.id("?1", "?2")) AND \(RowKey.id("?1", "?3")) ORDER BY id
            """)
        cursor.bind(database)
        cursor.bind(range.lowerBound)
        cursor.bind(min(range.upperBound, RowKey.numberMax))
        var last: RecordNumber?
        var (looked, written) = (0, 0)
        while try cursor.next() {
            if isSpent(rows: looked, steps: looked) || written >= IndexChunk.entriesAdded { return (last, false) }
            looked += 1
            last = cursor.int(RecordColumns.number)
            let type = try cursor.type(RecordColumns.type)
            if let indexes = indexes[type], try zones.contains(cursor.int(RecordColumns.zone)) {
                written += try add(cursor, of: database, to: indexes)
            }
        }
        return (last, true)
    }

    /// - Returns: How many entries were written.
    private func add(
        _ cursor: borrowing Cursor, of database: DatabaseNumber, to indexes: KeptIndexes
    ) throws(StorageError) -> Int {
        let record = try RecordPage.row(cursor, database: database)
        var count = 0
        for (index, keys) in zip(indexes.numbers, indexes.keys(of: record)) {
            for key in keys { try session.writer.entries.insert(key, of: record, in: index) }
            count += keys.count
        }
        return count
    }

    // MARK: Clearing

    /// Removes entries zone by zone, as they lie in the table. The zone where it stops is remembered.
    private func clear(_ number: IndexNumber, _ list: inout IndexList) throws(StorageError) {
        guard let index = list.rows.first(where: { $0.number == number }) else { return }
        var first = index.builtTo
        var (removed, steps) = (0, 0)
        while let zone = try session.reader.zones.firstUnswept(index.database, from: first) {
            if isSpent(rows: removed, steps: steps) { return list.clear(index, to: zone) }
            let limit = min(rows - removed, IndexChunk.entriesRemovedAtOnce)
            let count = try session.writer.entries.removeFirst(limit, of: index, in: zone)
            removed += count
            steps += 1
            first = count < limit ? zone + 1 : zone
        }
        list.clear(index, to: nil)
    }

    /// Whether the chunk ends here. The first step is always for free, so that there is progress.
    private func isSpent(rows count: Int, steps: Int) -> Bool {
        count >= rows || (steps > 0 && clock.now >= deadline)
    }
}

/// Which zones of a database live. Records of the others are about to go.
private struct LiveZones {
    private let reader: ZoneReader
    private let database: DatabaseNumber
    private var known: [ZoneNumber: Bool] = [:]

    init(_ reader: ZoneReader, _ database: DatabaseNumber) {
        self.reader = reader
        self.database = database
    }

    mutating func contains(_ zone: ZoneNumber) throws(StorageError) -> Bool {
        if let known = known[zone] { return known }
        let isLive = try reader.zone(.number(database, zone))?.state == .live
        known[zone] = isLive
        return isLive
    }
}

extension SQLiteTenantStore {
    package func buildIndexes(in database: DatabaseNumber?, _ chunk: IndexChunk) async throws -> Bool {
        try await perform { session throws(StorageError) in try IndexBuild(session, chunk).run(in: database) }
    }
}
