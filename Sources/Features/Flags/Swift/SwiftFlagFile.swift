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

    var text: String {
        var lines = [
            "// Made by nephos flag generate of \(origin). Make it anew instead of changing it.", "",
            "import \(Self.module)",
        ]
        for id in leftOut { lines.append("// \(Self.literal(id)): its value is JSON, which no type here stands for.") }
        let switches = entries.filter { $0.type == "Bool" }
        lines += Self.declarations("extension FeatureFlag", "FeatureFlag", switches)
        // The kit's type for other values has one for each type of value, so they stand by themselves.
        lines += Self.declarations("enum FeatureValues", "FeatureValue", entries.filter { $0.type != "Bool" })
        return lines.joined(separator: "\n") + "\n"
    }

    private static func declarations(_ head: String, _ type: String, _ entries: [Entry]) -> [String] {
        guard !entries.isEmpty else { return [] }
        var lines = ["", "\(head) {"]
        for entry in entries {
            if let day = entry.expired {
                lines.append("    @available(*, deprecated, message: \"It expired on \(day).\")")
            }
            lines.append(
                "    static let \(entry.member) = \(type)(id: \(literal(entry.id)), default: \(entry.value), "
                    + "name: \(literal(entry.name)))")
        }
        return lines + ["}"]
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
