import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// A request that follows a link sent by mail. A GET does not use the link up, because programs that scan mails also fetch it.
struct LinkVisit: Sendable {
    static let path = "/verify"

    let visit: SiteVisit

    private var services: SignInServices { visit.services }
    private var pages: LinkPages { LinkPages(visit.texts) }

    /// May block.
    func answer() throws -> Work {
        let directory = services.host.runner.engine.directory
        guard let secret = RequestParameters(visit.request.target).value(of: "link"),
            let link = try directory.rows(MailLinkRow.keyed(MailLinks.id(of: secret))).first,
            link.isValid(at: visit.now)
        else { return visit.answer(pages.expired) }
        // Otherwise somebody could get the owner of an address to confirm it for a foreign account.
        guard link.kind != .changeEmail || visit.session?.account.id == link.account else {
            return visit.answer(pages.signInFirst(at: visit.link(to: SignInRequest.path)))
        }
        guard visit.request.method == .post else { return form(link, nil) }
        guard let answers = visit.answers else { return visit.answer(pages.foreignForm) }
        guard link.kind != .changeEmail else { return try use(link, name: "", verifier: nil, nil) }
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
        // A link that cannot be used any more, because its address is taken, must not be good for hashing without end.
        let counted: SignInWaits.Counted
        switch try services.waits.begin(.init(link: link.id, from: visit.request.network), now: visit.now) {
        case .counted(let attempt): counted = attempt
        case .wait(let seconds):
            return form(link, visit.texts.account.again.filled("\(seconds)"), status: 429)
        }
        let busy: @Sendable () throws -> Work = {
            try services.waits.takeBack(counted)
            return form(link, visit.texts.signIn.busy, status: 429)
        }
        return services.hashing(password, in: visit, busy: busy) { hash in
            try afterSigningOutApps(link) { try use(link, name: name, verifier: hash.text, counted) }
        }
    }

    /// Continues after all apps are signed out of an account that is being recovered and whose address was never verified: they
    /// may belong to whoever created it. If the link then turns out void, they have to sign in again.
    private func afterSigningOutApps(_ link: MailLinkRow, then proceed: @escaping @Sendable () throws -> Work) throws
        -> Work
    {
        guard link.kind == .recover, try !services.directory.rows(UnverifiedAccountRow.of(link.account)).isEmpty else {
            return try proceed()
        }
        // Before, in case this process dies in between; and after, because a person who is still signed in until then may sign in
        // to an app again.
        return try signedOut(link.account) {
            let answer = try proceed()
            return try signedOut(link.account) { answer }
        }
    }

    private func signedOut(_ account: String, then proceed: @escaping @Sendable () throws -> Work) throws -> Work {
        let homes = try services.places.homes(of: account)
        return services.after(visit.texts) { [places = services.places] done in
            places.signOut(of: homes[...], forgetting: true, done)
        } proceed: {
            try proceed()
        }
    }

    private func form(_ link: MailLinkRow, _ problem: String?, status: Int = 200) -> Work {
        visit.answer(
            pages.form(
                link, form: visit.form, name: visit.answers?.value(of: "name") ?? "", problem: problem, status: status))
    }

    /// - Parameter attempt: Taken back if the link was used.
    private func use(
        _ link: MailLinkRow, name: String, verifier: String?, _ attempt: SignInWaits.Counted?
    ) throws -> Work {
        let account = try visit.inputs.account(email: link.email, name: name)
        let use = UseLink(
            link: link, newAccount: account, verifier: verifier, notice: try notice(of: link), now: visit.now)
        switch try services.host.runner.commitDirectory(use.reading, decide: use.decide) {
        case .expired: return visit.answer(pages.expired)
        case .taken: return visit.answer(pages.taken)
        case .done(let account):
            if let attempt { try services.waits.takeBack(attempt) }
            // A changed address has just been verified; nothing else changes in any browser.
            guard link.kind != .changeEmail else { return visit.answer(pages.changed(link.email)) }
            let session: BrowserSession
            switch try services.begin(account, by: nil, isKept: false, in: visit) {
            case .session(let begun): session = begun
            case .leaving(let deletion): return try visit.askToKeep(deletion, at: SignInRequest.path)
            case .gone: return visit.answer(pages.expired)
            }
            let visit = try visit.signedIn(by: session)
            // An app that waits for a message gets it from its own window, not from one opened by a mail.
            return canProceed(to: link.next)
                ? visit.proceed(to: link.next)
                : visit.answer(pages.ready(link.kind, account: visit.link(to: AccountPages.path)))
        }
    }
}

extension LinkVisit {
    /// Whether an app is still waiting there: its request expires before the link does.
    private func canProceed(to target: String) -> Bool {
        !target.isEmpty && (try? RequestingApp(target, services.host.runner, now: visit.now)) != nil
    }

    /// nil for a link that creates an account or sets its first password.
    private func notice(of link: MailLinkRow) throws -> NewMail? {
        let directory = services.host.runner.engine.directory
        guard link.kind != .signUp, let account = try directory.rows(AccountRow.keyed(link.account)).first else {
            return nil
        }
        let notice = link.kind == .recover ? Notice.passwordChanged : .addressChanged(to: link.email)
        return try visit.mail(of: notice, to: account)
    }
}

extension SiteVisit {
    /// For creating accounts with the same code as operator commands.
    var inputs: Inputs {
        Inputs(
            author: "person", now: { [now] in now },
            randomBytes: { [randomSource = services.host.randomSource] in randomSource.bytes($0) })
    }
}

extension SignInServices {
    /// Hashes a new password on dedicated threads, then continues on a thread that may block. Call it
    /// once the request has been counted by whatever limits it.
    func hashing(
        _ password: Password, in visit: SiteVisit, busy: @escaping @Sendable () throws -> Work,
        _ proceed: @escaping @Sendable (PasswordHash) throws -> Work
    ) -> Work {
        let (salt, texts) = (host.randomSource.bytes(PasswordHash.saltBytes), visit.texts)
        return .later { [self] done in
            perform(for: .newPassword, in: visit) { isTaken in
                guard isTaken else { return done(.blocking { try answering(texts, busy) }) }
                let hash = Result { try PasswordHash(of: password, salt: salt, cost: cost) }
                done(.blocking { try answering(texts) { try proceed(try hash.get()) } })
            }
        }
    }
}
