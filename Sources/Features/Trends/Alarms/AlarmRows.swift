import CloudKitWire
import NephosRunner
import NephosStorage

/// An alarm about one day of a type for one receiver, and whether the receiver has been notified (table `trend_alarms`).
struct TrendAlarmRow: Sendable, Equatable {
    enum Phase: Int64, Sendable {
        case waiting = 0
        case notified = 1
        /// The receiver did not accept it for a day.
        case givenUp = 2
    }

    /// Delays between attempts; the last is repeated.
    static let waits: [Milliseconds] = [60_000, 300_000, 1_800_000, 7_200_000]
    static let givenUpAfter: Milliseconds = 86_400_000
    /// Days for which alarms are kept.
    static let daysKept: Int64 = 30

    var database: DatabaseNumber = Trends.database
    var type: TypeNumber
    /// In the zone of the settings; days since 1970.
    var day: Int64
    /// The value of ``TrendAlarm/receiver``.
    var receiver: Int64
    var kind: AlarmRule.Kind
    /// Records created on that day, as of when the alarm was raised.
    var count: Int64
    /// The rule's median, times four so that it is an integer.
    var median4: Int64
    var deviation4: Int64
    var raisedAt: Milliseconds
    var phase = Phase.waiting
    var attempts: Int64 = 0
    /// When to make the next attempt.
    var nextAt: Milliseconds

    var rule: AlarmRule { AlarmRule(median: Double(median4) / 4, deviation: Double(deviation4) / 4) }
}

extension TrendAlarmRow: StoredRow {
    static let table = Table(
        of: Self.self, "trend_alarms", .database, key: ["db", "type_no", "day", "receiver"], isCounted: true)
    static let sample = TrendAlarmRow(
        type: 1, day: 0, receiver: 0, kind: .jump, count: 0, median4: 0, deviation4: 0, raisedAt: 0, nextAt: 0)

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&database)
        try columns.type("type_no", &type)
        try columns.int("day", &day)
        try columns.int("receiver", &receiver)
        try columns.kind("kind", &kind)
        try columns.int("count", &count)
        try columns.int("median4", &median4)
        try columns.int("deviation4", &deviation4)
        try columns.int("raised_at", &raisedAt)
        try columns.kind("phase", &phase)
        try columns.int("attempts", &attempts)
        try columns.int("next_at", &nextAt)
    }

    /// All alarms of all types: at most one per receiver and day.
    static let all = Scan<Self>(.database(Trends.database), limit: TrendAlarm.most * Int(2 * daysKept))
}

extension TrendAlarm {
    /// Identifies the alarm's receiver within the environment.
    var receiver: Int64 {
        let text =
            switch target {
            case .webhook(let address): Array("\(type)\nwebhook\n\(address.url)".utf8)
            case .mail(let address): Array("\(type)\nmail\n\(address)".utf8)
            }
        return Int64(bitPattern: text.withUnsafeBytes { xxHash64($0) })
    }
}
