/// A Swift file with all flags, declared for the app kit. Only this type defines the file's format.
struct SwiftFlagFile {
    /// One flag.
    struct Entry {
        let id: String
        /// The Swift name, with backticks if needed.
        let member: String
        /// The type of its value.
        let type: String
        /// The default value as a Swift literal.
        let value: String
        let name: String
        /// The day on which it expired; nil if it has not.
        let expired: String?
    }

    /// The environment of the flags.
    let origin: String
    /// Ordered by ID.
    let entries: [Entry]
    /// IDs of flags without a Swift type for their value.
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
        // The kit has a separate generic type for other values, so they are in an enum of their own.
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

    /// A text as a Swift literal.
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
