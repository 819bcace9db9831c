import CloudKitWire
import NephosStorage

/// Counts of lists and values in the public database since the last fold, as stored in the annex of its head.
///
/// One byte for the version, then entries: the number of bytes after the first 37 (1), the type (4), the part (8), the quarter
/// since 1970 (4), created, deleted, restored (4 each) and moved (8), all little-endian, then the value. Entries are changed in
/// place.
struct PartAnnex {
    static let name = "\(Trends.name).parts"
    static let version: UInt8 = 2
    private static let fixedBytes = 37

    struct Entry: Equatable {
        var type: TypeNumber
        var part: UInt64
        var value: [UInt8]
        var quarter: Int64
        var counts: TrendCounts
    }

    private(set) var bytes: [UInt8]

    /// - Parameter bytes: As stored; empty if nothing has been counted yet.
    init(_ bytes: [UInt8]) { self.bytes = bytes.isEmpty ? [Self.version] : bytes }

    var isEmpty: Bool { bytes.count <= 1 }

    /// - Returns: false, with nothing changed, if there is no room.
    mutating func add(_ entry: Entry) -> Bool {
        var place = find(entry)
        var counts = entry.counts
        if let found = place { counts += self.counts(at: found) }
        guard let created = UInt32(exactly: counts.created), let deleted = UInt32(exactly: counts.deleted),
            let restored = UInt32(exactly: counts.restored)
        else { return false }
        if place == nil {
            let count = Self.fixedBytes + entry.value.count
            guard bytes.count + count <= HeadAnnex.bytesMax else { return false }
            place = bytes.count
            bytes.append(UInt8(entry.value.count))
            append(UInt32(bitPattern: entry.type))
            append(entry.part)
            append(UInt32(truncatingIfNeeded: entry.quarter))
            bytes += Array(repeating: 0, count: 20)
            bytes += entry.value
        }
        let start = (place ?? 0) + 17
        put(created, at: start)
        put(deleted, at: start + 4)
        put(restored, at: start + 8)
        put(UInt64(bitPattern: counts.moved), at: start + 12)
        return true
    }

    /// In the order in which they were first added.
    var entries: [Entry] {
        var entries: [Entry] = []
        var at = 1
        while let count = count(at: at) {
            entries.append(entry(at: at))
            at += count
        }
        return entries
    }

    private func find(_ entry: Entry) -> Int? {
        var at = 1
        while let count = count(at: at) {
            if Int(bytes[at]) == entry.value.count, number(UInt64.self, at: at + 5) == entry.part,
                number(UInt32.self, at: at + 13) == UInt32(truncatingIfNeeded: entry.quarter),
                number(UInt32.self, at: at + 1) == UInt32(bitPattern: entry.type),
                bytes[at + Self.fixedBytes..<at + count].elementsEqual(entry.value)
            {
                return at
            }
            at += count
        }
        return nil
    }

    /// The size of the entry at a position, in bytes; nil at the end.
    private func count(at place: Int) -> Int? {
        guard place < bytes.count else { return nil }
        let count = Self.fixedBytes + Int(bytes[place])
        return place + count <= bytes.count ? count : nil
    }

    private func entry(at place: Int) -> Entry {
        let end = place + Self.fixedBytes + Int(bytes[place])
        return Entry(
            type: TypeNumber(bitPattern: number(UInt32.self, at: place + 1)), part: number(UInt64.self, at: place + 5),
            value: Array(bytes[place + Self.fixedBytes..<end]), quarter: Int64(number(UInt32.self, at: place + 13)),
            counts: counts(at: place))
    }

    private func counts(at place: Int) -> TrendCounts {
        TrendCounts(
            created: Int64(number(UInt32.self, at: place + 17)), deleted: Int64(number(UInt32.self, at: place + 21)),
            restored: Int64(number(UInt32.self, at: place + 25)),
            moved: Int64(bitPattern: number(UInt64.self, at: place + 29)))
    }

    private func number<Number: FixedWidthInteger>(_ type: Number.Type, at place: Int) -> Number {
        var value: Number = 0
        for byte in (0..<Number.bitWidth / 8).reversed() { value = value << 8 | Number(bytes[place + byte]) }
        return value
    }

    private mutating func put(_ number: some FixedWidthInteger, at place: Int) {
        for byte in 0..<type(of: number).bitWidth / 8 {
            bytes[place + byte] = UInt8(truncatingIfNeeded: number >> (8 * byte))
        }
    }

    private mutating func append(_ number: some FixedWidthInteger) {
        for byte in 0..<type(of: number).bitWidth / 8 { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * byte))) }
    }
}
