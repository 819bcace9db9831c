/// Words that searches ignore, because they are in nearly every English text.
enum StopWords {
    /// By length, up to the longest; each word as the number formed by its bytes.
    private static let byLength: [[UInt64]] = {
        let words = """
            a an and are as at be but by for if in into is it no not of on or such that the their then there these they \
            this to was will with
            """
        var table = [[UInt64]](repeating: [], count: 6)
        for word in words.split(separator: " ") { table[word.utf8.count].append(number(word.utf8)) }
        return table
    }()

    static func contain(_ word: UnsafeBufferPointer<UInt8>) -> Bool {
        word.count < byLength.count && byLength[word.count].contains(number(word))
    }

    private static func number(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
