import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Somebody who has followed a link that came by mail. To look at it uses nothing up, for programs that read mails do so, too.
struct LinkVisit: Sendable {
    static let path = "/verify"

    let visit: SiteVisit

    private var desk: SignInDesk { visit.desk }
    private var pages: LinkPages { LinkPages(visit.texts) }

    /// May wait.
    func answer() throws -> Work {
        let directory = desk.host.runner.engine.directory
        guard let secret = RequestParameters(visit.request.target).value(of: "link"),
            let link = try directory.rows(MailLinkRow.keyed(MailLinks.id(of: secret))).first,
            link.isGood(at: visit.now)
        else { return visit.answer(pages.over) }
        // Who has an account at an address of somebody else's must not get them to confirm it.
        guard link.kind != .changeEmail || visit.session?.account.id == link.account else {
            return visit.answer(pages.signInFirst)
        }
        guard visit.request.method == .post else { return form(link, nil) }
        guard let answers = visit.answers else { return visit.answer(pages.foreignForm) }
        guard link.kind != .changeEmail else { return try use(link, name: "", verifier: nil) }
        let password: Password
        do throws(Password.Fault) {
            password = try Password.new(answers.value(of: "password"), for: link.email)
        } catch {
            return form(link, visit.texts.passwords.fault(error), status: 400)
        }
        let name = answers.value(of: "name")
        guard (try? Validation.name(name, of: "name")) != nil else {
            return form(link, visit.texts.links.badName, status: 400)
        }
        return desk.hashing(password, visit.texts, busy: { form(link, visit.texts.signIn.busy, status: 429) }) { hash in
            try withoutOthers(link) { try use(link, name: name, verifier: hash.text) }
        }
    }

    /// Goes on once all apps are signed out of an account that is recovered and whose address nobody had verified: they may be those of
    /// somebody else who made it. Should nothing come of the link after that, they sign in again.
    private func withoutOthers(_ link: MailLinkRow, then goOn: @escaping @Sendable () throws -> Work) throws -> Work {
        guard link.kind == .recover, try !desk.directory.rows(UnverifiedRow.of(link.account)).isEmpty else {
            return try goOn()
        }
        // Before, should this end in between, and after, for whoever is in here until then may sign an app in again.
        return try signedOut(link.account) {
            let answer = try goOn()
            return try signedOut(link.account) { answer }
        }
    }

    private func signedOut(_ account: String, then goOn: @escaping @Sendable () throws -> Work) throws -> Work {
        let homes = try desk.places.homes(of: account)
        return desk.after(visit.texts) { [places = desk.places] done in
            places.signOut(of: homes[...], forgetting: true, done)
        } goOn: {
            try goOn()
        }
    }

    private func form(_ link: MailLinkRow, _ problem: String?, status: Int = 200) -> Work {
        visit.answer(pages.form(link, form: visit.form, problem: problem, status: status))
    }

    private func use(_ link: MailLinkRow, name: String, verifier: String?) throws -> Work {
        let account = try visit.inputs.account(email: link.email, name: name)
        let use = UseLink(
            link: link, newAccount: account, verifier: verifier, notice: try notice(of: link), now: visit.now)
        switch try desk.host.runner.commitDirectory(use.reading, decide: use.decide) {
        case .over: return visit.answer(pages.over)
        case .taken: return visit.answer(pages.taken)
        case .done(let account):
            // Whoever has an address has just shown that it is theirs; of another browser nothing changes.
            guard link.kind != .changeEmail else { return visit.answer(pages.changed(link.email)) }
            let session: BrowserSession
            switch try desk.begin(account, by: nil, isKept: false, in: visit) {
            case .session(let begun): session = begun
            case .leaving(let deletion): return try visit.askToKeep(deletion, at: SignInRequest.path)
            case .gone: return visit.answer(pages.over)
            }
            let visit = try visit.signedIn(by: session)
            // A page that waits for a message is told by its own window, not by the one that a mail opened.
            return canGoOn(to: link.next) ? visit.goOn(to: link.next) : visit.answer(pages.ready(link.kind))
        }
    }
}

extension LinkVisit {
    /// Whether an app still waits there: what it asked for is over before a link is.
    private func canGoOn(to target: String) -> Bool {
        !target.isEmpty && (try? AskingApp(target, desk.host.runner, now: visit.now)) != nil
    }

    /// nil where a link is followed that makes an account, or gives one its first password.
    private func notice(of link: MailLinkRow) throws -> NewMail? {
        let directory = desk.host.runner.engine.directory
        guard link.kind != .signUp, let account = try directory.rows(AccountRow.keyed(link.account)).first else {
            return nil
        }
        let notice = link.kind == .recover ? Notice.passwordChanged : .addressChanged(to: link.email)
        return try visit.mail(of: notice, to: account)
    }
}

extension SiteVisit {
    /// For what is made as operators make it.
    var inputs: Inputs {
        Inputs(
            author: "person", now: { [now] in now }, randomBytes: { [chance = desk.host.chance] in chance.bytes($0) })
    }
}

extension SignInDesk {
    /// Has a password hashed on the threads for it, and goes on on one that may wait.
    func hashing(
        _ password: Password, _ texts: Texts, busy: @escaping @Sendable () throws -> Work,
        _ goOn: @escaping @Sendable (PasswordHash) throws -> Work
    ) -> Work {
        let salt = host.chance.bytes(PasswordHash.saltBytes)
        return .later { [self] done in
            let isTaken = threads.perform {
                let hash = Result { try PasswordHash(of: password, salt: salt, cost: cost) }
                done(.blocking { try answering(texts) { try goOn(try hash.get()) } })
            }
            if !isTaken { done(.blocking { try answering(texts, busy) }) }
        }
    }
}
