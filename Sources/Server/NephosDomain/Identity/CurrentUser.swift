public import CloudKitWire

extension RequestContext {
    /// The calling user, for `users/caller` and the older `users/current`.
    ///
    /// - Parameter allowsKeys: Whether a server-to-server key is accepted; all other calls about users are closed to it.
    /// - Throws: ``Refusal/authenticationRequired`` if nobody is signed in.
    public func currentUser(allowsKeys: Bool) throws(Refusal) -> UserID {
        try require(.public, .private)
        guard let user = caller.user else { throw .authenticationRequired }
        if case .serverKey = caller, !allowsKeys {
            throw .authenticationFailed("a server-to-server key can use users/caller, but no other call about users")
        }
        return user
    }
}
