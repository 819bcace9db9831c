public import CloudKitWire
public import NephosStorage

extension Catalog {
    /// Whether a user is a revoked server-to-server key.
    public func isRevokedKey(_ user: UserID) -> Bool {
        keys.values.contains { $0.user == user && $0.revokedAt != 0 }
    }
}
