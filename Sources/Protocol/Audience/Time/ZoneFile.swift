/// Reads a file of a time zone database (TZif, RFC 9636).
struct ZoneFile {
    /// How many of each there are, in the order in which a header has them.
    private struct Counts {
        let universal, standard, leapSeconds, changes, types, letters: Int
    }

    private var rest: ArraySlice<UInt8>

    /// - Returns: nil for any other bytes, and for a file that counts leap seconds, which the time here does not.
    static func offsets(in bytes: [UInt8]) -> ZoneOffsets? {
        var file = ZoneFile(rest: bytes[...])
        guard let (version, counts) = file.header() else { return nil }
        // The first part is for programs whose time has 32 bits.
        guard version >= UInt8(ascii: "2") else { return file.offsets(counts, size: 4, hasRule: false) }
        guard file.skip(counts, size: 4), let (_, later) = file.header() else { return nil }
        return file.offsets(later, size: 8, hasRule: true)
    }

    private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    private mutating func numbers(_ count: Int, size: Int) -> [Int64]? {
        guard let bytes = take(count * size) else { return nil }
        return (0..<count).map { Self.number(bytes.dropFirst($0 * size).prefix(size)) }
    }

    /// A number whose most significant byte comes first, with a sign.
    private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
        bytes.reduce(bytes.first.map { $0 < 0x80 ? 0 : -1 } ?? 0) { $0 << 8 | Int64($1) }
    }

    private mutating func header() -> (version: UInt8, Counts)? {
        guard let head = take(20), head.starts(with: "TZif".utf8), let counts = numbers(6, size: 4)?.map({ Int($0) }),
            counts.allSatisfy({ 0...rest.count ~= $0 })
        else { return nil }
        return (
            head[head.startIndex + 4],
            Counts(
                universal: counts[0], standard: counts[1], leapSeconds: counts[2], changes: counts[3], types: counts[4],
                letters: counts[5])
        )
    }

    private mutating func skip(_ counts: Counts, size: Int) -> Bool {
        take(counts.changes * (size + 1) + counts.types * 6) != nil && skipEnd(counts, size: size)
    }

    /// Abbreviations, leap seconds, and what only other forms of rules need.
    private mutating func skipEnd(_ counts: Counts, size: Int) -> Bool {
        take(counts.letters + counts.leapSeconds * (size + 4) + counts.standard + counts.universal) != nil
    }

    private mutating func offsets(_ counts: Counts, size: Int, hasRule: Bool) -> ZoneOffsets? {
        guard counts.leapSeconds == 0, let changes = numbers(counts.changes, size: size),
            let kinds = take(counts.changes), let types = take(counts.types * 6), skipEnd(counts, size: size)
        else { return nil }
        // Each type has its offset, whether it is summer time, and the position of its abbreviation.
        let known = (0..<counts.types).map { Self.number(types.dropFirst($0 * 6).prefix(4)) }
        guard let first = known.first, known.allSatisfy({ abs($0) < 26 * 3_600 }),
            kinds.allSatisfy({ Int($0) < known.count }), zip(changes, changes.dropFirst()).allSatisfy({ $0 < $1 })
        else { return nil }
        var rule: ZoneRule?
        if hasRule {
            // A line of its own, which may be empty.
            let feed = UInt8(ascii: "\n")
            guard rest.first == feed, let end = rest.dropFirst().firstIndex(of: feed) else { return nil }
            let line = rest[..<end].dropFirst()
            rule = ZoneRule(String(decoding: line, as: UTF8.self))
            guard rule != nil || line.isEmpty else { return nil }
        }
        return ZoneOffsets(changes: changes, offsets: kinds.map { known[Int($0)] }, first: first, rule: rule)
    }
}
