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
    /// A position of one person in the feed of a zone of somebody else.
    case memberZone = 20
    /// What a share is of.
    case shareAddress = 21
    /// Files of zones of somebody else.
    case memberDownload = 22
    case memberUpload = 23
    case memberReceipt = 24
}

/// Bytes that only this tenant can have issued. Standard base64 with padding, because clients decode it; URL-safe without padding
/// in URLs, which clients use unchanged.
///
/// - A sealed token can be read by its holder: version byte 1, purpose, content, and the first 16 bytes of an HMAC-SHA256 of all of
///   that with the tenant's signing key.
/// - An encrypted token cannot: version byte 1, purpose, and the nonce, ciphertext and tag of ChaCha20-Poly1305, which
///   authenticates the first two bytes too. The content is followed by zeros up to a multiple of 128 bytes, so that its length
///   shows little. Equal content has an equal token, because decisions have no randomness: the nonce is a code of the content.
///   Where already that two tokens are equal would show something, the nonce is random.
package enum SealedToken {
    private static let version: UInt8 = 1
    private static let headBytes = 2
    private static let codeBytes = 16
    private static let nonceBytes = 12
    private static let lengthStep = 128
    /// No other code under a signing key is of a text that begins like these. Codes of tokens begin with the version.
    private static let nonceName = Array("token nonce ".utf8)
    private static let cipherName = Array("token cipher key".utf8)
    private static let memberTagName = Array("member tag key".utf8)
    private static let participantName = Array("participant ".utf8)

    // MARK: Sealed

    package static func seal(_ content: [UInt8], for purpose: TokenPurpose, key: [UInt8]) -> String {
        Base64.text(sealed(content, for: purpose, key: key))
    }

    package static func sealInURL(_ content: [UInt8], for purpose: TokenPurpose, key: [UInt8]) -> String {
        Base64.text(sealed(content, for: purpose, key: key), .urlSafe)
    }

    private static func sealed(_ content: [UInt8], for purpose: TokenPurpose, key: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(headBytes + content.count + codeBytes)
        bytes += [version, purpose.rawValue]
        bytes += content
        bytes += code(of: bytes[...], under: SigningKeys.shared[key])
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
        let bytes = try checked(bytes, for: purpose)
        let signed = bytes.dropLast(codeBytes)
        guard isSame(bytes.suffix(codeBytes), code(of: signed, under: SigningKeys.shared[key])) else { throw foreign }
        return Array(signed.dropFirst(headBytes))
    }

    // MARK: Encrypted

    /// - Parameters:
    ///   - content: Of which a reader can tell where it ends.
    ///   - isRandom: Whether the same content has another token each time.
    /// - Throws: ``Refusal/failed``.
    package static func encrypt(
        _ content: [UInt8], for purpose: TokenPurpose, key: [UInt8], isRandom: Bool = false
    ) throws(Refusal) -> String {
        Base64.text(try encrypted(content, for: purpose, key: key, isRandom: isRandom))
    }

    /// - Throws: ``Refusal/failed``.
    package static func encryptInURL(
        _ content: [UInt8], for purpose: TokenPurpose, key: [UInt8]
    ) throws(Refusal) -> String {
        Base64.text(try encrypted(content, for: purpose, key: key), .urlSafe)
    }

    private static func encrypted(
        _ content: [UInt8], for purpose: TokenPurpose, key: [UInt8], isRandom: Bool = false
    ) throws(Refusal) -> [UInt8] {
        let keys = SigningKeys.shared[key]
        var bytes = [version, purpose.rawValue]
        // All addresses of shares have the same length.
        let lengthStep = purpose == .shareAddress ? 16 : lengthStep
        var padded = content
        padded += repeatElement(0, count: (lengthStep - content.count % lengthStep) % lengthStep)
        do {
            let nonce = isRandom ? ChaChaPoly.Nonce() : try nonce(of: padded, for: purpose, under: keys)
            let box = try ChaChaPoly.seal(padded, using: keys.cipher, nonce: nonce, authenticating: bytes)
            bytes += box.combined
            return bytes
        } catch {
            throw .failed
        }
    }

    private static func nonce(
        of padded: [UInt8], for purpose: TokenPurpose, under keys: SigningKeys.Prepared
    ) throws -> ChaChaPoly.Nonce {
        var code = keys.code
        code.update(data: nonceName + [purpose.rawValue])
        padded.withUnsafeBytes { code.update(data: $0) }
        return try ChaChaPoly.Nonce(data: code.finalize().withUnsafeBytes { Array($0.prefix(nonceBytes)) })
    }

    /// The content, and zeros. - Throws: ``Refusal/tokenInvalid(_:)`` for any text that `encrypt` did not create for this purpose.
    package static func decrypt(_ token: String, for purpose: TokenPurpose, key: [UInt8]) throws(Refusal) -> [UInt8] {
        try decrypt(Base64.bytes(exactly: token), for: purpose, key: key)
    }

    /// The content of a token of ``encryptInURL(_:for:key:)``.
    package static func decrypt(
        inURL token: String, for purpose: TokenPurpose, key: [UInt8]
    ) throws(Refusal) -> [UInt8] {
        try decrypt(Base64.bytes(exactly: token, .urlSafe), for: purpose, key: key)
    }

    private static func decrypt(_ bytes: [UInt8]?, for purpose: TokenPurpose, key: [UInt8]) throws(Refusal) -> [UInt8] {
        let bytes = try checked(bytes, for: purpose)
        do {
            let box = try ChaChaPoly.SealedBox(combined: bytes[headBytes...])
            let cipher = SigningKeys.shared[key].cipher
            return [UInt8](try ChaChaPoly.open(box, using: cipher, authenticating: bytes[..<headBytes]))
        } catch {
            throw foreign
        }
    }

    // MARK: Sealed or encrypted

    /// The content of a token that is sealed, or for somebody who may not know what it contains, encrypted.
    ///
    /// - Parameter hidden: The purpose of an encrypted one, of which zeros follow the content.
    static func open(
        _ token: String, for purpose: TokenPurpose, orEncryptedFor hidden: TokenPurpose, key: [UInt8],
        _ alphabet: Base64.Alphabet = .standard
    ) throws(Refusal) -> [UInt8] {
        let bytes = Base64.bytes(exactly: token, alphabet)
        let isHidden = bytes?.dropFirst().first == hidden.rawValue
        return isHidden ? try decrypt(bytes, for: hidden, key: key) : try open(bytes, for: purpose, key: key)
    }

    // MARK: Change tags

    /// The key of ``MemberTags``, in two halves.
    static func memberTagKey(_ key: [UInt8]) -> (UInt64, UInt64) { SigningKeys.shared[key].tags }

    /// The ID of a participant of a share: the same whenever somebody is named there again.
    ///
    /// - Parameter name: By which the owner named them.
    static func participantID(of name: String, in share: ShareNumber, of database: DatabaseNumber, key: [UInt8])
        -> String
    {
        var code = SigningKeys.shared[key].code
        code.update(data: participantName)
        for number in [database, share] { withUnsafeBytes(of: number.bigEndian) { code.update(data: $0) } }
        code.update(data: Array(name.utf8))
        return code.finalize().withUnsafeBytes { bytes in
            UUIDBits(
                high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)), version: 8
            ).text
        }
    }

    // MARK: Both

    private static func checked(_ bytes: [UInt8]?, for purpose: TokenPurpose) throws(Refusal) -> [UInt8] {
        guard let bytes, bytes.count > headBytes + codeBytes, bytes[0] == version else {
            throw .tokenInvalid("Invalid continuation format: send a token exactly as the server returned it")
        }
        guard let actual = TokenPurpose(rawValue: bytes[1]) else { throw foreign }
        guard actual == purpose else {
            throw .tokenInvalid("Unknown sync continuation type: this token was created for another kind of request")
        }
        return bytes
    }

    private static var foreign: Refusal {
        .tokenInvalid("Invalid continuation format: this token was not created by this container")
    }

    private static func code(of bytes: ArraySlice<UInt8>, under keys: SigningKeys.Prepared) -> [UInt8] {
        var code = keys.code
        bytes.withUnsafeBytes { code.update(data: $0) }
        return code.finalize().withUnsafeBytes { Array($0.prefix(codeBytes)) }
    }

    /// Compares in constant time.
    private static func isSame(_ left: ArraySlice<UInt8>, _ right: [UInt8]) -> Bool {
        var difference: UInt8 = left.count == right.count ? 0 : 1
        for (left, right) in zip(left, right) { difference |= left ^ right }
        return difference == 0
    }

    /// What is computed once per signing key: the initial state of its HMAC, which is most of the cost of a short code, and the key
    /// of the cipher.
    private final class SigningKeys: Sendable {
        struct Prepared {
            var code: HMAC<SHA256>
            var cipher: SymmetricKey
            var tags: (UInt64, UInt64)
        }

        static let shared = SigningKeys()

        /// A process uses as many keys as there are containers in use; above this count, all are forgotten and computed again.
        private static let countMax = 4_096

        private let known = Mutex<[[UInt8]: Prepared]>([:])

        /// A thread that would have to wait computes its own: threads that contend for a briefly held lock form a queue.
        subscript(key: [UInt8]) -> Prepared {
            if let prepared = known.withLockIfAvailable({ $0[key] }) ?? nil { return prepared }
            let code = HMAC<SHA256>(key: SymmetricKey(data: key))
            var cipher = code
            cipher.update(data: cipherName)
            var tags = code
            tags.update(data: memberTagName)
            let tagKey = tags.finalize().withUnsafeBytes { bytes in
                (
                    UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                    UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
                )
            }
            let prepared = Prepared(code: code, cipher: SymmetricKey(data: cipher.finalize()), tags: tagKey)
            known.withLockIfAvailable { known in
                if known.count >= Self.countMax { known = [:] }
                known[key] = prepared
            }
            return prepared
        }
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

    /// Appends bytes with their number, so that a reader can tell where they end.
    mutating func append(counted bytes: [UInt8]) {
        append(Int64(bytes.count))
        append(bytes: bytes)
    }

    /// Bytes of ``append(counted:)``.
    mutating func nextCounted() throws(Refusal) -> ArraySlice<UInt8> { try next(Int(clamping: try next())) }

    /// The bytes that have not been read yet.
    package var rest: ArraySlice<UInt8> { bytes[offset...] }
}
