/// The difference between two texts, line by line.
struct LineDifference {
    /// In order, each with the prefix `-` if it is only in the first, or `+` if it is only in the second.
    let lines: [String]

    init(from old: String, to new: String) {
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
        var ordered: [String] = []
        var (first, second) = (0, 0)
        while first < old.count || second < new.count {
            if removed.contains(first) {
                ordered.append("- \(old[first])")
                first += 1
            } else if inserted.contains(second) {
                ordered.append("+ \(new[second])")
                second += 1
            } else {
                (first, second) = (first + 1, second + 1)
            }
        }
        self.lines = ordered
    }

    private static func lines(_ text: String) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
    }
}
