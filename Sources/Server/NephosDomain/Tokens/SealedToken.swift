import CloudKitWire
import Crypto
import NephosStorage
import Synchronization

/// The purpose of a token issued to clients. A token for one purpose is not valid for another.
package enum TokenPurpose: UInt8 {
    /// A position in the feed of one zone.
    case zone = 1
    /// A position in the feed of one database.
    case database = 2
    /// A position in the results of one query of one caller.
    case marker = 3
    /// A position in the feed of a person's shared database.
    case shared = 4
    /// A device that polls for its notifications.
    case courier = 5
    /// How far a device has followed its databases.
    case stream = 6
    /// The right to put a file into records.
    case receipt = 7
    // 8 and 9 were tickets and links that did not contain their holder's admission. They were valid for minutes.
    /// The right to upload files.
    case upload = 10
    /// The right to download a file.
    case download = 11
    /// An app's request that a person sign in.
    case signIn = 12
    /// A person has signed in with an account in this browser.
    case knownBrowser = 13
    /// A passkey is to be created or used on a page.
    case passkey = 14
    /// The right to keep an account that is to be deleted.
    case keepAccount = 18
    /// A position in a list of content, or in a round of picks, of one caller.
    case contentPage = 19
}

/// Bytes that only this tenant can have issued: version byte 1, purpose, content, and the first 16 bytes of an HMAC-SHA256 of all
/// of that with the tenant's signing key. Standard base64 with padding, because clients decode it; URL-safe without padding in
/// URLs, which clients use unchanged.
package enum SealedToken {
    private static let version: UInt8 = 1
    private static let codeBytes = 16

    package static func seal(_ content: [UInt8], for purpose: TokenPurpose, key: [UInt8]) -> String {
        Base64.text(sealed(content, for: purpose, key: key))
    }

    package static func sealInURL(_ content: [UInt8], for purpose: TokenPurpose, key: [UInt8]) -> String {
        Base64.text(sealed(content, for: purpose, key: key), .urlSafe)
    }

    private static func sealed(_ content: [UInt8], for purpose: TokenPurpose, key: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = [version, purpose.rawValue]
        bytes.reserveCapacity(2 + content.count + codeBytes)
        bytes += content
        bytes += code(of: bytes[...], key: key)
        return bytes
    }

    /// The content. - Throws: ``Refusal/tokenInvalid(_:)`` for any text that `seal` did not create for this purpose.
    package static func open(_ token: String, for purpose: TokenPurpose, key: [UInt8]) throws(Refusal) -> [UInt8] {
        try open(Base64.bytes(exactly: token), for: purpose, key: key)
    }

    /// The content of a token of ``sealInURL(_:for:key:)``.
    package static func open(inURL token: String, for purpose: TokenPurpose, key: [UInt8]) throws(Refusal) -> [UInt8] {
        try open(Base64.bytes(exactly: token, .urlSafe), for: purpose, key: key)
    }

    private static func open(_ bytes: [UInt8]?, for purpose: TokenPurpose, key: [UInt8]) throws(Refusal) -> [UInt8] {
        guard let bytes, bytes.count > 2 + codeBytes, bytes[0] == version else {
            throw .tokenInvalid("Invalid continuation format: send a token exactly as the server returned it")
        }
        let signed = bytes.dropLast(codeBytes)
        guard isSame(bytes.suffix(codeBytes), code(of: signed, key: key)) else {
            throw .tokenInvalid("Invalid continuation format: this token was not created by this container")
        }
        guard bytes[1] == purpose.rawValue else {
            throw .tokenInvalid("Unknown sync continuation type: this token was created for another kind of request")
        }
        return Array(signed.dropFirst(2))
    }

    // MARK: Content that its holder cannot read

    /// Encrypts content before it is sealed, with ChaCha20-Poly1305: a key for AES would have to be prepared each time, which costs
    /// more than a short content. Equal content has an equal result, because decisions have no randomness: the nonce
    /// is a code of the content.
    ///
    /// - Throws: ``Refusal/failed``.
    package static func hidden(_ content: [UInt8], for purpose: TokenPurpose, key: [UInt8]) throws(Refusal) -> [UInt8] {
        do {
            let nonce = code(of: ([version, purpose.rawValue, 0] + content)[...], key: key).prefix(12)
            let box = try ChaChaPoly.seal(
                content, using: cipherKey(for: purpose, key: key), nonce: ChaChaPoly.Nonce(data: nonce))
            return [UInt8](nonce) + box.ciphertext + box.tag
        } catch {
            throw .failed
        }
    }

    /// The content of ``hidden(_:for:key:)``.
    ///
    /// - Throws: ``Refusal/tokenInvalid(_:)``.
    package static func shown(_ hidden: [UInt8], for purpose: TokenPurpose, key: [UInt8]) throws(Refusal) -> [UInt8] {
        do {
            let box = try ChaChaPoly.SealedBox(combined: hidden)
            return [UInt8](try ChaChaPoly.open(box, using: cipherKey(for: purpose, key: key)))
        } catch {
            throw .tokenInvalid("Invalid continuation format: this token was not created by this container")
        }
    }

    private static func cipherKey(for purpose: TokenPurpose, key: [UInt8]) -> SymmetricKey {
        var code = StartedCodes.shared.code(under: key)
        code.update(data: [version, purpose.rawValue, 1])
        return SymmetricKey(data: code.finalize())
    }

    private static func code(of bytes: ArraySlice<UInt8>, key: [UInt8]) -> [UInt8] {
        var code = StartedCodes.shared.code(under: key)
        bytes.withUnsafeBytes { code.update(data: $0) }
        return code.finalize().withUnsafeBytes { Array($0.prefix(codeBytes)) }
    }

    /// Compares in constant time.
    private static func isSame(_ left: ArraySlice<UInt8>, _ right: [UInt8]) -> Bool {
        var difference: UInt8 = left.count == right.count ? 0 : 1
        for (left, right) in zip(left, right) { difference |= left ^ right }
        return difference == 0
    }
}

