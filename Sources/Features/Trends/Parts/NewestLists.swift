import CloudKitWire
import NephosDomain
import NephosStorage

/// The length of a list in one record (table `trend_newest`), for lists of which only that of the newest record counts: so that
/// the next one is known when the newest is deleted.
struct TrendNewestRow: Sendable, Equatable {
    var database: DatabaseNumber = Trends.database
    var type: TypeNumber
    var part: UInt64
    var createdAt: Milliseconds
    var number: RecordNumber
    var count: Int64 = 0
}

extension TrendNewestRow: StoredRow {
    static let table = Table(
        of: Self.self, "trend_newest", .database, key: ["db", "type_no", "part", "created_at", "record_no"],
        isCounted: true)
    static let sample = TrendNewestRow(type: 1, part: 1, createdAt: 0, number: 1)

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&database)
        try columns.type("type_no", &type)
        var number = Int64(bitPattern: part)
        try columns.int("part", &number)
        part = UInt64(bitPattern: number)
        try columns.int("created_at", &createdAt)
        try columns.int("record_no", &self.number)
        try columns.int("count", &count)
    }

    /// The newest first.
    static func newest(_ key: TrendKey, limit: Int) -> Scan<Self> {
        Scan(
            .database(Trends.database), .int(Int64(key.type)), .int(Int64(bitPattern: key.part)), descending: true,
            limit: limit)
    }

    static func of(_ key: TrendKey, _ records: [RecordRow]) -> Scan<Self> {
        Scan(
            .database(Trends.database), .int(Int64(key.type)), .int(Int64(bitPattern: key.part)),
            among: records.map { [.int($0.createdAt), .int($0.number)] })
    }

    fileprivate func isOlder(than other: Self) -> Bool {
        (createdAt, number) < (other.createdAt, other.number)
    }
}

/// Counts lists of which only that of the newest record counts, if the settings name any.
struct NewestRule: RecordRule {
    var readsFields: Bool { true }

    func concerns(_ type: Name, in catalog: Catalog) -> Bool { catalog.parts(of: type)?.hasNewest ?? false }

    func reading(_ changes: RecordChanges) -> RequestedRows { NewestLists(changes)?.reading ?? RequestedRows() }

    func follow(_ changes: RecordChanges, _ reading: FoundRows, _ rows: inout RuleWrites) {
        guard let lists = NewestLists(changes) else { return }
        let state = TrendState(rows.annex(of: TrendState.name))
        lists.follow(changes, state, reading, &rows).write(from: TrendSpillRow.newest, changes, &rows)
    }
}

/// Which record of a type is the newest, and the length of its list, before and after some changes.
struct NewestLists {
    private struct List {
        let key: TrendKey
        let place: Int
        let parts: TypeParts
        let changes: [RecordChange]

        var newest: Scan<TrendNewestRow> { TrendNewestRow.newest(key, limit: changes.count + 1) }
        var own: Scan<TrendNewestRow> { TrendNewestRow.of(key, changes.compactMap(\.oldRow)) }
    }

    private let lists: [List]

    /// nil if none of the types has such a list.
    init?(_ changes: RecordChanges) {
        guard changes.head.kind == .publicLane else { return nil }
        var lists: [List] = []
        for (name, asked) in Dictionary(grouping: changes.asked, by: \.type).sorted(by: { $0.key < $1.key }) {
            guard let parts = changes.catalog.parts(of: name), let type = changes.catalog.types[name]?.row.number else {
                continue
            }
            for (place, part) in parts.parts.enumerated() where part.kind == .newest {
                lists.append(
                    List(key: TrendKey(type: type, part: part.id), place: place, parts: parts, changes: asked))
            }
        }
        guard !lists.isEmpty else { return nil }
        self.lists = lists
    }

    var reading: RequestedRows {
        var set = RequestedRows()
        for list in lists {
            set.ask(list.newest)
            set.ask(list.own)
        }
        return set
    }

