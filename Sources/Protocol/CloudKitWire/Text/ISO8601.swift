/// Dates of signed requests, of logs and for people: `YYYY-MM-DDTHH:MM:SSZ`.
package enum ISO8601 {
    /// Whole seconds, rounded down. - Parameter milliseconds: Since 1970, not negative.
    package static func text(_ milliseconds: Int64) -> String {
        let time = CivilTime(second: milliseconds / 1_000)
        let (month, day) = (CivilTime.two(time.month), CivilTime.two(time.day))
        let clock = [time.hour, time.minute, time.second].map(CivilTime.two).joined(separator: ":")
        return "\(time.year)-\(month)-\(day)T\(clock)Z"
    }

    /// Milliseconds since 1970; nil if the text is not a valid date. A fraction of a second may have any length, and is ignored.
    package static func milliseconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z"), bytes[4] == bytes[7], bytes[4] == UInt8(ascii: "-"),
            bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            let year = Digits.number(bytes[0..<4]), let month = Digits.number(bytes[5..<7], max: 12),
            let day = Digits.number(bytes[8..<10], max: 31), let hour = Digits.number(bytes[11..<13], max: 23),
            let minute = Digits.number(bytes[14..<16], max: 59), let second = Digits.number(bytes[17..<19], max: 60),
            month >= 1, day >= 1, isFraction(bytes[19..<(bytes.count - 1)])
        else { return nil }
        let days = CivilTime.daysSince1970(year: year, month: month, day: day)
        return (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000
    }

    private static func isFraction(_ text: ArraySlice<UInt8>) -> Bool {
        text.isEmpty || (text.first == UInt8(ascii: ".") && Digits.areAll(text.dropFirst()))
    }
}
