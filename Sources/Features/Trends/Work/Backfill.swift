import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Counts back a chunk of the records of a database in the order of their numbers, which never change. A record that was deleted
/// before its chunk was reached was counted at its deletion (``TrendCounter``), so each counts once.
struct Backfill {
    /// The limits of a transaction: records or rows of the trash, and their bytes. Writers of the database wait for it.
    static let rowsMax = 200
    static let bytesMax = 256 << 10
    /// Rows of the trash, regardless of their bytes.
    static let trashMax = 50

    let database: DatabaseNumber
    let chunk: TrendState.Chunk
    private let rows: Int
    private let now: Milliseconds

    init(_ database: DatabaseNumber, _ chunk: TrendState.Chunk, rows: Int = Self.rowsMax, now: Milliseconds) {
        (self.database, self.chunk, self.rows, self.now) = (database, chunk, rows, now)
    }

    private static let news = NewsRow.of([Trends.topic])

    /// Deleted records in the same range of numbers.
    private func trash(through last: RecordNumber) -> Scan<TrashRow> {
        TrashRow.byNumber(in: database, above: chunk.above, through: last, limit: min(rows, Self.trashMax))
    }

    var reading: ReadSet {
        var set = ReadSet()
        set.databases = [Trends.database] + (database == Trends.database ? [] : [database])
        set.walks = [
            RecordWalk(database, above: chunk.above, through: chunk.through, limit: rows, byteLimit: Self.bytesMax)
        ]
        set.ask(Self.news)
        return set
    }

    /// Does nothing if another process was first: the next chunk must then be read again.
    func decide(_ reading: Reading) throws -> Decision<Void> {
        guard var head = reading.databases.last.flatMap(\.self), head.trends.next == chunk,
            let page = reading.walks.first
        else { return .write(WriteSet(), ()) }
        let trash = trash(through: page.position)
        var more = ReadSet()
        more.ask(trash)
        if let more = reading.unread(of: more) { return .need(more) }
        let thrown = reading[trash]
        // Both lists must be complete up to the end of the chunk.
        let end = thrown.count == min(rows, Self.trashMax) ? thrown.last?.record.number ?? 0 : page.position
        let records = page.records.filter { $0.number <= end }
        let (parts, lists) = parts(in: reading.catalog)
        var newest: [TrendKey: NewestCountedBack] = [:]
        for key in lists {
            var list = NewestCountedBack(key, records)
            if let more = list.unread(reading) { return .need(more) }
            list.begin(reading)
            newest[key] = list
        }
        var counting = ChunkCounting(head, chunk.keys, parts, reading.catalog, newest)
        for record in records { counting.add(record, deletedAt: nil) }
        for row in thrown { counting.add(row.record, deletedAt: row.deletedAt) }
        if let more = counting.sums.unread(reading) { return .need(more) }
        var set = WriteSet()
        var state = head.trends
        state.advance(chunk, to: end)
        try head.setTrends(state)
        set.heads = [head]
        try counting.sums.write(reading, at: now, to: &set)
        if !counting.sums.isEmpty || state.next == nil {
            set.post(Trends.topic, replacing: reading[Self.news].first, at: now)
        }
        for row in counting.newestRows { set.put(row) }
        return .write(set, ())
    }

    /// The settings for the parts that are counted back, and the lists of newest records among them.
    private func parts(in catalog: Catalog) -> (ofTypes: [TypeNumber: TypeParts], newest: [TrendKey]) {
        var parts: [TypeNumber: TypeParts] = [:]
        var newest: [TrendKey] = []
        for key in chunk.keys where key.part != 0 {
            guard let type = catalog.type(key.type), let own = catalog.parts(of: type.row.name) else { continue }
            parts[key.type] = own
            if own.parts.contains(where: { $0.id == key.part && $0.kind == .newest }) { newest.append(key) }
        }
        return (parts, newest)
    }
}

/// Adds up the records of a chunk.
private struct ChunkCounting {
    private(set) var sums = TrendSums()
    private let side: TrendSide
    private let state: TrendState
    private let countsAll: Bool
    private let types: Set<TypeNumber>
    private let keys: Set<TrendKey>
    private let parts: [TypeNumber: TypeParts]
    private let catalog: Catalog
    private var newest: [TrendKey: NewestCountedBack]

    init(
        _ head: HeadRow, _ keys: [TrendKey], _ parts: [TypeNumber: TypeParts], _ catalog: Catalog,
        _ newest: [TrendKey: NewestCountedBack]
    ) {
        side = TrendSide(head.kind)
        state = head.trends
        countsAll = keys.contains(TrendState.all)
        types = Set(keys.filter { $0.part == 0 && $0 != TrendState.all }.map(\.type))
        self.keys = Set(keys)
        (self.parts, self.catalog, self.newest) = (parts, catalog, newest)
    }

    var newestRows: [TrendNewestRow] { newest.values.flatMap(\.rows) }

    /// - Parameter deletedAt: Set for a record that is in the trash.
    mutating func add(_ record: RecordRow, deletedAt: Milliseconds?) {
        guard let type = catalog.type(record.type) else { return }
        if countsAll || types.contains(record.type) {
            let key = countsAll ? TrendState.all : TrendKey(type: record.type)
            if wasThere(key, deletedAt) {
                let series = TrendSeries(side: side, type: record.type)
                sums.add(series, at: record.createdAt, TrendCounts(created: 1))
                if let deletedAt { sums.add(series, at: deletedAt, TrendCounts(deleted: 1)) }
            }
        }
        guard let parts = parts[record.type] else { return }
        let amounts = parts.amounts(of: record.name, record.liveFields(of: type))
        for (part, amount) in zip(parts.parts, amounts) {
            let key = TrendKey(type: record.type, part: part.id)
            guard keys.contains(key), wasThere(key, deletedAt) else { continue }
            if part.kind == .newest {
                if deletedAt == nil { addNewest(record, amount.count, key) }
                continue
            }
            add(part.entry(record.type, amount, .created, at: record.createdAt))
            if let deletedAt { add(part.entry(record.type, amount, .deleted, at: deletedAt)) }
        }
    }

    /// Whether it has not been counted yet: a record deleted after counting began was counted at its deletion.
    private func wasThere(_ key: TrendKey, _ deletedAt: Milliseconds?) -> Bool {
        guard let deletedAt else { return true }
        return deletedAt <= state[key]?.begunAt ?? .min
    }

    private mutating func add(_ entry: PartAnnex.Entry) {
        guard !entry.counts.isZero else { return }
        sums.add(TrendSeries(entry), quarter: entry.quarter, entry.counts)
    }

    private mutating func addNewest(_ record: RecordRow, _ count: Int64, _ key: TrendKey) {
        for move in newest[key]?.add(record, count: count) ?? [] where move.count != 0 {
            sums.add(
                TrendSeries(type: key.type, part: key.part), at: move.at, TrendCounts(moved: move.count))
        }
    }
}
