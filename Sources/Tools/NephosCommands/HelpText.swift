/// Help as people read it: the same in every terminal, so that nothing breaks where it was not broken by hand.
enum HelpText {
    /// As wide as a line may be.
    static let columns = 80

    /// The parser breaks all lines but those that show how a command is called, and those that explain a wrong word.
    static func folded(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard line.count > columns, let label = ["USAGE: ", "Usage: ", "Help:  "].first(where: line.hasPrefix)
            else { return String(line) }
            return folded(label, units(of: line.dropFirst(label.count)))
        }.joined(separator: "\n")
    }

    private static func folded(_ label: String, _ units: [String]) -> String {
        let margin = String(repeating: " ", count: label.count + 2)
        var (lines, line): ([String], String) = ([], label)
        for unit in units {
            let isFirst = line == label || line == margin
            if !isFirst, line.count + 1 + unit.count > columns {
                lines.append(line)
                line = margin + unit
            } else {
                line += (isFirst ? "" : " ") + unit
            }
        }
        return (lines + [line]).joined(separator: "\n")
    }

    /// Words that stay together: what is in brackets, an option and its value, and the dots after what may be said several times.
    private static func units(of usage: Substring) -> [String] {
        var units: [String] = []
        var depth = 0
        for word in usage.split(separator: " ").map(String.init) {
            let last = units.last ?? ""
            let belongs =
                depth > 0 || word == "..."
                || word.hasPrefix("<") && last.hasPrefix("-") && !last.contains(" ")
            if belongs, !units.isEmpty { units[units.count - 1] += " \(word)" } else { units.append(word) }
            depth += word.count { $0 == "[" } - word.count { $0 == "]" }
        }
        return units
    }
}
