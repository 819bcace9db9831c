public import NephosStorage

/// Finds the words of texts, for indexes and for searches.
///
/// Case and diacritics are ignored. A word is a run of letters and digits; each ideograph or kana is a word. Words are cut after
/// ``wordBytes``, and stop words are left out. Stored entries depend on all of this: a change here requires a new version of
/// ``IndexShape/bytes``.
public enum Tokeniser {
    /// The maximum size of a word in bytes of UTF-8.
    public static let wordBytes = 64

    /// The distinct words of a text, in the order of their first occurrence.
    public static func tokens(in text: Bytes) -> [Bytes] {
        var seen: Set<Bytes> = []
        var tokens: [Bytes] = []
        forEachToken(in: text) { word in
            let token = Array(word)[...]
            if seen.insert(token).inserted { tokens.append(token) }
            return true
        }
        return tokens
    }

    /// Calls `body` with each occurrence of each word, until it returns false.
    static func forEachToken(in text: Bytes, _ body: (UnsafeBufferPointer<UInt8>) -> Bool) {
        text.withUnsafeBufferPointer { text in
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: wordBytes) { buffer in
                var word = WordBuffer(buffer)
                var index = 0
                while index < text.count {
                    let byte = text[index]
                    if byte < 0x80 {
                        index += 1
                        let small = smallASCII[Int(byte)]
                        guard small != 0 && !word.isAlone || word.flush(body) else { return }
                        if small != 0 { word.append(small) }
                    } else {
                        let (scalar, next) = decode(text, index)
                        index = next
                        if !word.take(ScalarFolding.fold(scalar), body) { return }
                    }
                }
                _ = word.flush(body)
            }
        }
    }

    /// Letters and digits in lower case, 0 for all others.
    private static let smallASCII: [UInt8] = (0..<128).map { (byte: UInt8) in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte + 32
        default: 0
        }
    }

    /// The scalar at `index` and the index of the next one. Stored text is well-formed; other bytes become U+FFFD.
    private static func decode(_ text: UnsafeBufferPointer<UInt8>, _ index: Int) -> (Unicode.Scalar, Int) {
        let first = text[index]
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        guard first >= 0xC0, index + length <= text.count else { return ("\u{FFFD}", index + 1) }
        var value = UInt32(first) & (0x7F >> UInt32(length))
        for next in (index + 1)..<(index + length) { value = value << 6 | UInt32(text[next] & 0x3F) }
        return (Unicode.Scalar(value) ?? "\u{FFFD}", index + length)
    }
}

/// The word that is being read.
private struct WordBuffer {
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    private var count = 0
    private var isFull = false
    /// An ideograph or kana: only a mark may follow.
    private(set) var isAlone = false

    init(_ bytes: UnsafeMutableBufferPointer<UInt8>) { self.bytes = bytes }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        guard count < bytes.count, !isFull else { return isFull = true }
        bytes.initializeElement(at: count, to: byte)
        count += 1
    }

    mutating func take(_ scalar: FoldedScalar, _ body: (UnsafeBufferPointer<UInt8>) -> Bool) -> Bool {
        switch scalar.kind {
        case .separator: return flush(body)
        case .nothing: return true
        case .letter: if isAlone, !flush(body) { return false }
        case .mark: break
        case .ownWord:
            if !flush(body) { return false }
            isAlone = true
        }
        // A letter is added completely or not at all, so that words stay valid UTF-8.
        if count + scalar.bytes.count > bytes.count { isFull = true }
        if !isFull { for byte in scalar.bytes { append(byte) } }
        return true
    }

    /// Ends the word.
    @inline(__always)
    mutating func flush(_ body: (UnsafeBufferPointer<UInt8>) -> Bool) -> Bool {
        guard count > 0 else { return true }
        let word = UnsafeBufferPointer(rebasing: bytes[..<count])
        count = 0
        isFull = false
        isAlone = false
        return StopWords.contain(word) || body(word)
    }
}

extension FieldValue {
    /// Calls `body` with each word of a text or of a list of texts, until it returns false.
    func forEachToken(_ body: (UnsafeBufferPointer<UInt8>) -> Bool) {
        switch self {
        case .one(.bytes(let text)): Tokeniser.forEachToken(in: text, body)
        case .list(let texts):
            var goesOn = true
            for case .bytes(let text) in texts where goesOn {
                Tokeniser.forEachToken(in: text) { word in
                    goesOn = body(word)
                    return goesOn
                }
            }
        case .one, .place, .missing: break
        }
    }
}
