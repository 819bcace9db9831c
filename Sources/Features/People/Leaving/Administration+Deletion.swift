import NephosRunner
import NephosStorage

extension Administration {
    /// Has an account deleted in a week, or at once, and its person signed out everywhere.
    ///
    /// - Parameters:
    ///   - takesPublic: What they have made in public databases goes, too.
    ///   - isAtOnce: Nobody can change their mind. ``erase(_:files:progress:)`` is to follow.
    /// - Throws: ``AdminError/noAccount(_:)``.
    func deleteAccount(
        _ email: String, takesPublic: Bool, isAtOnce: Bool
    ) async throws(AdminError) -> AccountDeletionRow {
        let account = try account(email: email)
        let ask = AskDeletion(account: account.id, takesPublic: takesPublic, isAtOnce: isAtOnce, now: inputs.now())
        guard let deletion = try commitDirectory(ask.reading, ask.decide) else { throw .noAccount(email) }
        if !isAtOnce { try await endSessions(deletion) }
        return deletion
    }

    /// Keeps an account that was to be deleted. Its person signs in anew.
    ///
    /// - Throws: ``AdminError/noAccount(_:)``; ``AdminError/refused(_:)`` where there is nothing to take back, or it is too late.
    func keepAccount(_ email: String) throws(AdminError) {
        let account = try account(email: email)
        let keep = KeepAccount(account: account.id, now: inputs.now())
        switch try commitDirectory(keep.reading, keep.decide) {
        case .kept: return
        case .isNotLeaving: throw .refused("\(account.email) is not being deleted.")
        case .tooLate:
            throw .refused(
                "It is too late: \(account.email) is being deleted now. Once that is over a new account can be made with the address."
            )
        }
    }
}
