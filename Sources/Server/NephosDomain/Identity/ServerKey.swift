import CloudKitWire
public import Crypto

/// A server-to-server key: an ECDSA P-256 key pair of which the server keeps the public half.
public enum ServerKey {
    /// 64 hexadecimal digits: SHA-256 of the public key's uncompressed point.
    public static func id(of key: P256.Signing.PublicKey) -> String {
        Hexadecimal.text(SHA256.hash(data: key.x963Representation))
    }

    /// The private half of a new key.
    ///
    /// - Parameter randomBytes: Returns that many bytes, suitable for secrets.
    public static func makePrivateKey(by randomBytes: (Int) -> [UInt8]) -> P256.Signing.PrivateKey {
        while true {
            // A number below the order of the curve, and not 0. One draw fails once in 2^32.
            if let key = try? P256.Signing.PrivateKey(rawRepresentation: randomBytes(32)) { return key }
        }
    }
}

/// The signed parts of a server-to-server request: `date:body hash:path`. Signers differ in the last two.
public struct SignedRequest: Sendable {
    public var keyID: String
    /// The date header as sent; it is signed as text.
    public var date: String
    /// Base64 of the DER signature; 64 raw bytes are accepted too.
    public var signature: String
    /// The raw request target, query included, as received.
    public var target: String
    public var body: ArraySlice<UInt8>
    /// The path below which clients reach the server, which is not part of ``target``; empty for none.
    public var base: String

    public init(
        keyID: String, date: String, signature: String, target: String, body: ArraySlice<UInt8>, base: String = ""
    ) {
        self.keyID = keyID
        self.date = date
        self.signature = signature
        self.target = target
        self.body = body
        self.base = base
    }

    /// Whether the key signed this request in any of the accepted forms: path with or without the query, with or without what is in
    /// front of it in the URL of a server below a path, and for an empty body its hash or an empty string (docs/protocol.md,
    /// "Server-to-server keys").
    func isSigned(by publicKey: [UInt8]) -> Bool {
        guard let key = try? P256.Signing.PublicKey(x963Representation: publicKey),
            let bytes = Base64.bytes(exactly: signature),
            let signature = (try? P256.Signing.ECDSASignature(derRepresentation: bytes))
                ?? (try? P256.Signing.ECDSASignature(rawRepresentation: bytes))
        else { return false }
        return messages.contains { key.isValidSignature(signature, for: Array($0.utf8)) }
    }

    private var messages: [String] {
        var paths = [target]
        if let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) { paths.append(String(target[..<mark])) }
        if !base.isEmpty { paths += paths.map { base + $0 } }
        var hashes = [Base64.text(Array(SHA256.hash(data: body)))]
        if body.isEmpty { hashes.append("") }
        return paths.flatMap { path in hashes.map { "\(date):\($0):\(path)" } }
    }
}
