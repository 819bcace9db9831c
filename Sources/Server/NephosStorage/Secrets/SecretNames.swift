/// The keys that a store names: the one that its secrets are sealed under, and, while they are resealed, the next one.
public struct SecretNames: Sendable, Equatable {
    /// The ``SecretKey/id`` of the key that secrets are sealed under; 0 for a store in the clear.
    public var key: Int64
    /// The key under which secrets are being resealed; 0 if no resealing is in progress.
    public var next: Int64

    /// Names keys; without arguments, those of a store in the clear.
    public init(key: Int64 = 0, next: Int64 = 0) {
        self.key = key
        self.next = next
    }

    /// The key that new secrets are sealed under; 0 for a store in the clear.
    public var current: Int64 { next == 0 ? key : next }
}
