import CloudKitWire
import NephosStorage

/// A series that is counted separately: the records of a type in the public database or in all private ones, or a part of them.
struct TrendSeries: Sendable, Hashable, Comparable {
    var side: TrendSide = .inPublic
    /// A type that was removed and created again has another number.
    var type: TypeNumber
    /// ``TrendPart/id``; 0 for the records themselves.
    var part: UInt64 = 0
    /// The value of the field, if the part is a split.
    var value: [UInt8] = []

    static func < (left: Self, right: Self) -> Bool {
        let (one, other) = ((left.side.rawValue, left.type, left.part), (right.side.rawValue, right.type, right.part))
        return one == other ? left.value.lexicographicallyPrecedes(right.value) : one < other
    }

    /// The first key columns of its rows, after the database.
    fileprivate var columns: [ColumnValue] {
        [.int(side.rawValue), .int(Int64(type)), .int(Int64(bitPattern: part)), .utf8(value[...])]
    }
}

/// What a series counts: records of the public or of private databases, or clients.
enum TrendSide: Int64, Sendable, CaseIterable {
    case inPublic = 0
    /// In private databases, of all people together.
    case inPrivate = 1
    /// Clients that report what they are (``ClientSeries``).
    case ofClients = 2

    init(_ kind: DatabaseKind) { self = kind == .publicLane ? .inPublic : .inPrivate }
}

/// The counts of a series of all time (table `trend_sums`): subtracting later months gives how many there were at a moment.
struct TrendSumRow: Sendable, Equatable {
    /// The public database, which stores the sums of all databases.
    var database: DatabaseNumber = Trends.database
    var series: TrendSeries
    var counts = TrendCounts()
    /// The first quarter of an hour, since 1970, that has any count.
    var firstQuarter: Int64
}

extension TrendSumRow: StoredRow {
    static let table = Table(
        of: Self.self, "trend_sums", .database, key: ["db", "side", "type_no", "part", "value"], isCounted: true)
    static let sample = TrendSumRow(series: TrendSeries(type: 1), firstQuarter: 1)

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&database)
        try columns.series(&series)
        try columns.int("created", &counts.created)
        try columns.int("deleted", &counts.deleted)
        try columns.int("restored", &counts.restored)
        try columns.int("moved", &counts.moved)
        try columns.int("first_quarter", &firstQuarter)
    }

    static func of(_ series: [TrendSeries]) -> Scan<Self> {
        Scan(.database(Trends.database), among: series.map(\.columns))
    }

    /// The sums of all series.
    static let all = Scan<Self>(.database(Trends.database), limit: .max)

    /// The sums of all values of a part, or the sum of the records themselves.
    static func of(_ side: TrendSide, _ type: TypeNumber, _ part: UInt64) -> Scan<Self> {
        Scan(
            .database(Trends.database), .int(side.rawValue), .int(Int64(type)), .int(Int64(bitPattern: part)),
            limit: .max)
    }
}

/// How many records or clients have a value that is not counted by itself (table `trend_rare`): so it is known when it becomes more
/// frequent than one that is. A row is removed once nothing has the value.
struct TrendRareRow: Sendable, Equatable {
    var database: DatabaseNumber = Trends.database
    var series: TrendSeries
    var count: Int64
}

extension TrendRareRow: StoredRow {
    static let table = Table(
        of: Self.self, "trend_rare", .database, key: ["db", "side", "type_no", "part", "value"], isCounted: true)
    static let sample = TrendRareRow(series: TrendSeries(type: 1), count: 1)

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&database)
        try columns.series(&series)
        try columns.int("count", &count)
    }

    static func of(_ series: [TrendSeries]) -> Scan<Self> {
        Scan(.database(Trends.database), among: series.map(\.columns))
    }

    /// All values of all parts of a side.
    static func all(of side: TrendSide) -> Scan<Self> {
        Scan(.database(Trends.database), .int(side.rawValue), limit: .max)
    }

    /// A page of all values of all parts of a side.
    ///
    /// - Parameter series: The last of the previous page; nil to begin.
    static func page(of side: TrendSide, after series: TrendSeries?, limit: Int) -> Scan<Self> {
        guard let series else { return Scan(.database(Trends.database), .int(side.rawValue), limit: limit) }
        return Scan(
            .database(Trends.database), .int(side.rawValue), above: Array(series.columns.dropFirst()), limit: limit)
    }

    /// Some values of a part, to be removed.
    static func some(_ side: TrendSide, _ type: TypeNumber, _ part: UInt64, limit: Int) -> Scan<Self> {
        Scan(
            .database(Trends.database), .int(side.rawValue), .int(Int64(type)), .int(Int64(bitPattern: part)),
            limit: limit)
    }
}

