/// The public key of a passkey, as COSE (RFC 9053) writes it: of the three algorithms that are taken, and no other.
///
/// A value of it need be no point of a curve: that is seen when it is made a key to check signatures with (``COSEKey/signatureKey()``).
enum COSEKey: Sendable, Equatable {
    /// ECDSA with P-256 and SHA-256 (-7): both coordinates, 32 bytes each.
    case es256(x: ArraySlice<UInt8>, y: ArraySlice<UInt8>)
    /// Ed25519 (-8): 32 bytes.
    case ed25519(ArraySlice<UInt8>)
    /// RSA with PKCS #1 v1.5 and SHA-256 (-257): modulus and exponent, without zeros in front.
    case rs256(modulus: ArraySlice<UInt8>, exponent: ArraySlice<UInt8>)

    /// In the order in which authenticators are asked for them.
    static let algorithms: [Int64] = [-7, -8, -257]
    /// Of a modulus.
    static let modulusBits = 2_048...4_096
    /// Of an exponent: nearly all keys have 65,537.
    static let exponentBytesMax = 4
    /// More than the longest of them takes.
    static let bytesMax = 1_024

    private static let coordinateBytes = 32

    /// - Throws: ``PasskeyProblem/unsupported`` for a key of another algorithm, curve or length, or with more to it.
    init(_ value: CBOR) throws(PasskeyProblem) {
        guard let key = Self.key(value) else { throw .unsupported }
        self = key
    }

    private static func key(_ value: CBOR) -> COSEKey? {
        // Kind of key, algorithm, and the parameters of the kind from -1 on.
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
