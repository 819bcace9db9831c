package import CloudKitWire

/// Names the device that made a change, so that it is not told of it.
///
/// A `clientId` is whatever a client says: two people's devices may have the same, and nobody shall keep another's from
/// being told. So it counts together with the person.
package enum ChangeAuthor {
    /// - Parameter client: The `clientId` of the request, or of the device.
    /// - Returns: Empty where there is no telling.
    package static func name(_ client: String, of user: UserID?) -> String {
        guard !client.isEmpty, let user else { return "" }
        return "\(user.recordName) \(client)"
    }
}

extension RequestContext {
    /// The device that asks; empty where it does not name itself.
    var author: String { ChangeAuthor.name(client, of: caller.user) }
}
