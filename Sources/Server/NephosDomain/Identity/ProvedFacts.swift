package import Audience
package import CloudKitWire
import Crypto
package import NephosStorage

/// A trusted party's statement about a person, proved by a signature: a JWS (RFC 7515) in the compact form, signed by ES256 with a server key of
/// the container, which `kid` names. Its claims are `aud`, `CONTAINER/ENVIRONMENT`; `sub`, the name of the person's user record; `facts`, an
/// object; and `exp`, at most 24 hours away.
package struct ProvedFacts {
    /// The maximum size of a proof, in bytes.
    package static let bytesMax = 8_192
    static let factsMax = 64
    static let textMax = 1_024
    /// How far `exp` may be in the future, in milliseconds.
    private static let lifetimeMax: Milliseconds = 86_400_000
    /// How much the signer's clock may be ahead of ours.
    private static let leeway: Milliseconds = 60_000

    package let facts: [String: Scalar]

    /// The names of the facts that hold: those that are not false, 0 or empty.
    package var names: [String] {
        facts.filter { fact in
            switch fact.value {
            case .bool(let holds): holds
            case .number(let number): number != 0
            case .string(let text): !text.isEmpty
            }
        }.keys.sorted()
    }

    /// - Parameters:
    ///   - proof: As sent.
    ///   - user: The caller; nil for an anonymous one, about whom nothing can be proved.
    ///   - now: The time.
    /// - Throws: Why the proof is not valid, for people.
    package init(
        _ proof: String, of user: UserID?, in tenant: Tenant, _ catalog: Catalog, now: Milliseconds
    ) throws(WireError) {
        guard proof.utf8.count <= Self.bytesMax else {
            throw WireError("it has more than \(Self.bytesMax) bytes", isLimit: true)
        }
        let parts = proof.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let bytes = parts.compactMap { Base64.bytes(exactly: $0, .urlSafe) }
        guard parts.count == 3, bytes.count == 3 else { throw WireError("it is not a JWS of three parts in base64url") }
        let key = try Self.key(of: bytes[0][...], catalog)
        guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: bytes[2]),
            let known = try? P256.Signing.PublicKey(x963Representation: key.publicKey),
            known.isValidSignature(signature, for: Array("\(parts[0]).\(parts[1])".utf8))
        else { throw WireError("its signature does not match the key that it names") }
        let claims = try Claims(bytes[1][...])
        guard claims.audiences.contains("\(tenant.container)/\(tenant.environment.rawValue)") else {
            throw WireError("aud names another container or environment")
        }
        guard let user, claims.subject == user.recordName else {
            throw WireError("sub is not the record name of the signed-in user")
        }
        guard let expires = claims.expires, expires > now else { throw WireError("exp is missing or in the past") }
        guard expires <= now + Self.lifetimeMax + Self.leeway else { throw WireError("exp is more than 24 hours away") }
        guard claims.begins.map({ $0 <= now + Self.leeway }) ?? true else { throw WireError("nbf is in the future") }
        facts = claims.facts
    }

    /// The key that a header names.
    private static func key(of header: ArraySlice<UInt8>, _ catalog: Catalog) throws(WireError) -> ServerKeyRow {
        var (algorithm, id, isCritical) = ("", "", false)
        var json = try JSONReader(header)
        try json.readObject { json, key throws(WireError) in
            switch key {
            case "alg": algorithm = String(decoding: try json.readString(), as: UTF8.self)
            case "kid": id = String(decoding: try json.readString(), as: UTF8.self)
            case "crit": isCritical = true
            default: return
            }
        }
        try json.finish()
        guard algorithm == "ES256", !isCritical else {
            throw WireError("it must be signed with ES256 and have no crit header")
        }
        guard let key = catalog.keys[id], key.revokedAt == 0 else {
            throw WireError("kid is not a key of the container")
        }
        return key
    }
}

/// The claims of a proof that matter.
private struct Claims {
    var audiences: [String] = []
    var subject = ""
    var expires, begins: Milliseconds?
    var facts: [String: Scalar] = [:]

    init(_ payload: ArraySlice<UInt8>) throws(WireError) {
        var json = try JSONReader(payload)
        try json.readObject { json, key throws(WireError) in
            switch key {
            case "aud": audiences = try Self.texts(&json)
            case "sub": subject = String(decoding: try json.readString(), as: UTF8.self)
            case "exp": expires = try Self.time(&json)
            case "nbf": begins = try Self.time(&json)
            case "facts": facts = try Self.facts(&json)
            default: return
            }
        }
        try json.finish()
    }

    private static func texts(_ json: inout JSONReader) throws(WireError) -> [String] {
        guard try json.kind == .array else { return [String(decoding: try json.readString(), as: UTF8.self)] }
        var texts: [String] = []
        try json.readArray { json, _ throws(WireError) in
            texts.append(String(decoding: try json.readString(), as: UTF8.self))
        }
        return texts
    }

    /// Seconds since 1970, as in a JWT.
    private static func time(_ json: inout JSONReader) throws(WireError) -> Milliseconds {
        guard let time = Int64(exactly: (try json.readDouble() * 1_000).rounded(.down)) else {
            throw WireError("expected seconds since 1970", offset: json.offset)
        }
        return time
    }

    private static func facts(_ json: inout JSONReader) throws(WireError) -> [String: Scalar] {
        var facts: [String: Scalar] = [:]
        try json.readObject { json, key throws(WireError) in
            guard facts.count < ProvedFacts.factsMax else {
                throw WireError("more than \(ProvedFacts.factsMax) facts", offset: json.offset, isLimit: true)
            }
            let value = try Scalar(&json)
            if case .string(let text) = value, text.utf8.count > ProvedFacts.textMax {
                throw WireError(
                    "a fact can have at most \(ProvedFacts.textMax) bytes", offset: json.offset, isLimit: true)
            }
            facts[key.name.text] = value
        }
        return facts
    }
}
