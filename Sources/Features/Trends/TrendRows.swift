import NephosStorage

/// How many records of a type there ever were (table `trend_totals`): what tells, with the days after it, how many there were at a moment.
struct TrendTotalRow: Sendable, Equatable {
    /// The public database, which has the sums of all.
    var database: DatabaseNumber = Trends.database
    var side: TrendSide
    /// A type that was removed and made again has another number.
    var type: TypeNumber
    var created: Int64 = 0
    var deleted: Int64 = 0
    var restored: Int64 = 0
    /// The first quarter of an hour, since 1970, that has any.
    var firstQuarter: Int64

    var counts: TrendCounts {
        get { TrendCounts(created: created, deleted: deleted, restored: restored) }
        set { (created, deleted, restored) = (newValue.created, newValue.deleted, newValue.restored) }
    }
}

/// Where records are.
enum TrendSide: Int64, Sendable, CaseIterable {
    case inPublic = 0
    /// In private databases, of all persons together.
    case inPrivate = 1
}

extension TrendTotalRow: StoredRow {
    static let table = Table(
        of: Self.self, "trend_totals", .database, key: ["db", "side", "type_no"], isCounted: true)
    static let sample = TrendTotalRow(side: .inPublic, type: 1, firstQuarter: 1)

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&database)
        try columns.kind("side", &side)
        try columns.type("type_no", &type)
        try columns.int("created", &created)
        try columns.int("deleted", &deleted)
        try columns.int("restored", &restored)
        try columns.int("first_quarter", &firstQuarter)
    }

    var series: TrendSeries { TrendSeries(side: side, type: type) }

    static func of(_ series: [TrendSeries]) -> Scan<Self> {
        Scan(.database(Trends.database), among: series.map { [.int($0.side.rawValue), .int(Int64($0.type))] })
    }
}

/// The counts of one type and one day of UTC (table `trend_days`).
struct TrendDayRow: Sendable, Equatable {
    var database: DatabaseNumber = Trends.database
    var side: TrendSide
    var type: TypeNumber
    /// Since 1970.
    var day: Int64
    /// ``DayCounts``.
    var counts: [UInt8]
}

extension TrendDayRow: StoredRow {
    static let table = Table(
        of: Self.self, "trend_days", .database, key: ["db", "side", "type_no", "day"], isCounted: true)
    static let sample = TrendDayRow(side: .inPublic, type: 1, day: 1, counts: [])

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&database)
        try columns.kind("side", &side)
        try columns.type("type_no", &type)
        try columns.int("day", &day)
        try columns.bytes("counts", &counts)
    }

    var series: TrendSeries { TrendSeries(side: side, type: type) }

    /// All from a day on: days are few.
    static func since(_ day: Int64, of series: TrendSeries) -> Scan<Self> {
        Scan(
            .database(Trends.database), .int(series.side.rawValue), .int(Int64(series.type)), above: [.int(day - 1)],
            limit: .max)
    }

    static func at(_ days: [(series: TrendSeries, day: Int64)]) -> Scan<Self> {
        Scan(
            .database(Trends.database),
            among: days.map { [.int($0.series.side.rawValue), .int(Int64($0.series.type)), .int($0.day)] })
    }
}

/// What had no more room in the annex of a head (table `trend_spills`): as it stood there.
struct TrendSpillRow: Sendable, Equatable {
    var database: DatabaseNumber
    /// Of the head before the commit that put it.
    var sequence: Sequence
    /// Of several that one commit put.
    var part: Int64
    /// ``TrendAnnex``.
    var counts: [UInt8]
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

/// What is counted apart: a type, in the public database or in all private ones.
struct TrendSeries: Sendable, Hashable, Comparable {
    let side: TrendSide
    let type: TypeNumber

    static func < (left: Self, right: Self) -> Bool {
        (left.side.rawValue, left.type) < (right.side.rawValue, right.type)
    }
}
