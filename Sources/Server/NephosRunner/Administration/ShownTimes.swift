import CloudKitWire
import NephosStorage

extension Milliseconds {
    /// `2026-11-21T19:12:05Z`.
    package var asDate: String { ISO8601.text(self) }

    /// A time that is 0 if the event has not happened; shown as a dash then.
    package var asDateOrDash: String { self == 0 ? "-" : asDate }
}

extension Int64? {
    /// A number of days since 1970 as a date; a dash for nil.
    package var asDay: String { map { String(($0 * 86_400_000).asDate.prefix(10)) } ?? "-" }
}
