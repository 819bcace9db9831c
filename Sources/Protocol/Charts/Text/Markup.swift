/// SVG or HTML as text. Names must be literals, and everything else is escaped here, so no escape can be forgotten.
struct Markup {
    private(set) var text = ""

    typealias Attributes = KeyValuePairs<StaticString, String>

    mutating func element(_ name: StaticString, _ attributes: Attributes = [:]) {
        begin(name, attributes)
        text += "/>"
    }

    mutating func element(_ name: StaticString, _ content: String) { element(name, [:], content) }

    mutating func element(_ name: StaticString, _ attributes: Attributes, _ content: String) {
        element(name, attributes) { $0.text += content.cleaned.escaped }
    }

    mutating func element(_ name: StaticString, _ attributes: Attributes = [:], _ content: (inout Markup) -> Void) {
        begin(name, attributes)
        text += ">"
        content(&self)
        text += "</\(name)>"
    }

    /// Our own rules, which need no escapes.
    mutating func style(_ rules: String) { text += "<style>\(rules)</style>" }

    /// The output of another `Markup`.
    mutating func append(_ markup: String) { text += markup }

    mutating func line() { text += "\n" }

    private mutating func begin(_ name: StaticString, _ attributes: Attributes) {
        text += "<\(name)"
        for (key, value) in attributes { text += " \(key)=\"\(value.cleaned.escaped)\"" }
    }
}

extension String {
    /// Escaped as text of XML and HTML, or as the value of an attribute.
    var escaped: String {
        unicodeScalars.reduce(into: "") { escaped, scalar in
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
    }

    /// Without characters that cannot be displayed: control characters, which XML forbids, and characters that change the text
    /// direction around them.
    var cleaned: String {
        guard !utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return self }
        return unicodeScalars.reduce(into: "") { cleaned, scalar in
            switch scalar {
            case "\t", "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": cleaned += " "
            // They join letters and emoji.
            case "\u{200C}", "\u{200D}": cleaned.unicodeScalars.append(scalar)
            default:
                switch scalar.properties.generalCategory {
                case .control, .format, .surrogate, .privateUse, .unassigned: break
                default: cleaned.unicodeScalars.append(scalar)
                }
            }
        }
    }

    /// Text that is valid in an ID; different texts give different IDs.
    var identifier: String {
        utf8.reduce(into: "") { id, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                id.unicodeScalars.append(Unicode.Scalar(byte))
            default: id += "_" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
    }
}

extension Double {
    /// As a coordinate, in hundredths of a pixel.
    var px: String { NumberText.fixed(self, places: 2) }
}
