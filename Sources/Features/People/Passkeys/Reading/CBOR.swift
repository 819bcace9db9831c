/// A CBOR value (RFC 8949), limited to what authenticators send: no tags, no floating point, no indefinite lengths.
indirect enum CBOR: Sendable, Equatable {
    struct Member: Sendable, Equatable {
        let key, value: CBOR
    }

    case unsigned(UInt64)
    /// Represents -1 minus this value.
    case negative(UInt64)
    case bytes(ArraySlice<UInt8>)
    case text(String)
    case array([CBOR])
    /// Unique keys in the order of CTAP2.
    case map([Member])
    case bool(Bool)
    case null

    /// Reads a document that consists of exactly one value.
    ///
    /// - Throws: ``PasskeyProblem/unreadable`` if it is not valid, or exceeds a limit of ``CBORReader``.
    init(_ document: ArraySlice<UInt8>) throws(PasskeyProblem) {
        var reader = CBORReader(document)
        self = try reader.value()
        guard reader.rest.isEmpty else { throw .unreadable }
    }

    // MARK: Parts

    /// nil if it is not a map.
    var members: [Member]? {
        guard case .map(let members) = self else { return nil }
        return members
    }

    subscript(key: String) -> CBOR? { members?.first { $0.key == .text(key) }?.value }

    subscript(key: Int64) -> CBOR? {
        let key: CBOR = key < 0 ? .negative(UInt64(-1 - key)) : .unsigned(UInt64(key))
        return members?.first { $0.key == key }?.value
    }

    var bytes: ArraySlice<UInt8>? {
        guard case .bytes(let bytes) = self else { return nil }
        return bytes
    }

    /// nil if it is not an integer of 64 bits.
    var int: Int64? {
        switch self {
        case .unsigned(let number): Int64(exactly: number)
        case .negative(let number): Int64(exactly: number).map { -1 - $0 }
        default: nil
        }
    }
}
