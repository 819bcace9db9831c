import NephosRunner
import NephosStorage

/// What somebody is told by mail of their account, whoever has done it: they may not have.
enum Notice: Sendable {
    case passwordChanged, passkeyAdded
    /// To the address of before.
    case addressChanged(to: String)
}

extension SiteVisit {
    /// A mail of it; nil where no mail is sent, or none can go to the address of the account.
    func mail(of notice: Notice, to account: AccountRow) throws -> NewMail? {
        guard try desk.sendsMails(), let address = try? MailAddress(account.email) else { return nil }
        let texts = texts.links
        let reset = texts.resetIt.filled(own.text + RecoveryVisit.path)
        let (done, toDo) =
            switch notice {
            case .passwordChanged: (texts.passwordChanged, reset)
            case .passkeyAdded: (texts.passkeyAdded, reset)
            // Nobody can reset a password by this address any more.
            case .addressChanged(let new): (texts.addressChanged.filled(new), texts.askOperator)
            }
        return try NewMail(
            to: address, subject: texts.noticeSubject,
            text: texts.noticeMail.filled(account.email, own.text, done, toDo), for: "notice",
            id: desk.host.chance.bytes(16), at: now)
    }

    /// The same of an account that is to be deleted.
    func mailOfDeletion(to account: AccountRow) throws -> NewMail? {
        guard try desk.sendsMails(), let address = try? MailAddress(account.email) else { return nil }
        let day = String((now + AskDeletion.delay).asDate.prefix(10))
        return try NewMail(
            to: address, subject: texts.leaving.subject,
            text: texts.leaving.mail.filled(account.email, own.text, day, own.text + SignInRequest.path), for: "notice",
            id: desk.host.chance.bytes(16), at: now)
    }
}
