import CloudKitWire
import NephosStorage

/// The date of a signed request: `YYYY-MM-DDTHH:MM:SS`, an optional fraction of any length, which is passed over, `Z`.
enum ISO8601 {
    /// Milliseconds since 1970; nil when the text is no such date.
    static func milliseconds(_ text: String) -> Milliseconds? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z"), bytes[4] == bytes[7], bytes[4] == UInt8(ascii: "-"),
            bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            let year = Digits.number(bytes[0..<4]), let month = Digits.number(bytes[5..<7], max: 12),
            let day = Digits.number(bytes[8..<10], max: 31), let hour = Digits.number(bytes[11..<13], max: 23),
            let minute = Digits.number(bytes[14..<16], max: 59), let second = Digits.number(bytes[17..<19], max: 60),
            month >= 1, day >= 1, isFraction(bytes[19..<(bytes.count - 1)])
        else { return nil }
        let days = daysSince1970(year: year, month: month, day: day)
        return (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000
    }

    /// Days from 1970-01-01 in the Gregorian calendar, counted in years that begin in March.
    private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let monthFromMarch = (month + 9) % 12
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }

    private static func isFraction(_ text: ArraySlice<UInt8>) -> Bool {
        text.isEmpty || (text.first == UInt8(ascii: ".") && Digits.areAll(text.dropFirst()))
    }
}
