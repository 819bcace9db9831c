public import CloudKitWire
public import NephosStorage

extension Catalog {
    /// Whether somebody is a server-to-server key that is good for nothing any more.
    public func isRevokedKey(_ user: UserID) -> Bool {
        keys.values.contains { $0.user == user && $0.revokedAt != 0 }
    }
}
