import CloudKitWire
import NephosStorage

/// Distinct parts of keys: the members of a list, the words of a text.
///
/// They are sorted, and equal neighbors removed. Clients choose these values, so nothing here depends on how they are hashed: the
/// number of comparisons is bounded whatever they are.
struct DistinctParts {
    /// The maximum number of parts that a record has in one index. A record with more gets the entry ``KeyPart/overflow``
    /// instead, and is compared in every search: so one save never writes more rows than this, and no search misses the record.
    static let countMax = 5_000

    /// A part by its place in ``bytes``. Its first eight bytes decide most comparisons.
    private struct Part {
        let beginning: UInt64
        let start: UInt32
        let count: UInt32

        init(_ range: Range<Int>, of bytes: [UInt8]) {
            var beginning: UInt64 = 0
            for index in range.prefix(8) { beginning = beginning << 8 | UInt64(bytes[index]) }
            self.beginning = beginning << UInt64(8 * (8 - min(8, range.count)))
            (start, count) = (UInt32(range.lowerBound), UInt32(range.count))
        }

        var range: Range<Int> { Int(start)..<Int(start) + Int(count) }

        /// In byte order. Shorter ones are filled up with zeros, which decides nothing: no part is a prefix of another.
        @inline(__always)
        func order(_ other: Part, in bytes: UnsafeRawBufferPointer) -> Int {
            if beginning != other.beginning { return beginning < other.beginning ? -1 : 1 }
            return compareBytes(.init(rebasing: bytes[range]), .init(rebasing: bytes[other.range]))
        }
    }

    private var bytes: [UInt8] = []
    private var parts: [Part] = []
    /// The parts that were inserted, and the comparisons between them.
    private(set) var steps = 0
    private(set) var isOverflowing = false

    mutating func insert(_ value: QueryValue) {
        steps += 1
        guard !isOverflowing else { return }
        let start = bytes.count
        bytes.appendPart(value, limit: KeyPart.fixedLimit)
        add(from: start)
    }

    /// A word: shorter than any limit, and without zero bytes.
    mutating func insert(word: UnsafeBufferPointer<UInt8>) {
        steps += 1
        guard !isOverflowing else { return }
        let start = bytes.count
        bytes.append(KeyPart.present)
        bytes.append(contentsOf: word)
        bytes.append(0x00)
        bytes.append(KeyPart.endMark)
        add(from: start)
    }

    private mutating func add(from start: Int) {
        parts.append(Part(start..<bytes.count, of: bytes))
        // Each sorting is paid for by as many new parts as can be kept.
        if parts.count == 2 * Self.countMax { finish() }
    }

    /// Sorts the parts, and removes duplicates. Must be called after the last part was inserted.
    mutating func finish() {
        var comparisons = 0
        bytes.withUnsafeBytes { bytes in
            parts.sort {
                comparisons += 1
                return $0.order($1, in: bytes) < 0
            }
            var kept = 0
            for place in parts.indices where kept == 0 || parts[place].order(parts[kept - 1], in: bytes) != 0 {
                parts[kept] = parts[place]
                kept += 1
            }
            comparisons += parts.count
            parts.removeLast(parts.count - kept)
        }
        steps += comparisons
        isOverflowing = parts.count > Self.countMax
    }

    /// Calls `body` with each part, in byte order.
    func map<Result>(_ body: (ArraySlice<UInt8>) -> Result) -> [Result] { parts.map { body(bytes[$0.range]) } }
}
