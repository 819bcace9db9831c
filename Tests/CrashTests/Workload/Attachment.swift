import NephosTesting

/// The file of some records. Its contents are derived from the record's number, so that a lost, truncated or mixed-up file is
/// detected when it is read.
struct Attachment {
    /// In bytes: often a few hundred, sometimes none, some pages, or so many that they are sent in several pieces.
    let size: Int
    private let seed: UInt64

    /// Nil for a number whose record has no file.
    init?(of value: Int64) {
        guard value.isMultiple(of: 13) else { return nil }
        // Half of them have the same content as the files that all writers, and therefore both users, save at about the same time.
        let isShared = (value / 100).isMultiple(of: 2)
        seed = UInt64(bitPattern: isShared ? value / 1_000 : value)
        var chance = SeededGenerator(seed: seed)
        size =
            switch Int.random(in: 0..<32, using: &chance) {
            case 0: 0
            case 1: 300_000
            case 2, 3: Int.random(in: 4_000...20_000, using: &chance)
            default: Int.random(in: 1...800, using: &chance)
            }
    }

    /// Nothing in it repeats, so that swapped pages are detected.
    var content: [UInt8] {
        var chance = SeededGenerator(seed: ~seed)
        return (0..<(size + 7) / 8).map { _ in chance.next() }.withUnsafeBytes { Array($0.prefix(size)) }
    }
}
