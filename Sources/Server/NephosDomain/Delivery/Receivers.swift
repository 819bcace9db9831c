public import CloudKitWire
public import NephosStorage

extension Catalog {
    /// Whether somebody is a server-to-server key that is good for nothing any more.
    public func isRevokedKey(_ user: UserID) -> Bool {
        keys.values.contains { $0.user == user && $0.revokedAt != 0 }
    }
}

extension DeviceRow {
    /// The only subscription that a webhook is told of: the one that was made with it.
    ///
    /// - Parameter id: Of the webhook.
    public static func webhookSubscription(_ id: [UInt8]) -> Name { Name("webhook-\(Hexadecimal.text(id.prefix(8)))") }
}
