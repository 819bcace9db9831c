/// Times as text: of signed requests, settings, tables and commands, of logs and for people.
package enum ISO8601 {
    /// `YYYY-MM-DDTHH:MM:SSZ`: whole seconds, rounded down. - Parameter milliseconds: Since 1970, not negative.
    package static func text(_ milliseconds: Int64) -> String {
        let time = CivilTime(second: milliseconds / 1_000)
        let (month, day) = (CivilTime.two(time.month), CivilTime.two(time.day))
        let clock = [time.hour, time.minute, time.second].map(CivilTime.two).joined(separator: ":")
        return "\(time.year)-\(month)-\(day)T\(clock)Z"
    }

    /// Reads a time of RFC 3339, such as `2027-03-07T08:00:00Z` or `2027-03-07 09:00:00.250+01:00`: the only place where
    /// a text with `Z` or an offset becomes a time.
    ///
    /// A fraction of a second may have any length; what it has beyond milliseconds is dropped. The second 60 is the first
    /// one of the next minute. The offset may lack its colon or its minutes, as other programs write it: `+0100`, `+01`.
    ///
    /// - Returns: Milliseconds since 1970; nil for any other text, such as one without an offset, and for a day that does
    ///   not exist.
    package static func milliseconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes[4] == minus, bytes[7] == minus, bytes[13] == colon, bytes[16] == colon,
            bytes[10] == UInt8(ascii: " ") || bytes[10] | 0x20 == UInt8(ascii: "t"),
            let year = Digits.number(bytes[0..<4]), let month = Digits.number(bytes[5..<7], max: 12),
            let day = Digits.number(bytes[8..<10], max: 31), let hour = Digits.number(bytes[11..<13], max: 23),
            let minute = Digits.number(bytes[14..<16], max: 59), let second = Digits.number(bytes[17..<19], max: 60),
            CivilTime.hasDay(year: year, month: month, day: day), let (fraction, zone) = fraction(bytes[19...]),
            let offset = offset(zone)
        else { return nil }
        let days = CivilTime.daysSince1970(year: year, month: month, day: day)
        return (((days * 24 + hour) * 60 + minute - offset) * 60 + second) * 1_000 + fraction
    }

    private static let (minus, colon) = (UInt8(ascii: "-"), UInt8(ascii: ":"))

    /// The milliseconds of a fraction such as `.25`, 0 without one, and the text after it.
    private static func fraction(_ text: ArraySlice<UInt8>) -> (milliseconds: Int64, rest: ArraySlice<UInt8>)? {
        guard text.first == UInt8(ascii: ".") else { return (0, text) }
        let digits = text.dropFirst().prefix { $0 &- UInt8(ascii: "0") < 10 }
        let first = digits.prefix(3) + Array(repeating: UInt8(ascii: "0"), count: max(0, 3 - digits.count))
        guard !digits.isEmpty, let milliseconds = Digits.number(first) else { return nil }
        return (milliseconds, text.dropFirst(1 + digits.count))
    }

    /// The minutes by which local time is ahead of UTC.
    private static func offset(_ text: ArraySlice<UInt8>) -> Int64? {
        guard let sign = text.first else { return nil }
        if text.count == 1 { return sign | 0x20 == UInt8(ascii: "z") ? 0 : nil }
        let (hours, rest) = (text.dropFirst().prefix(2), text.dropFirst(3))
        let minutes = rest.first == colon ? rest.dropFirst() : rest
        guard sign == UInt8(ascii: "+") || sign == minus, text.count == 3 || minutes.count == 2,
            let hour = Digits.number(hours, max: 23),
            let minute = text.count == 3 ? 0 : Digits.number(minutes, max: 59)
        else { return nil }
        return (hour * 60 + minute) * (sign == minus ? -1 : 1)
    }
}
