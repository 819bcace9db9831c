/// Reads CBOR in the canonical form of CTAP2: numbers in the fewest bytes possible, map keys in their one order and therefore
/// unique. For any input it ends after at most as many steps as there are bytes, and never reads beyond them.
struct CBORReader {
    /// The nesting depth of maps and arrays, as in CTAP2.
    static let depthMax = 4
    /// Values in a document, including keys.
    static let itemsMax = 256

    private let bytes: ArraySlice<UInt8>
    private var position: Int
    private var itemsLeft = itemsMax

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// The unread bytes.
    var rest: ArraySlice<UInt8> { bytes[position...] }

    /// - Throws: ``PasskeyProblem/unreadable``.
    mutating func value() throws(PasskeyProblem) -> CBOR { try value(depth: 0) }

    private mutating func value(depth: Int) throws(PasskeyProblem) -> CBOR {
        guard itemsLeft > 0 else { throw .unreadable }
        itemsLeft -= 1
        let (kind, number) = try head()
        switch kind {
        case 0: return .unsigned(number)
        case 1: return .negative(number)
        case 2: return .bytes(try take(number))
        case 3:
            guard let text = String(validating: try take(number), as: UTF8.self) else { throw .unreadable }
            return .text(text)
        case 4: return .array(try list(number, depth: depth))
        case 5: return .map(try members(number, depth: depth))
        case 7: return try simple(number)
        // Tags.
        default: throw .unreadable
        }
    }

    /// The type of the next value, and its number: for strings, arrays and maps this is their length.
    private mutating func head() throws(PasskeyProblem) -> (kind: UInt8, number: UInt64) {
        guard let first = try take(1).first else { throw .unreadable }
        let (kind, short) = (first >> 5, first & 31)
        guard short > 23 else { return (kind, UInt64(short)) }
        // With type 7, longer forms are floating-point numbers; from 28 on, they are reserved or of indefinite length.
        guard kind != 7, short < 28 else { throw .unreadable }
        let number = try take(1 << UInt64(short - 24)).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let least: [UInt64] = [24, 1 << 8, 1 << 16, 1 << 32]
        guard number >= least[Int(short - 24)] else { throw .unreadable }
        return (kind, number)
    }

    private mutating func take(_ count: UInt64) throws(PasskeyProblem) -> ArraySlice<UInt8> {
        guard count <= UInt64(rest.count) else { throw .unreadable }
        defer { position += Int(count) }
        return bytes[position..<position + Int(count)]
    }

    private mutating func list(_ count: UInt64, depth: Int) throws(PasskeyProblem) -> [CBOR] {
        guard depth < Self.depthMax, count <= UInt64(itemsLeft) else { throw .unreadable }
        var list: [CBOR] = []
        for _ in 0..<count { list.append(try value(depth: depth + 1)) }
        return list
    }

    private mutating func members(_ count: UInt64, depth: Int) throws(PasskeyProblem) -> [CBOR.Member] {
        guard depth < Self.depthMax, count <= UInt64(itemsLeft) else { throw .unreadable }
        var members: [CBOR.Member] = []
        var last: ArraySlice<UInt8> = []
        for _ in 0..<count {
            let start = position
            let key = try value(depth: depth + 1)
            let written = bytes[start..<position]
            switch key {
            case .unsigned, .negative, .text: break
            default: throw .unreadable
            }
            guard members.isEmpty || Self.comes(last, before: written) else { throw .unreadable }
            last = written
            members.append(CBOR.Member(key: key, value: try value(depth: depth + 1)))
        }
        return members
    }

    /// The order of keys in CTAP2: by type, then by length, then byte by byte.
    private static func comes(_ first: ArraySlice<UInt8>, before second: ArraySlice<UInt8>) -> Bool {
        guard let kinds = first.first.flatMap({ one in second.first.map { (one >> 5, $0 >> 5) } }) else { return false }
        if kinds.0 != kinds.1 { return kinds.0 < kinds.1 }
        if first.count != second.count { return first.count < second.count }
        return first.lexicographicallyPrecedes(second)
    }

    private func simple(_ number: UInt64) throws(PasskeyProblem) -> CBOR {
        switch number {
        case 20: return .bool(false)
        case 21: return .bool(true)
        case 22: return .null
        default: throw .unreadable
        }
    }
}
