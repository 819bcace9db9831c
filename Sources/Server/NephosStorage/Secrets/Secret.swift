import CloudKitWire

/// Bytes that must be read again and that nobody may learn from a copy of the store: what signs tokens, calls and pushes
/// (docs/decisions/0021). Engines seal it when it is written, and open it when it was read.
public struct Secret: Sendable {
    /// nil where it could not be opened: nothing may be signed or believed then.
    public private(set) var bytes: [UInt8]?
    /// As it lies in the store: sealed, or in the clear where it was not sealed yet.
    package private(set) var stored: [UInt8]

    /// A new one, which is sealed when it is written.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        stored = bytes
    }

    /// As it was read; ``open(by:for:)`` follows.
    package init(stored: [UInt8]) {
        self.stored = stored
        bytes = SecretKey.id(of: stored) == nil ? stored : nil
    }

    /// In a column of text: sealed it is Base64 there.
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

    /// The bytes as text; nil where it could not be opened.
    public var text: String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

    /// Whether a copy of the store does not tell it. Nothing is no secret.
    package var isSealed: Bool { stored.isEmpty || SecretKey.id(of: stored) != nil }

    /// - Parameter place: What it was sealed for: it opens nowhere else.
    mutating func open(by keys: SecretKeys, for place: [UInt8]) {
        guard bytes == nil else { return }
        bytes = keys.opened(stored, for: place)
    }

    /// Seals it under a key, unless it is. One that could not be opened stays as it is.
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
    /// By what it is, not by how it was sealed.
    public static func == (left: Secret, right: Secret) -> Bool { left.identity == right.identity }

    public func hash(into hasher: inout Hasher) { hasher.combine(identity) }

    private var identity: [UInt8] { bytes ?? stored }
}

extension Secret: CustomStringConvertible, CustomReflectable {
    /// Says nothing of it, so that no message does.
    public var description: String { "a secret" }

    public var customMirror: Mirror { Mirror(self, children: []) }
}
