import CloudKitWire

/// Bytes that the server must be able to read, but that a copy of the store must not reveal: keys that sign tokens, calls and
/// pushes (docs/decisions/0021). Engines seal it on writing, and open it after reading.
public struct Secret: Sendable {
    /// The opened secret; nil if it could not be opened: nothing may be signed or trusted then.
    public private(set) var bytes: [UInt8]?
    /// The stored form: sealed, or in the clear if it was not sealed yet.
    package private(set) var stored: [UInt8]

    /// A new secret, which is sealed when it is written.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        stored = bytes
    }

    /// A secret as it was read; call ``open(by:for:)`` next.
    package init(stored: [UInt8]) {
        self.stored = stored
        bytes = SecretKey.id(of: stored) == nil ? stored : nil
    }

    /// From a text column, where a sealed secret is stored as Base64.
    init(storedText text: String) {
        if let sealed = Base64.bytes(exactly: text, .standard), SecretKey.id(of: sealed) != nil {
            self.init(stored: sealed)
        } else {
            self.init(stored: Array(text.utf8))
        }
    }

    var storedText: String {
        SecretKey.id(of: stored) == nil ? String(decoding: stored, as: UTF8.self) : Base64.text(stored, .standard)
    }

    /// The bytes as text; nil if it could not be opened.
    public var text: String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

    /// Whether it is sealed, so that a copy of the store does not reveal it. An empty value needs no seal.
    package var isSealed: Bool { stored.isEmpty || SecretKey.id(of: stored) != nil }

    /// - Parameter place: What it was sealed for: it cannot be opened elsewhere.
    mutating func open(by keys: SecretKeys, for place: [UInt8]) {
        guard bytes == nil else { return }
        bytes = keys.opened(stored, for: place)
    }

    /// Seals it under a key, unless it is sealed under that key already. A secret that could not be opened stays as it is.
    ///
    /// - Parameter key: nil for a store in the clear.
    mutating func seal(under key: SecretKey?, for place: [UInt8]) throws(StorageError) {
        guard let bytes, !bytes.isEmpty else { return }
        guard let key else {
            stored = bytes
            return
        }
        if SecretKey.id(of: stored) != key.id { stored = try key.seal(bytes, for: place) }
    }
}

extension Secret: Hashable {
    /// Compares the secrets, not their sealed forms.
    public static func == (left: Secret, right: Secret) -> Bool { left.identity == right.identity }

    public func hash(into hasher: inout Hasher) { hasher.combine(identity) }

    private var identity: [UInt8] { bytes ?? stored }
}

extension Secret: CustomStringConvertible, CustomReflectable {
    /// Contains nothing of the secret, so that no message reveals it.
    public var description: String { "a secret" }

    public var customMirror: Mirror { Mirror(self, children: []) }
}
