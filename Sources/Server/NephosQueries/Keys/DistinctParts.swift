import CloudKitWire
import NephosStorage

/// Distinct parts of keys: the members of a list, the words of a text.
struct DistinctParts {
    /// The maximum number of parts that a record has in one index. A record with more gets the entry ``KeyPart/overflow``
    /// instead, and is compared in every search: so one save never writes more rows than this, and no search misses the record.
    static let countMax = 5_000

    private(set) var bytes: [UInt8] = []
    private(set) var ranges: [Range<Int>] = []
    /// Indices of ranges by hash, -1 if empty; the size is a power of two, and half of it stays empty.
    private var table = [Int32](repeating: -1, count: 64)

    var isOverflowing: Bool { ranges.count > Self.countMax }

    mutating func insert(_ value: QueryValue) {
        guard !isOverflowing else { return }
        let start = bytes.count
        bytes.appendPart(value, limit: KeyPart.fixedLimit)
        keep(start..<bytes.count)
    }

    /// A word: shorter than any limit, and without zero bytes.
    mutating func insert(word: UnsafeBufferPointer<UInt8>) {
        guard !isOverflowing else { return }
        let start = bytes.count
        bytes.append(KeyPart.present)
        bytes.append(contentsOf: word)
        bytes.append(0x00)
        bytes.append(KeyPart.endMark)
        keep(start..<bytes.count)
    }

    /// The parts in byte order.
    mutating func sorted() -> [Range<Int>] {
        if isOverflowing { return [] }
        bytes.withUnsafeBytes { bytes in
            ranges.sort { compareBytes(.init(rebasing: bytes[$0]), .init(rebasing: bytes[$1])) < 0 }
        }
        return ranges
    }

    /// Keeps the part at the end of `bytes`, or removes it if it is a duplicate.
    private mutating func keep(_ range: Range<Int>) {
        var slot = slot(of: range)
        guard table[slot] < 0 else { return bytes.removeLast(range.count) }
        ranges.append(range)
        if ranges.count * 2 > table.count {
            table = [Int32](repeating: -1, count: table.count * 4)
            for index in ranges.indices.dropLast() { table[self.slot(of: ranges[index])] = Int32(index) }
            slot = self.slot(of: range)
        }
        table[slot] = Int32(ranges.count - 1)
    }

    /// The slot of a part, present or not.
    private func slot(of range: Range<Int>) -> Int {
        bytes.withUnsafeBytes { bytes in
            let part = UnsafeRawBufferPointer(rebasing: bytes[range])
            var slot = Int(truncatingIfNeeded: xxHash64(part)) & (table.count - 1)
            while table[slot] >= 0 {
                let other = ranges[Int(table[slot])]
                if other.count == part.count, compareBytes(.init(rebasing: bytes[other]), part) == 0 { return slot }
                slot = (slot + 1) & (table.count - 1)
            }
            return slot
        }
    }
}
