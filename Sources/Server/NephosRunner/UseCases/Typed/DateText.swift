import Audience
import CloudKitWire

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Times as they are typed for fields of records: those of `Moment`, and `2021-01-01`, `2021-01-01 12:30` or
/// `2021-01-01 12:30:00` in the zone of this machine.
package enum DateText {
    /// ISO 8601 with milliseconds; their number before 1970, and where ``milliseconds(_:)`` would read another time.
    package static func text(_ time: Int64) -> String {
        guard time >= 0 else { return String(time) }
        let text = "\(ISO8601.text(time).dropLast()).\(String(time % 1000 + 1000).dropFirst())Z"
        return ISO8601.milliseconds(text) == time ? text : String(time)
    }

    /// Since 1970; nil for a text that is not a time.
    package static func milliseconds(_ text: String) -> Int64? { Moment.milliseconds(text) ?? localTime(text) }

    private static func localTime(_ text: String) -> Int64? {
        // What the text lacks of a time in UTC.
        let rest = "0000-00-00 00:00:00Z".dropFirst(text.utf8.count)
        guard [10, 16, 19].contains(text.utf8.count), let shown = ISO8601.milliseconds(text + rest) else { return nil }
        var second = time_t(shown / 1_000)
        var clock = tm()
        gmtime_r(&second, &clock)
        // Whether it is summer time is not known yet.
        clock.tm_isdst = -1
        return Int64(mktime(&clock)) * 1_000
    }
}
