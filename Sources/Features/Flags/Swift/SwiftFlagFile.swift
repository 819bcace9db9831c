/// A Swift file with all flags as the kit for apps declares them. What the file looks like is said here alone.
struct SwiftFlagFile {
    /// One flag.
    struct Entry {
        let id: String
        /// As Swift calls it, with what quotes it needs.
        let member: String
        /// The type of its value.
        let type: String
        /// Its value before anything was downloaded, as Swift writes it.
        let value: String
        let name: String
        /// The day on which it expired; nil for one that is needed.
        let expired: String?
    }

    /// Where the flags come from.
    let origin: String
    /// By their ids.
    let entries: [Entry]
    /// Ids of flags that Swift has no value for.
    let leftOut: [String]

    static let module = "FeatureSwitches"
    static let type = "FeatureFlag"

    var text: String {
        var lines = [
            "// Made by nephos flag generate of \(origin). Make it anew instead of changing it.", "",
            "import \(Self.module)",
        ]
        for id in leftOut { lines.append("// \(Self.literal(id)): its value is JSON, which no type here stands for.") }
        for type in ["Bool", "String", "Double"] {
            let own = entries.filter { $0.type == type }
            guard !own.isEmpty else { continue }
            lines += ["", "extension \(Self.type) where Value == \(type) {"]
            for entry in own {
                if let day = entry.expired {
                    lines.append("    @available(*, deprecated, message: \"It expired on \(day).\")")
                }
                lines.append(
                    "    static let \(entry.member) = \(Self.type)(id: \(Self.literal(entry.id)), default: \(entry.value), "
                        + "name: \(Self.literal(entry.name)))")
            }
            lines.append("}")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A text as Swift writes it.
    static func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": literal += "\\\(scalar)"
            case "\n": literal += "\\n"
            case "\t": literal += "\\t"
            case _ where scalar.properties.generalCategory == .control:
                literal += "\\u{\(String(scalar.value, radix: 16))}"
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }
}
