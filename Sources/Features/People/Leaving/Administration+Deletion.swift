import NephosRunner
import NephosStorage

extension Administration {
    /// Schedules an account for deletion in a week, or immediately, and signs its person out everywhere.
    ///
    /// - Parameters:
    ///   - takesPublic: Whether what they created in public databases is deleted, too.
    ///   - isAtOnce: Deletes immediately, without a chance to change one's mind. Call ``erase(_:files:progress:)`` next.
    /// - Throws: ``AdminError/noAccount(_:)``.
    func deleteAccount(
        _ email: String, takesPublic: Bool, isAtOnce: Bool
    ) async throws(AdminError) -> AccountDeletionRow {
        let account = try account(email: email)
        let ask = ScheduleDeletion(account: account.id, takesPublic: takesPublic, isAtOnce: isAtOnce, now: inputs.now())
        guard let deletion = try commitDirectory(ask.reading, ask.decide) else { throw .noAccount(email) }
        if !isAtOnce { try await endSessions(deletion) }
        return deletion
    }

    /// Cancels the deletion of an account. Its person has to sign in again.
    ///
    /// - Throws: ``AdminError/noAccount(_:)``; ``AdminError/refused(_:)`` if no deletion is scheduled, or it is too late.
    func keepAccount(_ email: String) throws(AdminError) {
        let account = try account(email: email)
        let keep = CancelDeletion(account: account.id, now: inputs.now())
        switch try commitDirectory(keep.reading, keep.decide) {
        case .kept: return
        case .isNotLeaving: throw .refused("\(account.shownEmail) is not being deleted.")
        case .tooLate:
            throw .refused(
                "It is too late: \(account.shownEmail) is being deleted now. Afterwards a new account can be created with the address."
            )
        }
    }
}
