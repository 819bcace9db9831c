import Crypto
import NephosTesting
import Testing

@testable import NephosPeople

@Suite("Keys and signatures of passkeys") struct COSEKeyTests {
    private static let (x, y) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
    private static let exponent: [UInt8] = [1, 0, 1]

    private static func modulus(_ bytes: Int, first: UInt8 = 0x80, last: UInt8 = 1) -> [UInt8] {
        [first] + [UInt8](repeating: 0, count: bytes - 2) + [last]
    }

    private static func key(_ bytes: [UInt8]) throws -> COSEKey { try COSEKey(try CBOR(bytes[...])) }

    @Test(
        "Real keys of the three algorithms are read, and verify signatures",
        arguments: SoftwarePasskey.Algorithm.allCases)
    func real(algorithm: SoftwarePasskey.Algorithm) throws {
        let passkey = try SoftwarePasskey(algorithm)
        let key = try SignatureKey(Self.key(passkey.cose()))
        let used = try passkey.used(#"{"challenge":"AA"}"#, by: "a")
        let signed = used.authenticator + Self.hash(used.client)
        #expect(key.accepts(used.signature, over: signed))
        #expect(!key.accepts(used.signature, over: signed + [0]))
        #expect(!key.accepts(used.signature + [0], over: signed) && !key.accepts([], over: signed))
        // That of the same algorithm, and those of others.
        for other in SoftwarePasskey.Algorithm.allCases {
            let other = try SignatureKey(Self.key(SoftwarePasskey(other).cose()))
            #expect(!other.accepts(used.signature, over: signed))
        }
    }

    private static func hash(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }

    @Test("RSA has 2,048 to 4,096 bits and an exponent of at most four bytes")
    func rsa() throws {
        for bytes in [256, 384, 512] {
            #expect(throws: Never.self) {
                try Self.key(CBORWriting.rs256(modulus: Self.modulus(bytes), exponent: Self.exponent))
            }
        }
        for (modulus, exponent) in [
            (Self.modulus(128), Self.exponent), (Self.modulus(256, first: 0x7F), Self.exponent),
            (Self.modulus(513, first: 1), Self.exponent), ([0] + Self.modulus(256), Self.exponent),
            (Self.modulus(256, last: 2), Self.exponent), ([], Self.exponent), (Self.modulus(256), []),
            (Self.modulus(256), [1]), (Self.modulus(256), [0]), (Self.modulus(256), [1, 0, 0]),
            (Self.modulus(256), [0, 1, 0, 1]), (Self.modulus(256), [1, 0, 0, 0, 1]),
        ] {
            #expect(throws: PasskeyProblem.unsupported) {
                try Self.key(CBORWriting.rs256(modulus: modulus, exponent: exponent))
            }
        }
        #expect(throws: Never.self) { try Self.key(CBORWriting.rs256(modulus: Self.modulus(256), exponent: [3])) }
    }

    @Test("Keys of other kinds, curves, algorithms and lengths are rejected, and so are missing or extra members")
    func others() throws {
        let (int, bytes) = (CBORWriting.int, CBORWriting.bytes)
        let refused: [[(Int64, [UInt8])]] = [
            [], [(1, int(2)), (3, int(-7))],
            // ES384, and ES256 with other curves.
            [(1, int(2)), (3, int(-35)), (-1, int(2)), (-2, bytes(Self.x)), (-3, bytes(Self.y))],
            [(1, int(2)), (3, int(-7)), (-1, int(2)), (-2, bytes(Self.x)), (-3, bytes(Self.y))],
            // A compressed point, short and long coordinates.
            [(1, int(2)), (3, int(-7)), (-1, int(1)), (-2, bytes(Self.x)), (-3, [0xF5])],
            [(1, int(2)), (3, int(-7)), (-1, int(1)), (-2, bytes(Self.x)), (-3, bytes(Self.y + [0]))],
            [(1, int(2)), (3, int(-7)), (-1, int(1)), (-2, bytes([])), (-3, bytes(Self.y))],
            // With an additional member.
            [(1, int(2)), (3, int(-7)), (4, int(0)), (-1, int(1)), (-2, bytes(Self.x)), (-3, bytes(Self.y))],
            // Ed448, X25519, and Ed25519 as a point.
            [(1, int(1)), (3, int(-8)), (-1, int(7)), (-2, bytes(Self.x))],
            [(1, int(1)), (3, int(-8)), (-1, int(4)), (-2, bytes(Self.x))],
            [(1, int(2)), (3, int(-8)), (-1, int(6)), (-2, bytes(Self.x))],
            // RS1 and PS256.
            [(1, int(3)), (3, int(-65_535)), (-1, bytes(Self.modulus(256))), (-2, bytes(Self.exponent))],
            [(1, int(3)), (3, int(-37)), (-1, bytes(Self.modulus(256))), (-2, bytes(Self.exponent))],
        ]
        for members in refused {
            #expect(throws: PasskeyProblem.unsupported, "\(members)") { try Self.key(CBORWriting.map(members)) }
        }
        #expect(throws: PasskeyProblem.unsupported) { try Self.key([0x80]) }
        // Not on the curve.
        #expect(throws: PasskeyProblem.unsupported) {
            try SignatureKey(Self.key(CBORWriting.es256(x: Self.x, y: Self.y)))
        }
    }

    @Test("The stored form is read back the same, and any other form is rejected")
    func stored() throws {
        let verifier = PasskeyVerifier(
            key: try SoftwarePasskey().cose(), counter: .max, flags: [.isBackedUp, .isPresent])
        #expect(PasskeyVerifier(verifier.text) == verifier && verifier.flags == .isBackedUp)
        #expect(throws: Never.self) { try verifier.signatureKey }
        for text in [
            "", "passkey", "passkey$$", "passkey$AA$1", "passkey$AA$4294967296$0", "passkey$AA$-1$0",
            "passkey$AA$1$256",
            "passkey$A$1$0", "passkey$AA$1$0$", "scrypt$AA$1$0",
            PasswordHash(forDummy: .current, random: Array(0..<16)).text,
        ] {
            #expect(PasskeyVerifier(text) == nil, "\(text)")
        }
    }
}