/// The initial HMAC state of each key, computed once per key: that is most of the cost of a short code.
private final class StartedCodes: Sendable {
    static let shared = StartedCodes()

    /// A process uses as many keys as there are containers in use; above this count, all are forgotten and computed again.
    private static let countMax = 4_096

    private let codes = Mutex<[[UInt8]: HMAC<SHA256>]>([:])

    /// A thread that would have to wait computes its own: threads that contend for a briefly held lock form a queue.
    func code(under key: [UInt8]) -> HMAC<SHA256> {
        if let code = codes.withLockIfAvailable({ $0[key] }) ?? nil { return code }
        let code = HMAC<SHA256>(key: SymmetricKey(data: key))
        codes.withLockIfAvailable { codes in
            if codes.count >= Self.countMax { codes = [:] }
            codes[key] = code
        }
        return code
    }
}

/// Fixed-width numbers in a token, and runs of bytes.
package struct TokenContent {
    package private(set) var bytes: [UInt8]
    private var offset = 0

    package init(reading bytes: [UInt8] = []) { self.bytes = bytes }

    package mutating func append(_ number: Int64) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    /// - Throws: ``Refusal/tokenInvalid(_:)`` at the end.
    package mutating func next() throws(Refusal) -> Int64 {
        guard offset + 8 <= bytes.count else { throw .tokenInvalid("Invalid continuation format") }
        defer { offset += 8 }
        return bytes[offset..<(offset + 8)].reduce(0) { $0 << 8 | Int64($1) }
    }

    mutating func append(bytes: some Swift.Sequence<UInt8>) { self.bytes.append(contentsOf: bytes) }

    /// - Throws: ``Refusal/tokenInvalid(_:)`` if there are fewer.
    mutating func next(_ count: Int) throws(Refusal) -> ArraySlice<UInt8> {
        guard count >= 0, count <= bytes.count - offset else { throw .tokenInvalid("Invalid continuation format") }
        defer { offset += count }
        return bytes[offset..<offset + count]
    }

    /// The bytes that have not been read yet.
    package var rest: ArraySlice<UInt8> { bytes[offset...] }
}
