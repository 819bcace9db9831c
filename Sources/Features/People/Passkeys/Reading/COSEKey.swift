/// The public key of a passkey in COSE form (RFC 9053), for the three supported algorithms.
///
/// The coordinates need not be a point on the curve; that is checked when a signature key is created (``SignatureKey``).
enum COSEKey: Sendable, Equatable {
    /// ECDSA with P-256 and SHA-256 (-7): both coordinates, 32 bytes each.
    case es256(x: ArraySlice<UInt8>, y: ArraySlice<UInt8>)
    /// Ed25519 (-8): 32 bytes.
    case ed25519(ArraySlice<UInt8>)
    /// RSA with PKCS #1 v1.5 and SHA-256 (-257): modulus and exponent, without leading zeros.
    case rs256(modulus: ArraySlice<UInt8>, exponent: ArraySlice<UInt8>)

    /// In order of preference, as requested from authenticators.
    static let algorithms: [Int64] = [-7, -8, -257]
    /// The size of a modulus.
    static let modulusBits = 2_048...4_096
    /// The size of an exponent; nearly all keys have 65,537.
    static let exponentBytesMax = 4
    /// More than the longest key takes.
    static let bytesMax = 1_024

    private static let coordinateBytes = 32

    /// - Throws: ``PasskeyProblem/unsupported`` for a key of another algorithm, curve or length, or with additional parameters.
    init(_ value: CBOR) throws(PasskeyProblem) {
        guard let key = Self.key(value) else { throw .unsupported }
        self = key
    }

    private static func key(_ value: CBOR) -> COSEKey? {
        // The key type, the algorithm, and the type's parameters from -1 downward.
        switch (value[1]?.int, value[3]?.int, value.members?.count) {
        case (2, -7, 5):
            guard value[-1]?.int == 1, let x = coordinate(value[-2]), let y = coordinate(value[-3]) else { return nil }
            return .es256(x: x, y: y)
        case (1, -8, 4):
            guard value[-1]?.int == 6, let x = coordinate(value[-2]) else { return nil }
            return .ed25519(x)
        case (3, -257, 4):
            guard let modulus = value[-1]?.bytes, let exponent = value[-2]?.bytes,
                isModulus(modulus), isExponent(exponent)
            else { return nil }
            return .rs256(modulus: modulus, exponent: exponent)
        default: return nil
        }
    }

    private static func coordinate(_ value: CBOR?) -> ArraySlice<UInt8>? {
        value?.bytes.flatMap { $0.count == coordinateBytes ? $0 : nil }
    }

    private static func isModulus(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, let last = bytes.last, first != 0, last & 1 == 1 else { return false }
        return modulusBits.contains(8 * bytes.count - first.leadingZeroBitCount)
    }

    /// Odd, and at least 3.
    private static func isExponent(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, let last = bytes.last, first != 0, last & 1 == 1 else { return false }
        return bytes.count <= exponentBytesMax && (bytes.count > 1 || first >= 3)
    }
}
