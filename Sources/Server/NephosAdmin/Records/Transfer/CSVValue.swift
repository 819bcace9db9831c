import CloudKitWire
import NephosRunner

/// A value of a field as the text of a cell. Only a text that is exactly a value is accepted; nothing is rounded or guessed.
enum CSVValue {
    /// Writes the value as JSON.
    ///
    /// - Returns: False, with nothing written, for a text that is not a value of the type.
    static func write(_ text: String, _ type: FieldType, to json: inout JSONWriter) -> Bool {
        switch type {
        case .int64:
            guard let number = Int64(text) else { return false }
            json.int64(number)
        case .double:
            guard let number = double(text) else { return false }
            json.double(number)
        case .timestamp:
            guard let time = time(text) else { return false }
            json.int64(time)
        case .bytes:
            let base64 = SpreadsheetCell.unguarded(text)
            guard Base64.bytes(of: Array(base64.utf8)[...]) != nil else { return false }
            json.string(base64)
        default: json.string(SpreadsheetCell.unguarded(text))
        }
        return true
    }

    /// What a cell of the type must hold, for whoever wrote a text that is not a value of it.
    static func expectation(of type: FieldType, insteadOf text: String) -> String {
        switch type {
        case .int64:
            let digits = text.first == "-" || text.first == "+" ? text.dropFirst() : text[...]
            let isNumber = !digits.isEmpty && digits.utf8.allSatisfy("0123456789".utf8.contains)
            return isNumber
                ? "an INT64 is from \(Int64.min) to \(Int64.max)" : "an INT64 is a whole number in digits, such as 1200"
        case .double:
            let pointed = text.replacing(",", with: ".", maxReplacements: 1)
            return pointed != text && double(pointed) != nil
                ? "a DOUBLE has a decimal point: \(pointed)"
                : "a DOUBLE is a number in digits with a decimal point, such as 1200.5"
        case .timestamp:
            return beginsWithDay(text) && midnight(String(text.prefix(10))) == nil
                ? "there is no such day"
                : "a TIMESTAMP is a day, or a time with Z or an offset: 2026-11-02, 2026-11-02T08:30:00Z or "
                    + "2026-11-02T09:30:00+01:00"
        case .bytes: return "BYTES are Base64, such as AAEC/w=="
        default: return "expected a \(type.tag)"
        }
    }

    private static func double(_ text: String) -> Double? {
        guard text.utf8.allSatisfy("+-.0123456789eE".utf8.contains), let number = Double(text), number.isFinite else {
            return nil
        }
        return number
    }

    // MARK: Times

    /// A day, which is midnight in UTC, a time with `Z` or an offset, since without one another machine would read another
    /// time, or the number that exports write instead of one.
    private static func time(_ text: String) -> Int64? {
        if let number = Int64(text) { return DateText.text(number) == text ? number : nil }
        return ISO8601.milliseconds(text) ?? midnight(text)
    }

    /// Of `2026-11-02`; nil for any other text.
    private static func midnight(_ day: String) -> Int64? { ISO8601.milliseconds("\(day)T00:00:00Z") }

    /// Whether a text begins like a day of a month, whether the month has that day or not.
    private static func beginsWithDay(_ text: String) -> Bool {
        midnight("\(text.prefix(8))01") != nil
            && Digits.number(text.dropFirst(8).prefix(2).utf8, max: 31) ?? 0 > 0
    }
}
