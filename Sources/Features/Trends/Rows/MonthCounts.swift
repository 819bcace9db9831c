import NephosStorage

/// The counts of the quarters of an hour of a month, most of which have none.
///
/// As bytes: for each quarter that has counts, in order, the number of quarters since the previous one (the first: since the
/// beginning of the month, plus one), and created, deleted and restored (``NumberWriter``).
struct MonthCounts: Sendable, Equatable {
    /// Within the month, ascending.
    private(set) var quarters: [(quarter: Int64, counts: TrendCounts)] = []

    static func == (left: Self, right: Self) -> Bool { left.quarters.elementsEqual(right.quarters) { $0 == $1 } }

    init() {}

    /// - Parameter hasMoved: Whether each has ``TrendCounts/moved`` as well.
    /// - Throws: ``NephosStorage/StorageError/corrupt(_:)`` for bytes that are not valid counts.
    init(_ bytes: [UInt8], hasMoved: Bool = false) throws(StorageError) {
        var reader = MonthReader(bytes, hasMoved: hasMoved)
        while let one = try reader.next() { quarters.append(one) }
    }

    func bytes(hasMoved: Bool = false) -> [UInt8] {
        var writer = NumberWriter()
        var last: Int64 = -1
        for (quarter, counts) in quarters where !counts.isZero {
            writer.number(quarter - last)
            writer.number(counts.created)
            writer.number(counts.deleted)
            writer.number(counts.restored)
            if hasMoved { writer.signed(counts.moved) }
            last = quarter
        }
        return writer.bytes
    }

    /// - Parameter quarter: Within the month.
    mutating func add(_ counts: TrendCounts, in quarter: Int64) {
        // Searched from the end, as most additions are recent.
        var place = quarters.count
        while place > 0, quarters[place - 1].quarter > quarter { place -= 1 }
        if place > 0, quarters[place - 1].quarter == quarter {
            quarters[place - 1].counts += counts
        } else {
            quarters.insert((quarter, counts), at: place)
        }
    }
}

/// Reads the counts of a month one by one without storing them.
struct MonthReader {
    private var reader: NumberReader
    private let hasMoved: Bool
    private var quarter: Int64 = -1

    init(_ bytes: [UInt8], hasMoved: Bool) { (reader, self.hasMoved) = (NumberReader(bytes), hasMoved) }

    var isAtEnd: Bool { reader.isAtEnd }

    /// The position of the next byte, and the last quarter read.
    var position: (at: Int, quarter: Int64) {
        get { (reader.at, quarter) }
        set { (reader.at, quarter) = newValue }
    }

    /// - Throws: ``NephosStorage/StorageError/corrupt(_:)`` for bytes that are not valid counts.
    mutating func next() throws(StorageError) -> (quarter: Int64, counts: TrendCounts)? {
        guard !reader.isAtEnd else { return nil }
        guard let step = reader.number(), step > 0, step <= TrendMonth.quartersMax,
            quarter + step < TrendMonth.quartersMax, let created = reader.number(), let deleted = reader.number(),
            let restored = reader.number(), let moved = hasMoved ? reader.signed() : 0
        else { throw .corrupt("the counts of a month cannot be read from byte \(reader.at) on") }
        quarter += step
        return (quarter, TrendCounts(created: created, deleted: deleted, restored: restored, moved: moved))
    }
}

/// Months of UTC, by which counts are stored: days would be many more rows to read, and years more to write with each fold.
enum TrendMonth {
    static let quartersMax = 31 * Trends.quartersOfDay

    /// The month of a quarter of an hour since 1970, and the quarter within that month.
    static func of(quarter: Int64) -> (month: Int64, quarter: Int64) {
        let month = of(day: quarter / Trends.quartersOfDay)
        return (month, quarter - start(of: month))
    }

    /// Months since 1970.
    static func of(day: Int64) -> Int64 {
        let date = CivilDate(day)
        return (date.year - 1970) * 12 + date.month - 1
    }

    /// The first quarter of an hour of a month, since 1970.
    static func start(of month: Int64) -> Int64 {
        CivilDate(year: 1970 + month / 12, month: month % 12 + 1, day: 1).days * Trends.quartersOfDay
    }
}
