/// Iterates over canonical fields, entry by entry, without parsing values. It ends early at bytes that are not canonical.
struct FieldsCursor {
    /// Ranges of the buffer.
    struct Entry {
        /// `"name":{…}`
        var whole: Range<Int>
        /// The name without its quotes; names need no escapes.
        var name: Range<Int>
        /// `{"type":…,"value":…}`
        var dictionary: Range<Int>
    }

    /// The contents of an entry's dictionary.
    struct Parts {
        var type: FieldType
        var isEncrypted: Bool
        var value: Range<Int>
    }

    private let scanner: JSONScanner
    /// Points at the `"` before a name while there are entries.
    private var position = 1

    init(_ bytes: UnsafeBufferPointer<UInt8>) { scanner = JSONScanner(bytes: bytes, limits: JSONLimits()) }

    private var bytes: UnsafeBufferPointer<UInt8> { scanner.bytes }

    @inline(__always)
    mutating func next() -> Entry? {
        let start = position
        guard scanner.byte(start) == UInt8(ascii: "\"") else { return nil }
        var nameEnd = start + 1
        while nameEnd < bytes.count, bytes[nameEnd] != UInt8(ascii: "\"") { nameEnd += 1 }
        let dictionary = nameEnd + 2
        guard scanner.byte(dictionary) == UInt8(ascii: "{"), let end = endOfContainer(dictionary) else { return nil }
        position = end + 1
        return Entry(whole: start..<end, name: (start + 1)..<nameEnd, dictionary: dictionary..<end)
    }

    /// Index after the container at `start`.
    @inline(__always)
    private func endOfContainer(_ start: Int) -> Int? {
        var depth = 0
        var index = start
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                guard let end = endOfString(index + 1) else { return nil }
                index = end
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return index + 1 }
            default: break
            }
            index += 1
        }
        return nil
    }

    /// Index of the quote that closes a string.
    @inline(__always)
    private func endOfString(_ start: Int) -> Int? {
        var index = start
        while true {
            index = scanner.endOfPlainText(index)
            guard index < bytes.count else { return nil }
            if bytes[index] == UInt8(ascii: "\"") { return index }
            index += 2
        }
    }

    /// Splits an entry's dictionary into its parts; nil if it is not canonical.
    func parts(of entry: Entry) -> Parts? {
        var index = entry.dictionary.lowerBound
        let isEncrypted = scanner.skip("{\"isEncrypted\":true,", &index)
        guard isEncrypted ? scanner.skip("\"type\":\"", &index) : scanner.skip("{\"type\":\"", &index) else {
            return nil
        }
        let tagStart = index
        while index < entry.dictionary.upperBound, bytes[index] != UInt8(ascii: "\"") { index += 1 }
        guard let type = FieldType(tag: UnsafeBufferPointer(rebasing: bytes[tagStart..<index])),
            scanner.skip("\",\"value\":", &index), index < entry.dictionary.upperBound
        else { return nil }
        return Parts(type: type, isEncrypted: isEncrypted, value: index..<(entry.dictionary.upperBound - 1))
    }
}