    /// Returns by how many elements lists grew.
    func follow(
        _ changes: RecordChanges, _ state: TrendState, _ reading: FoundRows, _ rows: inout RuleWrites
    ) -> [PartAnnex.Entry] {
        var entries: [PartAnnex.Entry] = []
        for list in lists {
            guard let progress = state[list.key] else { continue }
            let stored = reading[list.newest]
            var rest = stored
            for change in changes.all where change.new?.type ?? change.old?.type == list.key.type {
                // Counting back will reach the record, or no longer finds it.
                if let old = change.old, progress.isAhead(old.number) { continue }
                let old = reading[list.own].first { $0.number == change.old?.number }
                rest.removeAll { $0.number == old?.number }
                guard let new = change.new else {
                    if let old { rows.remove(old) }
                    continue
                }
                let row = TrendNewestRow(
                    type: list.key.type, part: list.key.part, createdAt: new.createdAt, number: new.number,
                    count: list.parts.amounts(of: new.name, new.fields)[list.place].count)
                if row != old { rows.put(row, replacing: old) }
                rest.append(row)
            }
            let newest = rest.max { $0.isOlder(than: $1) }
            let longer = (newest?.count ?? 0) - (stored.first?.count ?? 0)
            guard longer != 0 else { continue }
            entries.append(
                PartAnnex.Entry(
                    type: list.key.type, part: list.key.part, value: [],
                    quarter: max(0, changes.now) / Trends.quarter, counts: TrendCounts(moved: longer)))
        }
        return entries
    }
}

/// The same while a chunk is counted back. Each record has its place among all known records by creation time: from its creation
/// until that of the next, the list is as long as this record's. So the history is the same in whatever order records are
/// processed.
struct NewestCountedBack {
    /// Rows between the first and the last of a chunk: records that were restored from the trash, with old creation times and new
    /// numbers.
    private static let betweenMax = 5_000

    private let key: TrendKey
    private let first: TrendNewestRow?
    /// The known records around the chunk, in order.
    private var line: [TrendNewestRow] = []
    private(set) var rows: [TrendNewestRow] = []

    /// - Parameter records: The records of the chunk.
    init(_ key: TrendKey, _ records: [RecordRow]) {
        self.key = key
        first = records.filter { $0.type == key.type }.map { TrendNewestRow(key, $0) }.min { $0.isOlder(than: $1) }
    }

    private var before: Scan<TrendNewestRow>? { first.map { TrendNewestRow.before($0) } }
    private var between: Scan<TrendNewestRow>? { first.map { TrendNewestRow.after($0, limit: Self.betweenMax) } }

    func unread(_ reading: Reading) -> ReadSet? {
        guard let before, let between else { return nil }
        var set = ReadSet()
        set.ask(before)
        set.ask(between)
        // However many there are, the newest of all determines the length of the list.
        set.ask(TrendNewestRow.newest(key, limit: 1))
        return reading.unread(of: set)
    }

    mutating func begin(_ reading: Reading) {
        guard let before, let between else { return }
        line = reading[before] + reading[between]
        if let newest = reading[TrendNewestRow.newest(key, limit: 1)].first,
            line.last.map({ $0.isOlder(than: newest) }) ?? true
        {
            line.append(newest)
        }
    }

    /// By how many elements the list grows, and when: at the creation of the record, and at that of the next.
    mutating func add(_ record: RecordRow, count: Int64) -> [(at: Milliseconds, count: Int64)] {
        var row = TrendNewestRow(key, record)
        row.count = count
        rows.append(row)
        let place = line.firstIndex { row.isOlder(than: $0) } ?? line.count
        let more = count - (place > 0 ? line[place - 1].count : 0)
        defer { line.insert(row, at: place) }
        return [(record.createdAt, more)] + (place < line.count ? [(line[place].createdAt, -more)] : [])
    }
}

extension TrendNewestRow {
    fileprivate init(_ key: TrendKey, _ record: RecordRow) {
        self.init(type: key.type, part: key.part, createdAt: record.createdAt, number: record.number)
    }

    /// The last one created before another.
    fileprivate static func before(_ row: Self) -> Scan<Self> {
        Scan(
            .database(Trends.database), .int(Int64(row.type)), .int(Int64(bitPattern: row.part)),
            below: [.int(row.createdAt), .int(row.number)], descending: true, limit: 1)
    }

    fileprivate static func after(_ row: Self, limit: Int) -> Scan<Self> {
        Scan(
            .database(Trends.database), .int(Int64(row.type)), .int(Int64(bitPattern: row.part)),
            above: [.int(row.createdAt), .int(row.number)], limit: limit)
    }
}
