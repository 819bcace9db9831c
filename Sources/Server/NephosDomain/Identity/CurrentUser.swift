public import CloudKitWire

extension RequestContext {
    /// Who asks, for `users/caller` and the older `users/current`.
    ///
    /// - Parameter allowsKeys: Whether a server-to-server key may ask; everything else about users is closed to it.
    /// - Throws: ``Refusal/authenticationRequired`` when nobody is signed in.
    public func currentUser(allowsKeys: Bool) throws(Refusal) -> UserID {
        try require(.public, .private)
        guard let user = caller.user else { throw .authenticationRequired }
        if case .serverKey = caller, !allowsKeys {
            throw .authenticationFailed("of the users endpoints, a server-to-server key reaches users/caller only")
        }
        return user
    }
}
