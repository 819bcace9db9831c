import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// A request to sign in: for an app, by an address from a 421, or to see one's own account.
struct SignInVisit: Sendable {
    let visit: SiteVisit
    /// nil for people who come without an app.
    let app: RequestingApp?
    /// Where people continue if there is no app.
    var next = AccountPages.path

    var services: SignInServices { visit.services }
    var pages: SignInPages { SignInPages(visit.texts, app) }

    /// May block.
    func answer() throws -> Work {
        guard visit.request.method == .post else {
            guard let session = visit.session else { return try passwordForm() }
            if let unannounced = try unannounced(session) { return unannounced }
            guard let app else { return visit.proceed(to: next) }
            return try question(session, app)
        }
        guard let form = visit.answers else { return visit.answer(pages.foreignForm) }
        switch form.value(of: "answer") {
        case "cancel": return refused
        case "other":
            if let session = visit.session { try services.end(session.row) }
            return try SignInVisit(visit: visit.signedOut, app: app).passwordForm()
        case "passkey": return try passkeyUsed(form)
        case "told": return try announced(form)
        case "keep": return try keepAccount(form)
        default: break
        }
        guard let session = visit.session, form.value(of: "step") == "consent" else { return try passwordTyped(form) }
        guard let app else { return visit.proceed(to: next) }
        return try enter(session, app)
    }

    /// The first form, with the problem of the previous attempt. May block.
    func passwordForm(email: String = "", problem: SignInPages.Problem? = nil) throws -> Work {
        let passkey = try visit.passkeys?.optionsOfUse(on: visit.passkeyPage(), services.host.randomSource)
        let query = app == nil ? "" : visit.request.target.query
        return visit.answer(
            pages.password(
                form: visit.form, passkey: passkey, email: email, problem: problem,
                recovery: visit.link(to: RecoveryVisit.path + query),
                signUp: app?.signUp == nil ? nil : visit.link(to: SignUpVisit.path + query)))
    }

    private func question(_ session: BrowserSession, _ app: RequestingApp) throws -> Work {
        let knows = try EnterContainer.hasConsent(of: session.account.id, app)
        return visit.answer(pages.consent(form: visit.form, session.account, isGiven: knows))
    }

    private var refused: Work {
        guard let app else { return visit.proceed(to: "/") }
        return visit.answer(pages.refused(to: app.destination))
    }

    // MARK: The password

    private func passwordTyped(_ form: SignInAnswers) throws -> Work {
        let email = String(form.value(of: "email")[...].trimmed)
        let isKept = form.value(of: "keep") == "yes"
        @Sendable func again(_ problem: SignInPages.Problem) throws -> Work {
            try passwordForm(email: email, problem: problem)
        }
        // No account has such an address, and the attempt need not be counted.
        guard email.utf8.count <= EmailAddress.typedBytesMax else { return try again(.wrong) }
        let counted: SignInWaits.Counted
        switch try services.waits.begin(try services.attempt(email, in: visit), now: visit.now) {
        case .counted(let attempt): counted = attempt
        case .wait(let seconds): return try again(.wait(seconds))
        }
        let claim = try services.claim(email, form.value(of: "password"))
        return services.comparing(claim, counted, in: visit, busy: { try again(.busy) }) { method in
            guard let method, let goneOn = try proved(method, isKept: isKept) else { return try again(.wrong) }
            return goneOn
        }
    }

    // MARK: Signed in

    /// Continues with a person who has proved to own an account, and is signed in in this browser from now on. May block.
    ///
    /// - Parameter method: The method of the proof.
    /// - Returns: nil if the account or the method is gone.
    func proved(_ method: SignInMethodRow, isKept: Bool) throws -> Work? {
        try signedIn(method.account, by: method, isKept: isKept)
    }

    /// The same for any proof. - Parameter method: nil for one that was used up in a commit of its own.
    func signedIn(_ account: String, by method: SignInMethodRow?, isKept: Bool) throws -> Work? {
        let session: BrowserSession
        switch try services.begin(account, by: method, isKept: isKept, in: visit) {
        case .session(let begun): session = begun
        case .leaving(let deletion): return try visit.askToKeep(deletion, at: visit.request.target)
        case .gone: return nil
        }
        let visit = SignInVisit(visit: try visit.signedIn(by: session), app: app, next: next)
        if let unannounced = try visit.unannounced(session) { return unannounced }
        guard let app else { return visit.visit.proceed(to: next) }
        // Typing a password is consent enough; the question is for an app that is new to the person.
        guard try EnterContainer.hasConsent(of: account, app) else { return try visit.question(session, app) }
        return try visit.enter(session, app)
    }

    // MARK: Accesses by others

    /// The page that shows accesses by others to a person who signs in; nil if there is nothing to show. May block.
    func unannounced(_ session: BrowserSession) throws -> Work? {
        let accesses = try services.places.unannounced(of: session.account.id)
        return accesses.isEmpty
            ? nil : visit.answer(AccessPages(visit.texts).unannounced(accesses, form: visit.form, at: visit.now))
    }

    /// Continues after the person has read it. May block.
    func announced(_ form: SignInAnswers) throws -> Work {
        guard let session = visit.session else { return try passwordForm() }
        return try announced(form, session) {
            guard let app else { return visit.proceed(to: next) }
            return try question(session, app)
        }
    }

    /// The same with another continuation.
    func announced(
        _ form: SignInAnswers, _ session: BrowserSession, then proceed: @escaping @Sendable () throws -> Work
    ) throws -> Work {
        let homes = try services.places.unannounced(of: session.account.id).map(\.home)
        let password = try services.directory.rows(SignInMethodRow.password(of: session.account.id)).first
        let until = min(Milliseconds(form.value(of: "until")) ?? 0, visit.now)
        return services.after(visit.texts) { [places = services.places] done in
            places.markAnnounced(homes[...], until: until, chosen: password?.createdAt ?? 0, done)
        } proceed: {
            try proceed()
        }
    }

    /// May block.
    private func enter(_ session: BrowserSession, _ app: RequestingApp) throws -> Work {
        let randomSource = services.host.randomSource
        let (id, nonce) = (randomSource.bytes(16), randomSource.next())
        return try services.enter(
            session.account.id, app, id, session.row.isKept ? .kept : .short,
            from: RequestSource(visit.request, token: app.token), at: visit.now
        ) { made in
            guard let text = made.flatMap({ WebAuthToken.issue(for: $0, nonce: nonce) }) else {
                return visit.answer(pages.failed(to: app.destination))
            }
            return visit.answer(pages.done(text, to: app.destination))
        }
    }
}

extension String {
    /// The part of a target from the question mark on; empty for none.
    var query: String { firstIndex(of: "?").map { String(self[$0...]) } ?? "" }
}
