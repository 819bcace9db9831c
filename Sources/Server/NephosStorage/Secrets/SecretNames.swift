/// Which keys a store names: the one that its secrets are sealed under, and while they are sealed anew the next.
public struct SecretNames: Sendable, Equatable {
    /// ``SecretKey/id``; 0 in a store in the clear.
    public var key: Int64
    /// The one under which they are being sealed; 0 where nothing is under way.
    public var next: Int64

    /// Names keys; without arguments, those of a store in the clear.
    public init(key: Int64 = 0, next: Int64 = 0) {
        self.key = key
        self.next = next
    }

    /// What new secrets are sealed under; 0 in the clear.
    public var current: Int64 { next == 0 ? key : next }
}
