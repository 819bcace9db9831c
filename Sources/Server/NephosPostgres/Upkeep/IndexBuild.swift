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
    private let chunk: IndexChunk
    private let clock = ContinuousClock()

    init(_ session: WriteSession, _ chunk: IndexChunk) {
        self.session = session
        self.chunk = chunk
    }

    /// - Parameter database: Only there; nil anywhere.
    /// - Returns: Whether there is more to do.
    func run(in database: DatabaseNumber?) throws(StorageError) -> Bool {
        guard let work = try firstWork(in: database) else { return false }
        var list = try session.indexList(of: work.database)
        guard let index = list.rows.first(where: { $0.number == work.index }) else {
            list.dropUnreadable()
            try session.store(list)
            return true
        }
        switch index.state {
        case .building: try build(&list)
        case .dropped: try clear(index, &list)
        case .ready: break
        }
        try session.store(list)
        return try unfinished(session.transaction.run(calls(in: database))) != nil
    }

    // MARK: What is to be done

    private struct Work {
        var database: DatabaseNumber
        var index: IndexNumber
    }

    private func firstWork(in database: DatabaseNumber?) throws(StorageError) -> Work? {
        try session.find(calls(in: database)).flatMap(unfinished)
    }

    /// What queries wait for comes first, then what is in nobody's way.
    private func calls(in database: DatabaseNumber?) throws(StorageError) -> [Call] {
        if let database {
            let stored = try session.tenant.stored(database)
            return [Self.building, Self.dropped].map { states in Call(states.inDatabase) { $0.add(stored) } }
        }
        let range = session.tenant.range
        return [Self.building, Self.dropped].map { states in
            Call(states.anywhere) {
                $0.add(range.lowerBound)
                $0.add(range.upperBound)
            }
        }
    }

    private func unfinished(_ answers: ArraySlice<Rows>) -> Work? {
        answers.lazy.compactMap(\.first).first.map {
            Work(database: session.tenant.database($0.int(0)), index: $0.int(1))
        }
    }

    private static let building = statements(.building)
    private static let dropped = statements(.dropped)

    private static func statements(_ state: IndexRow.State) -> (inDatabase: Statement, anywhere: Statement) {
        let ofState = """
            SELECT db, index_no FROM indexes
            WHERE state <> \(IndexRow.State.ready.rawValue) AND state = \(state.rawValue)
            """
        let first = "ORDER BY db, index_no LIMIT 1"
        return (
            Statement("\(ofState) AND db = $1 \(first)"), Statement("\(ofState) AND db >= $1 AND db < $2 \(first)")
        )
    }

    // MARK: Building

    /// Goes on with the indexes that are furthest behind, all of them in one walk, up to where others stand.
    private func build(_ list: inout IndexList) throws(StorageError) {
        guard let walk = IndexWalk(list.rows) else { return }
        let walked = try add(records: walk.range, of: list.database, to: KeptIndexes.byType(walk.indexes))
        walk.end(at: walked.last, isAtEnd: walked.isAtEnd, in: &list)
    }

    /// - Returns: The last record that was looked at, and whether it was the last there is.
    private func add(
        records range: ClosedRange<RecordNumber>, of database: DatabaseNumber, to indexes: [TypeNumber: KeptIndexes]
    ) throws(StorageError) -> (last: RecordNumber?, isAtEnd: Bool) {
        let records = IndexedRecords(tenant: session.tenant, database: database, types: Array(indexes.keys))
        let page = try records.page(
            range, limit: min(chunk.rows, recordsRead), wantedMax: IndexChunk.entriesAdded, session.transaction)
        // What was read is paid for: the time counts from here.
        let start = clock.now
        var entries: [EntryWriter.Entry] = []
        var looked = 0
        while looked < page.count, entries.count < IndexChunk.entriesAdded, !isSpent(since: start, steps: looked) {
            let record = try page.record(looked)
            if record.isLive, let indexes = indexes[record.row.type] { entries += indexes.entries(of: record.row) }
            looked += 1
        }
        try EntryWriter.insert(entries, of: database, session.tenant, session.transaction)
        if looked < page.count { return (page.number(looked - 1), false) }
        return (page.last, !page.hasMore)
    }

    // MARK: Clearing

    /// Removes entries zone by zone, as they lie in the table. The zone where it stops is remembered.
    private func clear(_ index: IndexRow, _ list: inout IndexList) throws(StorageError) {
        let stored = try session.tenant.stored(index.database)
        let start = clock.now
        var first = index.builtTo
        var (removed, steps) = (0, 0)
        while let zone = try firstUnswept(stored, from: first) {
            if removed >= chunk.rows || isSpent(since: start, steps: steps) { return list.clear(index, to: zone) }
            let limit = min(chunk.rows - removed, IndexChunk.entriesRemovedAtOnce)
            let count = try session.transaction.run(Self.removal) {
                $0.add(stored)
                $0.add(zone)
                $0.add(index.number)
                $0.add(Int64(limit))
            }.touched
            removed += count
            steps += 1
            first = count < limit ? zone + 1 : zone
        }
        list.clear(index, to: nil)
    }

    /// The first zone, from a number on, that may still have rows.
    private func firstUnswept(_ stored: Int64, from number: ZoneNumber) throws(StorageError) -> ZoneNumber? {
        try session.transaction.run(Self.unswept) {
            $0.add(stored)
            $0.add(number)
        }.first?.int(0)
    }

    private static let unswept = Statement(
        "SELECT zone_no FROM zones WHERE db = $1 AND zone_no >= $2 AND state < 2 ORDER BY zone_no LIMIT 1")
    private static let removal = Statement(
        """
        DELETE FROM index_rows AS t USING (
            SELECT key, record_no FROM index_rows WHERE db = $1 AND zone_no = $2 AND index_no = $3
            ORDER BY key, record_no LIMIT $4
        ) AS old
        WHERE t.db = $1 AND t.zone_no = $2 AND t.index_no = $3 AND t.key = old.key AND t.record_no = old.record_no
        """)

    /// Whether the time of the chunk is over.
    private func isSpent(since start: ContinuousClock.Instant, steps: Int) -> Bool {
        steps > 0 && clock.now - start >= chunk.time
    }
}

extension KeptIndexes {
    /// The entries of a record of their type.
    func entries(of record: RecordRow) -> [EntryWriter.Entry] {
        zip(numbers, keys(of: record)).flatMap { index, keys in keys.map { (record.zone, index, $0, record.number) } }
    }
}

/// Records that one chunk reads.
private let recordsRead = 1_000

extension PostgresTenantStore {
    package func buildIndexes(in database: DatabaseNumber?, _ chunk: IndexChunk) async throws -> Bool {
        try await perform { session throws(StorageError) in try IndexBuild(session, chunk).run(in: database) }
    }
}
