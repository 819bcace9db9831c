/// Where Swift sources create flags of the kit: `FeatureFlag(id: "tipJar"`, `FeatureValue(id: "theme"`,
/// `FeatureSwitch(identifier: "old"`, and `FeatureFlag = .init(id: "short"`.
struct SwiftScan {
    struct Place: Equatable {
        let id: String
        /// From 1.
        let line: Int
    }

    private(set) var places: [Place] = []

    init(_ source: String) {
        let code = Self.withoutComments(source)
        let pattern =
            /\bFeature(?:Flag|Value|Switch)\s*(?:<[^<>()]*>)?\s*(?:=\s*)?(?:\.\s*init\s*)?\(\s*(?:id|identifier)\s*:\s*"((?:[^"\\\n]|\\.)*)"/
        var (line, counted) = (1, code.startIndex)
        for match in code.matches(of: pattern) {
            line += code[counted..<match.range.lowerBound].count { $0.isNewline }
            counted = match.range.lowerBound
            if let id = Self.text(of: match.output.1) { places.append(Place(id: id, line: line)) }
        }
    }

    /// The text of a literal; nil if it is only known at run time.
    private static func text(of literal: Substring) -> String? {
        guard literal.contains("\\") else { return String(literal) }
        var text = ""
        var rest = literal
        while let character = rest.popFirst() {
            guard character == "\\" else {
                text.append(character)
                continue
            }
            switch rest.popFirst() {
            case "n": text.append("\n")
            case "t": text.append("\t")
            case "\"": text.append("\"")
            case "\\": text.append("\\")
            case "u":
                guard let end = rest.firstIndex(of: "}"), let code = UInt32(rest[..<end].dropFirst(), radix: 16),
                    let scalar = Unicode.Scalar(code)
                else { return nil }
                text.unicodeScalars.append(scalar)
                rest = rest[rest.index(after: end)...]
            default: return nil
            }
        }
        return text
    }

    /// The same lines without the contents of comments. Slashes in a string do not begin one.
    private static func withoutComments(_ source: String) -> String {
        var code = ""
        var rest = source[...]
        var isInString = false
        while let character = rest.first {
            if isInString {
                if character == "\\" {
                    code.append(rest.removeFirst())
                } else if character == "\"" || character.isNewline {
                    isInString = false
                }
                if let next = rest.popFirst() { code.append(next) }
            } else if rest.hasPrefix("//") {
                rest = rest.drop { !$0.isNewline }
            } else if rest.hasPrefix("/*") {
                code.append(contentsOf: skipComment(&rest).filter(\.isNewline))
            } else {
                isInString = character == "\""
                code.append(rest.removeFirst())
            }
        }
        return code
    }

    /// Comments may be nested.
    private static func skipComment(_ rest: inout Substring) -> Substring {
        let all = rest
        var depth = 0
        repeat {
            if rest.hasPrefix("/*") {
                (depth, rest) = (depth + 1, rest.dropFirst(2))
            } else if rest.hasPrefix("*/") {
                (depth, rest) = (depth - 1, rest.dropFirst(2))
            } else {
                rest = rest.dropFirst()
            }
        } while depth > 0 && !rest.isEmpty
        return all[..<rest.startIndex]
    }
}
