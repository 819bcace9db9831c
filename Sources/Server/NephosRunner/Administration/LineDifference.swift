/// The difference between two texts whose lines are nested by indentation, line by line.
package struct LineDifference {
    /// In order, each with the prefix `-` if it is only in the first, `+` if it is only in the second, and a space if it encloses one
    /// that differs.
    package private(set) var lines: [String] = []

    package init(from old: String, to new: String) {
        let (old, new) = (Self.lines(old), Self.lines(new))
        // Line numbers within each text.
        var removed: Set<Int> = []
        var inserted: Set<Int> = []
        for change in new.difference(from: old) {
            switch change {
            case .remove(let place, _, _): removed.insert(place)
            case .insert(let place, _, _): inserted.insert(place)
            }
        }
        var enclosing: [Substring] = []
        var (first, second) = (0, 0)
        while first < old.count || second < new.count {
            if removed.contains(first) {
                add("-", old[first], &enclosing)
                first += 1
            } else if inserted.contains(second) {
                add("+", new[second], &enclosing)
                second += 1
            } else {
                enclosing.removeAll { Self.indent($0) >= Self.indent(old[first]) }
                enclosing.append(old[first])
                (first, second) = (first + 1, second + 1)
            }
        }
    }

    /// - Parameter enclosing: Lines that were not added yet.
    private mutating func add(_ sign: String, _ line: Substring, _ enclosing: inout [Substring]) {
        lines += enclosing.filter { Self.indent($0) < Self.indent(line) }.map { "  \($0)" } + ["\(sign) \(line)"]
        enclosing = []
    }

    private static func indent(_ line: Substring) -> Int { line.prefix { $0 == " " }.count }

    private static func lines(_ text: String) -> [Substring] { text.split(separator: "\n") }
}
