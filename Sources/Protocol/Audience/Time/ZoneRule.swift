import CloudKitWire

/// What clocks do each year, in the form of POSIX's variable `TZ`, with which files of time zones end:
/// `CET-1CEST,M3.5.0,M10.5.0/3`.
struct ZoneRule: Sendable {
    /// A moment in each year, by clocks until then.
    private struct Day {
        enum Form { case weekday(Int64, week: Int64, month: Int64), withoutLeapDay(Int64), withLeapDay(Int64) }

        let form: Form
        /// Since midnight, also of other days.
        let seconds: Int64

        /// Since 1970, if clocks showed UTC.
        func second(in year: Int64) -> Int64 { day(in: year) * 86_400 + seconds }

        private func day(in year: Int64) -> Int64 {
            func days(_ month: Int64) -> Int64 { CivilTime.daysSince1970(year: year, month: month, day: 1) }
            switch form {
            case .withLeapDay(let number): return days(1) + number
            case .withoutLeapDay(let number):
                let isLeapYear = CivilTime.hasDay(year: year, month: 2, day: 29)
                return days(1) + number - (number < 60 || !isLeapYear ? 1 : 0)
            case .weekday(let weekday, let week, let month):
                let first = days(month)
                // 1970-01-01 was a Thursday, and 0 is Sunday.
                let found = first + ((weekday - first - 4) % 7 + 7) % 7 + (week - 1) * 7
                let next = month == 12 ? first + 31 : days(month + 1)
                // The fifth is the last one.
                return found < next ? found : found - 7
            }
        }
    }

    private struct Summer {
        let offset: Int64
        let from, until: Day
    }

    private let standard: Int64
    private let summer: Summer?

    /// - Returns: nil for any other text.
    init?(_ text: some StringProtocol) {
        var text = RuleText(text)
        guard text.skipName(), let behind = text.readTime(hoursMax: 24) else { return nil }
        standard = -behind
        if text.isEmpty {
            summer = nil
            return
        }
        guard text.skipName() else { return nil }
        var offset = standard + 3_600
        if !text.isNext(",") {
            guard let behind = text.readTime(hoursMax: 24) else { return nil }
            offset = -behind
        }
        guard let from = Self.day(&text), let until = Self.day(&text), text.isEmpty else { return nil }
        summer = Summer(offset: offset, from: from, until: until)
    }

    /// `,M3.5.0/2`
    private static func day(_ text: inout RuleText) -> Day? {
        guard text.skip(",") else { return nil }
        let form: Day.Form
        if text.skip("M") {
            guard let month = text.readNumber(1...12), text.skip("."), let week = text.readNumber(1...5),
                text.skip("."),
                let weekday = text.readNumber(0...6)
            else { return nil }
            form = .weekday(weekday, week: week, month: month)
        } else if text.skip("J") {
            guard let number = text.readNumber(1...365) else { return nil }
            form = .withoutLeapDay(number)
        } else {
            guard let number = text.readNumber(0...365) else { return nil }
            form = .withLeapDay(number)
        }
        guard text.skip("/") else { return Day(form: form, seconds: 7_200) }
        return text.readTime(hoursMax: 167).map { Day(form: form, seconds: $0) }
    }

    /// - Parameter second: Since 1970.
    func seconds(at second: Int64) -> Int64 {
        guard let summer else { return standard }
        // Files have all changes before 1970.
        let year = Int64(CivilTime(second: max(0, second + standard)).year)
        let (from, until) = (summer.from.second(in: year) - standard, summer.until.second(in: year) - summer.offset)
        let isSummer = from < until ? from <= second && second < until : from <= second || second < until
        return isSummer ? summer.offset : standard
    }
}

/// A rule that is being read.
private struct RuleText {
    private var rest: ArraySlice<UInt8>

    init(_ text: some StringProtocol) { rest = Array(text.utf8)[...] }

    var isEmpty: Bool { rest.isEmpty }

    func isNext(_ sign: Unicode.Scalar) -> Bool { rest.first == UInt8(ascii: sign) }

    mutating func skip(_ sign: Unicode.Scalar) -> Bool {
        guard isNext(sign) else { return false }
        rest.removeFirst()
        return true
    }

    /// An abbreviation: `CET`, or `<+03>`.
    mutating func skipName() -> Bool {
        if skip("<") {
            rest = rest.drop { $0 != UInt8(ascii: ">") }
            return skip(">")
        }
        let name = rest.prefix { ($0 | 0x20) &- UInt8(ascii: "a") < 26 }
        rest = rest[name.endIndex...]
        return name.count >= 3
    }

    mutating func readNumber(_ range: ClosedRange<Int64>) -> Int64? {
        let digits = rest.prefix { $0 &- UInt8(ascii: "0") < 10 }
        rest = rest[digits.endIndex...]
        return Digits.number(digits, max: range.upperBound).flatMap { range.contains($0) ? $0 : nil }
    }

    /// Seconds: `2`, `-3:30` or `26:00:00`.
    mutating func readTime(hoursMax: Int64) -> Int64? {
        let isNegative = skip("-")
        if !isNegative { _ = skip("+") }
        guard var seconds = readNumber(0...hoursMax).map({ $0 * 3_600 }) else { return nil }
        for unit in [60, 1] as [Int64] where skip(":") {
            guard let number = readNumber(0...59) else { return nil }
            seconds += number * unit
        }
        return isNegative ? -seconds : seconds
    }
}
