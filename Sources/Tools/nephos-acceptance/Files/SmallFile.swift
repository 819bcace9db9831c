import NephosTesting

/// The content of a small file, derived from a number. Some files are equal, and some empty.
enum SmallFile {
    private static let pool: [UInt8] = {
        var dice = SeededGenerator(seed: 1)
        return (0..<40_000).map { _ in UInt8.random(in: .min ... .max, using: &dice) }
    }()

    static func content(_ number: Int) -> [UInt8] {
        let key = key(of: number)
        var dice = SeededGenerator(seed: UInt64(key))
        let size = key.isMultiple(of: 97) ? 0 : Int.random(in: 8...20_000, using: &dice)
        let start = Int.random(in: 0..<20_000, using: &dice)
        return (0..<min(size, 8)).map { UInt8(truncatingIfNeeded: key >> (8 * $0)) }
            + pool[start..<start + max(size - 8, 0)]
    }

    /// The same for numbers of equal files. Every fifth file equals three others, of the same user and of another.
    private static func key(of number: Int) -> Int { number.isMultiple(of: 5) ? number / 20 * 20 : number }
}
