import NephosRunner
import NephosStorage

/// A change to an account of which its person is notified by mail, whoever made it.
enum Notice: Sendable {
    case passwordChanged, passkeyAdded
    /// Sent to the previous address.
    case addressChanged(to: String)
}

extension SiteVisit {
    /// Whether pages can send mails. May block.
    func mailing() throws -> Mailing { try services.mailing(for: request) }

    /// The notice as a mail, with a link if there is an origin for it; nil if mails are not set up, or the account's address is not a
    /// valid recipient.
    func mail(of notice: Notice, to account: AccountRow) throws -> NewMail? {
        let mailing = try mailing()
        guard mailing.isSetUp, let address = try? MailAddress(account.email) else { return nil }
        let texts = texts.links
        let reset = mailing.origin.map { texts.resetIt.filled($0 + RecoveryVisit.path) } ?? texts.askOperator
        let (done, toDo) =
            switch notice {
            case .passwordChanged: (texts.passwordChanged, reset)
            case .passkeyAdded: (texts.passkeyAdded, reset)
            // This address can no longer be used to reset a password.
            case .addressChanged(let new): (texts.addressChanged.filled(EmailAddress.shown(new)), texts.askOperator)
            }
        return try NewMail(
            to: address, subject: texts.noticeSubject,
            text: texts.noticeMail.filled(account.shownEmail, server(mailing), done, toDo), for: "notice",
            id: services.host.randomSource.bytes(16), at: now)
    }

    /// The notice for an account that is to be deleted.
    func mailOfDeletion(to account: AccountRow) throws -> NewMail? {
        let mailing = try mailing()
        guard mailing.isSetUp, let address = try? MailAddress(account.email) else { return nil }
        let signIn = mailing.origin.map { ":\n\n\($0)\(SignInRequest.path)" } ?? "."
        let day = String((now + ScheduleDeletion.delay).asDate.prefix(10))
        return try NewMail(
            to: address, subject: texts.leaving.subject,
            text: texts.leaving.mail.filled(account.shownEmail, server(mailing), day, signIn), for: "notice",
            id: services.host.randomSource.bytes(16), at: now)
    }

    private func server(_ mailing: Mailing) -> String { mailing.origin.map { texts.links.atServer.filled($0) } ?? "" }
}
