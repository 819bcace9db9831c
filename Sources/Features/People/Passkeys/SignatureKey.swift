import Crypto
import CryptoExtras
import Foundation

/// The public key of a passkey, prepared for checking signatures.
enum SignatureKey: Sendable {
    case es256(P256.Signing.PublicKey)
    case ed25519(Curve25519.Signing.PublicKey)
    case rs256(_RSA.Signing.PublicKey)

    /// - Throws: ``PasskeyProblem/unsupported`` if it is not a valid key, such as a point that is not on the curve.
    init(_ key: COSEKey) throws(PasskeyProblem) {
        guard let made = try? Self.made(key) else { throw .unsupported }
        self = made
    }

    private static func made(_ key: COSEKey) throws -> SignatureKey {
        switch key {
        // The first byte marks the uncompressed form.
        case .es256(let x, let y): .es256(try P256.Signing.PublicKey(x963Representation: [4] + x + y))
        case .ed25519(let bytes): .ed25519(try Curve25519.Signing.PublicKey(rawRepresentation: bytes))
        case .rs256(let modulus, let exponent): .rs256(try _RSA.Signing.PublicKey(n: modulus, e: exponent))
        }
    }

    /// Whether a signature over these bytes was made with the private key.
    func accepts(_ signature: [UInt8], over bytes: [UInt8]) -> Bool {
        switch self {
        case .es256(let key):
            guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: bytes)
        case .ed25519(let key): return key.isValidSignature(signature, for: bytes)
        case .rs256(let key):
            return key.isValidSignature(
                _RSA.Signing.RSASignature(rawRepresentation: signature), for: SHA256.hash(data: bytes),
                padding: .insecurePKCS1v1_5)
        }
    }
}
