import CloudKitWire
import Crypto

/// A key under which a store seals secrets: 32 random bytes, which are not in the store.
public struct SecretKey: Sendable, Equatable {
    /// Identifies the key in a store, without revealing anything about the key. Never 0.
    public let id: Int64
    private let key: SymmetricKey

    /// Creates a key from its bytes.
    ///
    /// - Parameter bytes: The 32 bytes of the key. The result is nil for any other number of bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.init(SymmetricKey(data: bytes))
    }

    /// A new key, from the system's random number generator.
    package static func random() -> SecretKey { SecretKey(SymmetricKey(size: .bits256)) }

    private init(_ key: SymmetricKey) {
        self.key = key
        let code = HMAC<SHA256>.authenticationCode(for: Array("nephos secret key".utf8), using: key)
        let number = code.prefix(8).reduce(0) { $0 << 8 | Int64($1) }
        id = number == 0 ? 1 : number
    }

    /// Reads a key from text; nil if it is not the Base64 form of 32 bytes.
    ///
    /// - Parameter text: Base64, as in key files.
    public init?(text: some StringProtocol) {
        guard let bytes = Base64.bytes(exactly: String(text), .standard) else { return nil }
        self.init(bytes)
    }

    /// The number of bytes of a key.
    public static let byteCount = 32

    /// The key in Base64, for a key file.
    public var text: String { key.withUnsafeBytes { Base64.text(Array($0), .standard) } }

    // MARK: Sealing

    // A sealed value consists of: marker, the key's id (8 bytes), and the output of AES-GCM, including nonce and tag.
    private static let marker: [UInt8] = Array("NeS1".utf8)
    private static let headBytes = marker.count + 8
    private static let overhead = headBytes + 12 + 16

    /// The id of the key that a stored value is sealed under; nil for one in the clear.
    static func id(of stored: [UInt8]) -> Int64? {
        guard stored.count >= overhead, stored.starts(with: marker) else { return nil }
        return stored[marker.count..<headBytes].reduce(0) { $0 << 8 | Int64($1) }
    }

    /// - Parameter place: Where it will be stored: it cannot be opened elsewhere.
    func seal(_ bytes: [UInt8], for place: [UInt8]) throws(StorageError) -> [UInt8] {
        let number = UInt64(bitPattern: id)
        let head = Self.marker + (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) }
        do {
            let box = try AES.GCM.seal(bytes, using: key, authenticating: place)
            guard let combined = box.combined else { throw CryptoKitError.incorrectParameterSize }
            return head + combined
        } catch {
            throw .failed("a secret cannot be sealed")
        }
    }

    /// nil for a value that was not sealed under this key for this place, or was changed since.
    func open(_ stored: [UInt8], for place: [UInt8]) -> [UInt8]? {
        guard let box = try? AES.GCM.SealedBox(combined: stored[Self.headBytes...]),
            let opened = try? AES.GCM.open(box, using: key, authenticating: place)
        else { return nil }
        return Array(opened)
    }
}
