/// Which of several words was probably meant by a mistyped one.
package enum Spelling {
    /// - Returns: The word that differs the least, or one that begins like the mistyped one; nil if none is close.
    package static func nearest(to word: String, in names: some Sequence<String>) -> String? {
        let distances = names.map { (name: $0, distance: distance(Array(word), Array($0))) }
        guard let best = distances.min(by: { $0.distance < $1.distance }), best.distance <= tolerance(word) else {
            return distances.first { $0.name.hasPrefix(word) }?.name
        }
        return best.name
    }

    /// Whether a word may be a mistyped form of another.
    package static func isNear(_ word: some StringProtocol, _ other: some StringProtocol) -> Bool {
        distance(Array(word), Array(other)) <= tolerance(word)
    }

    /// How many characters of a word may be wrong.
    private static func tolerance(_ word: some StringProtocol) -> Int { max(1, word.count / 3) }

    /// The number of characters to insert, remove or replace that makes one word of the other.
    private static func distance(_ one: [Character], _ other: [Character]) -> Int {
        var row = Array(0...other.count)
        for (place, character) in one.enumerated() {
            var diagonal = row[0]
            row[0] = place + 1
            for column in other.indices {
                let replaced = diagonal + (character == other[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, row[column + 1] + 1)
            }
        }
        return row[other.count]
    }
}
