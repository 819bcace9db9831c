import CloudKitWire

/// The value of a YAML scalar, by the core schema of YAML 1.2, with numbers in JSON notation.
enum PlainScalar: Equatable {
    case null
    case bool(Bool)
    /// As written.
    case number(String)
    case string(String)

    init(_ text: String, isQuoted: Bool) {
        switch text {
        case _ where isQuoted: self = .string(text)
        case "", "~", "null", "Null", "NULL": self = .null
        case "true", "True", "TRUE": self = .bool(true)
        case "false", "False", "FALSE": self = .bool(false)
        default: self = Self.isNumber(text) ? .number(text) : .string(text)
        }
    }

    /// Whether another YAML parser might read a string as something else, so that it is better quoted.
    static func isDoubtful(_ text: String) -> Bool {
        if case .string = PlainScalar(text, isQuoted: false) {
            let first = text.unicodeScalars.first
            return ["y", "n", "yes", "no", "on", "off"].contains(text.lowercased())
                || first.map { ("0"..."9").contains($0) || "+-.=".unicodeScalars.contains($0) } ?? true
        }
        return true
    }

    private static func isNumber(_ text: String) -> Bool {
        guard let first = text.utf8.first, first == UInt8(ascii: "-") || first &- UInt8(ascii: "0") < 10 else {
            return false
        }
        do throws(WireError) {
            var json = try JSONReader(Array(text.utf8)[...])
            _ = try json.readDouble()
            try json.finish()
            return true
        } catch {
            return false
        }
    }
}
