/// Which of several words was probably meant by a mistyped one.
package enum Spelling {
    /// - Returns: The word that differs the least, or one that begins like the mistyped one; nil if none is close.
    package static func nearest(to word: String, in names: some Sequence<String>) -> String? {
        guard !word.isEmpty else { return nil }
        let distances = names.map { (name: $0, distance: distance(Array(word), Array($0))) }
        guard let best = distances.min(by: { $0.distance < $1.distance }), best.distance <= tolerance(word) else {
            return distances.first { $0.name.hasPrefix(word) }?.name
        }
        return best.name
    }

    /// How many mistakes a word may contain.
    private static func tolerance(_ word: String) -> Int { max(1, word.count / 3) }

    /// The number of mistakes by which one word becomes the other: characters that are missing, added or wrong, and neighbors that are
    /// swapped.
    private static func distance(_ one: [Character], _ other: [Character]) -> Int {
        var (before, row) = ([Int](), Array(0...other.count))
        for (place, character) in one.enumerated() {
            var next = [place + 1]
            for column in other.indices {
                let replaced = row[column] + (character == other[column] ? 0 : 1)
                var least = min(replaced, row[column + 1] + 1, next[column] + 1)
                if place > 0, column > 0, character == other[column - 1], one[place - 1] == other[column] {
                    least = min(least, before[column - 1] + 1)
                }
                next.append(least)
            }
            (before, row) = (row, next)
        }
        return row[other.count]
    }
}
