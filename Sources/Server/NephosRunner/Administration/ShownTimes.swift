import CloudKitWire
import NephosStorage

extension Milliseconds {
    /// `2026-11-21T19:12:05Z`.
    package var asDate: String { ISO8601.text(self) }

    /// The time of what may not have happened, which is 0 then: a dash.
    package var asDateOrDash: String { self == 0 ? "-" : asDate }
}

extension Int64? {
    /// A number of days since 1970 as a date; a dash for none.
    package var asDay: String { map { String(($0 * 86_400_000).asDate.prefix(10)) } ?? "-" }
}
