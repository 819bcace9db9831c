import CloudKitWire
import Crypto
import CryptoExtras
import Foundation
import NephosTesting
import Testing

@testable import NephosPeople

/// A passkey in software, together with the browser: it produces what a page gets from real ones, with any part made wrong on
/// request.
struct SoftwarePasskey {
    enum Algorithm: CaseIterable, Sendable { case es256, ed25519, rs256 }

    /// The data that a browser and an authenticator send; each part can be made wrong.
    struct Said {
        var kind: String
        var challenge: String
        var origin = "http://localhost"
        /// Members of the client data after the standard ones.
        var more = #","crossOrigin":false"#
        var party = "localhost"
        /// Present and verified.
        var flags: UInt8 = 0x05
        var counter: UInt32 = 0
        /// Appended to the authenticator data.
        var extensions: [UInt8] = []
        var statement: [UInt8] =
            CBORWriting.text("fmt") + CBORWriting.text("none") + CBORWriting.text("attStmt") + [0xA0]

        var client: [UInt8] {
            Array(#"{"type":"\#(kind)","challenge":"\#(challenge)","origin":"\#(origin)"\#(more)}"#.utf8)
        }

        fileprivate func authenticator(_ credential: [UInt8] = []) -> [UInt8] {
            let flags = flags | (credential.isEmpty ? 0 : 0x40) | (extensions.isEmpty ? 0 : 0x80)
            let counter = (0..<4).map { UInt8(truncatingIfNeeded: self.counter >> (24 - 8 * $0)) }
            return Array(SHA256.hash(data: Array(party.utf8))) + [flags] + counter + credential + extensions
        }
    }

    private enum Key {
        case es256(P256.Signing.PrivateKey)
        case ed25519(Curve25519.Signing.PrivateKey)
        case rs256(_RSA.Signing.PrivateKey)
    }

    private let key: Key
    var id: [UInt8]

    init(_ algorithm: Algorithm = .es256, id: [UInt8] = (0..<16).map { _ in .random(in: .min ... .max) }) throws {
        self.id = id
        key =
            switch algorithm {
            case .es256: .es256(P256.Signing.PrivateKey())
            case .ed25519: .ed25519(Curve25519.Signing.PrivateKey())
            case .rs256: .rs256(try _RSA.Signing.PrivateKey(keySize: .bits2048))
            }
    }

    // MARK: As a browser

    /// The challenge in some options.
    static func challenge(_ options: String) throws -> String {
        try #require(try JSON(reading: Array(options.utf8))["challenge"].string)
    }

    /// Creates itself as a page requests it.
    ///
    /// - Parameter change: Makes something wrong.
    func made(_ options: String, _ change: (inout Said) -> Void = { _ in }) throws -> Passkeys.CreationResponse {
        var said = Said(kind: "webauthn.create", challenge: try Self.challenge(options))
        change(&said)
        let data = said.authenticator(try credential())
        let object = [0xA3] + said.statement + CBORWriting.text("authData") + CBORWriting.bytes(data)
        return Passkeys.CreationResponse(client: said.client, object: object)
    }

    /// Signs what a page requests.
    ///
    /// - Parameter account: The account for which it was created.
    func used(
        _ options: String, by account: String, _ change: (inout Said) -> Void = { _ in }
    ) throws -> Passkeys.AssertionResponse {
        var said = Said(kind: "webauthn.get", challenge: try Self.challenge(options))
        change(&said)
        let (client, data) = (said.client, said.authenticator())
        return Passkeys.AssertionResponse(
            id: id, user: Array(account.utf8), client: client, authenticator: data,
            signature: try signature(over: data + Array(SHA256.hash(data: client))))
    }

    private func signature(over bytes: [UInt8]) throws -> [UInt8] {
        switch key {
        case .es256(let key): Array(try key.signature(for: bytes).derRepresentation)
        case .ed25519(let key): Array(try key.signature(for: bytes))
        case .rs256(let key):
            Array(try key.signature(for: SHA256.hash(data: bytes), padding: .insecurePKCS1v1_5).rawRepresentation)
        }
    }

    // MARK: Encoding

    /// The model, the id and the key.
    func credential() throws -> [UInt8] {
        let model = [UInt8](repeating: 7, count: 16)
        return model + [UInt8(id.count >> 8), UInt8(id.count & 255)] + id + (try cose())
    }

    func cose() throws -> [UInt8] {
        switch key {
        case .es256(let key):
            let point = Array(key.publicKey.x963Representation)
            return CBORWriting.es256(x: Array(point[1...32]), y: Array(point[33...]))
        case .ed25519(let key): return CBORWriting.ed25519(Array(key.publicKey.rawRepresentation))
        case .rs256(let key):
            let parts = try key.publicKey.getKeyPrimitives()
            return CBORWriting.rs256(modulus: Array(parts.modulus), exponent: Array(parts.publicExponent))
        }
    }
}

/// CBOR as authenticators encode it, in the shortest form.
enum CBORWriting {
    static func head(_ kind: UInt8, _ number: UInt64) -> [UInt8] {
        let kind = kind << 5
        switch number {
        case 0..<24: return [kind | UInt8(number)]
        case 24..<0x100: return [kind | 24] + Self.number(number, 1)
        case 0x100..<0x1_0000: return [kind | 25] + Self.number(number, 2)
        case 0x1_0000..<0x1_0000_0000: return [kind | 26] + Self.number(number, 4)
        default: return [kind | 27] + Self.number(number, 8)
        }
    }

    private static func number(_ number: UInt64, _ bytes: Int) -> [UInt8] {
        (0..<bytes).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * (bytes - 1 - $0))) }
    }

    static func int(_ number: Int64) -> [UInt8] {
        number < 0 ? head(1, UInt64(-1 - number)) : head(0, UInt64(number))
    }
    static func bytes(_ bytes: [UInt8]) -> [UInt8] { head(2, UInt64(bytes.count)) + bytes }
    static func text(_ text: String) -> [UInt8] { head(3, UInt64(text.utf8.count)) + Array(text.utf8) }
    static func map(_ members: [(Int64, [UInt8])]) -> [UInt8] {
        members.reduce(head(5, UInt64(members.count))) { $0 + int($1.0) + $1.1 }
    }

    static func es256(x: [UInt8], y: [UInt8]) -> [UInt8] {
        map([(1, int(2)), (3, int(-7)), (-1, int(1)), (-2, bytes(x)), (-3, bytes(y))])
    }
    static func ed25519(_ x: [UInt8]) -> [UInt8] { map([(1, int(1)), (3, int(-8)), (-1, int(6)), (-2, bytes(x))]) }
    static func rs256(modulus: [UInt8], exponent: [UInt8]) -> [UInt8] {
        map([(1, int(3)), (3, int(-257)), (-1, bytes(modulus)), (-2, bytes(exponent))])
    }
}
