/// Swift names for IDs of flags.
enum SwiftName {
    /// A valid member name: `tip-jar` becomes `tipJar`, `2nd` becomes `_2nd`, `default` gets backticks.
    static func member(for id: String) -> String {
        var name = ""
        for (place, word) in words(of: id).enumerated() { name += place == 0 ? word : capitalized(word) }
        if name.isEmpty { name = "flag" }
        if name.first?.isNumber == true { name = "_\(name)" }
        if name == "_" || reserved.contains(name) { name += "Flag" }
        return keywords.contains(name) ? "`\(name)`" : name
    }

    /// A display name for a flag without one: `tipJar` becomes `Tip Jar`.
    static func display(_ id: String) -> String {
        var parts: [String] = []
        for word in words(of: id) {
            for character in word.split(separator: "_").joined(separator: " ") {
                if character == " " || parts.isEmpty || (character.isUppercase && parts.last?.last?.isLowercase == true)
                {
                    parts.append("")
                }
                if character != " " { parts[parts.count - 1].append(character) }
            }
            parts.append("")
        }
        return parts.filter { !$0.isEmpty }.map(capitalized).joined(separator: " ")
    }

    private static func words(of id: String) -> [String] {
        id.split { !($0 == "_" || $0.isLetter || ($0.isNumber && $0.isASCII)) }.map(String.init)
    }

    private static func capitalized(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }

    /// Names that are not valid for members, even with backticks.
    private static let reserved: Set = ["Type", "Protocol", "self", "init"]

    private static let keywords: Set = [
        "Any", "Self", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer",
        "deinit",
        "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if",
        "import",
        "in", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public",
        "repeat", "rethrows", "return", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true",
        "try", "typealias", "var", "where", "while",
    ]
}
