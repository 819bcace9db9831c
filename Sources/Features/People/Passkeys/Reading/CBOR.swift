/// A value of CBOR (RFC 8949), as far as authenticators send it: no tags, no floating point, nothing of indefinite length.
indirect enum CBOR: Sendable, Equatable {
    struct Member: Sendable, Equatable {
        let key, value: CBOR
    }

    case unsigned(UInt64)
    /// Stands for -1 minus this.
    case negative(UInt64)
    case bytes(ArraySlice<UInt8>)
    case text(String)
    case array([CBOR])
    /// Each key once, in the order of CTAP2.
    case map([Member])
    case bool(Bool)
    case null

    /// What a whole document says, and nothing after it.
    ///
    /// - Throws: ``PasskeyProblem/unreadable`` for what is none, or breaks a limit of ``CBORReader``.
    init(_ document: ArraySlice<UInt8>) throws(PasskeyProblem) {
        var reader = CBORReader(document)
        self = try reader.value()
        guard reader.rest.isEmpty else { throw .unreadable }
    }

    // MARK: Parts

    /// nil where it is no map, too.
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

    /// nil for what is no whole number of 64 bits, too.
    var int: Int64? {
        switch self {
        case .unsigned(let number): Int64(exactly: number)
        case .negative(let number): Int64(exactly: number).map { -1 - $0 }
        default: nil
        }
    }
}
