import CloudKitWire
import NephosDomain
import NephosStorage

/// The length of a list in one record (table `trend_newest`), for lists of which only that of the newest record counts: so that the next one
/// is known when the newest goes.
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

/// Which record of a type is the newest, and how long a list is there, before and after some changes.
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

    /// nil where none of the types has such a list.
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

    var reading: ReadSet {
        var set = ReadSet()
        for list in lists {
            set.ask(list.newest)
            set.ask(list.own)
        }
        return set
    }

    func follow(
        _ changes: RecordChanges, _ state: TrendState, _ reading: Reading, _ rows: inout FollowingRows,
        _ counting: inout PartCounting
    ) {
        for list in lists {
            guard let progress = state[list.key] else { continue }
            let stored = reading[list.newest]
            var rest = stored
            for change in changes.all where change.new?.type ?? change.old?.type == list.key.type {
                // Counting back comes to it, or does not find it any more.
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
            counting.add(list.key, longerBy: (newest?.count ?? 0) - (stored.first?.count ?? 0), at: changes.now)
        }
    }
}

extension PartCounting {
    fileprivate mutating func add(_ key: TrendKey, longerBy count: Int64, at time: Milliseconds) {
        guard count != 0 else { return }
        add(
            PartAnnex.Entry(
                type: key.type, part: key.part, value: [], quarter: max(0, time) / Trends.quarter,
                counts: TrendCounts(moved: count)))
    }
}

/// The same while a chunk is counted back.
struct NewestCountedBack {
    private let key: TrendKey
    private var newest: TrendNewestRow?
    private(set) var rows: [TrendNewestRow] = []
    /// By how many elements the list of the newest became longer, and when the newest was made.
    private(set) var moves: [(at: Milliseconds, count: Int64)] = []

    /// - Parameter newest: As stored.
    init(_ key: TrendKey, newest: TrendNewestRow?) { (self.key, self.newest) = (key, newest) }

    mutating func add(_ record: RecordRow, count: Int64) {
        let row = TrendNewestRow(
            type: key.type, part: key.part, createdAt: record.createdAt, number: record.number, count: count)
        rows.append(row)
        if let newest, row.isOlder(than: newest) { return }
        let more = count - (newest?.count ?? 0)
        if more != 0 { moves.append((record.createdAt, more)) }
        newest = row
    }
}
