package import CloudKitWire

/// Identifies the device that made a change, so that it is not notified of it.
///
/// A `clientId` is an arbitrary text of a client: devices of two people may have the same, and nobody must be able to suppress
/// another person's notifications. So it is combined with the person.
package enum ChangeAuthor {
    /// - Parameter client: The `clientId` of the request, or of the device.
    /// - Returns: Empty if it cannot be determined.
    package static func name(_ client: String, of user: UserID?) -> String {
        guard !client.isEmpty, let user else { return "" }
        return "\(user.recordName) \(client)"
    }
}

extension RequestContext {
    /// The calling device; empty if it does not identify itself.
    var author: String { ChangeAuthor.name(client, of: caller.user) }
}