/// The counts of one series and one month of UTC (table `trend_months`).
struct TrendMonthRow: Sendable, Equatable {
    var database: DatabaseNumber = Trends.database
    var series: TrendSeries
    /// Months since 1970.
    var month: Int64
    /// ``MonthCounts``.
    var counts: [UInt8]
}

extension TrendMonthRow: StoredRow {
    static let table = Table(
        of: Self.self, "trend_months", .database, key: ["db", "side", "type_no", "part", "value", "month"],
        isCounted: true)
    static let sample = TrendMonthRow(series: TrendSeries(type: 1), month: 1, counts: [])

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&database)
        try columns.series(&series)
        try columns.int("month", &month)
        try columns.bytes("counts", &counts)
    }

    init(_ series: TrendSeries, _ month: Int64, _ counts: MonthCounts) {
        self.init(series: series, month: month, counts: counts.bytes(hasMoved: series.part != 0))
    }

    func read() throws(StorageError) -> MonthCounts { try MonthCounts(counts, hasMoved: series.part != 0) }

    /// Whether each quarter has ``TrendCounts/moved`` as well.
    var hasMoved: Bool { series.part != 0 }
    var reader: MonthReader { MonthReader(counts, hasMoved: hasMoved) }

    /// All from a month on; there are few months.
    static func since(_ month: Int64, of series: TrendSeries) -> Scan<Self> {
        Scan(
            .database(Trends.database), .int(series.side.rawValue), .int(Int64(series.type)),
            .int(Int64(bitPattern: series.part)), .utf8(series.value[...]), above: [.int(month - 1)], limit: .max)
    }

    /// All values of a part, from a month on. - Parameter limit: If this many are found, there may be more.
    static func ofValues(
        _ side: TrendSide, _ type: TypeNumber, _ part: UInt64, since month: Int64, limit: Int
    ) -> Scan<Self> {
        Scan(
            .database(Trends.database), .int(side.rawValue), .int(Int64(type)), .int(Int64(bitPattern: part)),
            only: [.atLeast("month", .int(month))], limit: limit)
    }

    static func at(_ months: [(series: TrendSeries, month: Int64)]) -> Scan<Self> {
        Scan(.database(Trends.database), among: months.map { $0.series.columns + [.int($0.month)] })
    }

    /// Some of a part, or of the records themselves, to be removed.
    static func some(_ side: TrendSide, _ type: TypeNumber, _ part: UInt64, limit: Int) -> Scan<Self> {
        Scan(
            .database(Trends.database), .int(side.rawValue), .int(Int64(type)), .int(Int64(bitPattern: part)),
            limit: limit)
    }
}

extension Columns {
    fileprivate mutating func series(_ series: inout TrendSeries) throws(StorageError) {
        // Written for speed: every row of a year of many types is read this way.
        var side = series.side.rawValue
        try int("side", &side)
        guard let known = TrendSide(rawValue: side) else { throw .corrupt("there is no side \(side)") }
        series.side = known
        try type("type_no", &series.type)
        var part = Int64(bitPattern: series.part)
        try int("part", &part)
        series.part = UInt64(bitPattern: part)
        var value = series.value[...]
        try utf8("value", &value)
        if !value.isEmpty || !series.value.isEmpty { series.value = Array(value) }
    }
}

/// Counts that had no room in the annex of a head (table `trend_spills`), in the annex's format.
struct TrendSpillRow: Sendable, Equatable {
    var database: DatabaseNumber
    /// The sequence of the head before the commit that wrote the row.
    var sequence: Sequence
    /// The number of the row within its commit; rows of ``PartAnnex`` begin at ``parts``.
    var part: Int64
    /// ``TrendAnnex``, or ``PartAnnex``.
    var counts: [UInt8]

    static let parts: Int64 = 1 << 20
    /// The first number of the rows that ``NewestRule`` writes.
    static let newest: Int64 = 1 << 21
}

extension TrendSpillRow: StoredRow {
    static let table = Table(
        of: Self.self, "trend_spills", .database, key: ["db", "sequence", "part"], isCounted: true)
    static let sample = TrendSpillRow(database: 1, sequence: 1, part: 0, counts: [])

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&database)
        try columns.int("sequence", &sequence)
        try columns.int("part", &part)
        try columns.bytes("counts", &counts)
    }

    static func of(_ database: DatabaseNumber, limit: Int) -> Scan<Self> { Scan(.database(database), limit: limit) }
}
