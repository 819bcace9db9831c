import NephosDomain
import NephosRunner
import NephosStorage

extension SiteVisit {
    /// Asks the person of an account that is to be deleted, after they have proved ownership, whether to keep it. May block.
    ///
    /// - Parameter target: The page that continues, as ``SignInVisit``: path and query.
    func askToKeep(_ deletion: AccountDeletionRow, at target: String) throws -> Work {
        let pages = LeavingPages(texts)
        guard deletion.begunAt == 0, now < deletion.dueAt,
            let account = try services.directory.rows(AccountRow.keyed(deletion.account)).first
        else { return answer(pages.tooLate) }
        let form = form(at: target)
        let key = try services.key.bytes(at: now)
        let ticket = RestoreTicket(account: account.id, provedAt: now).sealed(form: form, key: key)
        return answer(pages.keep(account, deletion, form: form, ticket: ticket, target: link(to: target)))
    }
}

extension SignInVisit {
    /// Keeps the account and signs its person in. May block.
    func keepAccount(_ form: SignInAnswers) throws -> Work {
        let key = try services.key.bytes(at: visit.now)
        guard let ticket = RestoreTicket(form.value(of: "ticket"), form: visit.form, key: key, now: visit.now) else {
            return visit.answer(pages.foreignForm)
        }
        let keep = CancelDeletion(account: ticket.account, provedAt: ticket.provedAt, now: visit.now)
        switch try services.host.runner.commitDirectory(keep.reading, decide: keep.decide) {
        case .kept:
            return try signedIn(ticket.account, by: nil, isKept: false)
                ?? visit.answer(LeavingPages(visit.texts).tooLate)
        // The ticket has been used, or a password was set since: nobody is signed in.
        case .isNotLeaving: return try passwordForm()
        case .tooLate: return visit.answer(LeavingPages(visit.texts).tooLate)
        }
    }
}
