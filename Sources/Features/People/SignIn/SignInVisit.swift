import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Somebody who has come to sign in: for an app, by an address that a 421 gave it, or to see their account.
struct SignInVisit: Sendable {
    let visit: SiteVisit
    /// nil for who comes by themselves.
    let app: AskingApp?
    /// Where they go on who come by themselves.
    var next = AccountPages.path

    var desk: SignInDesk { visit.desk }
    var pages: SignInPages { SignInPages(visit.texts, app) }

    /// May wait.
    func answer() throws -> Work {
        guard visit.request.method == .post else {
            guard let session = visit.session else { return try passwordForm() }
            if let untold = try untold(session) { return untold }
            guard let app else { return visit.goOn(to: next) }
            return try question(session, app)
        }
        guard let form = visit.answers else { return visit.answer(pages.foreignForm) }
        switch form.value(of: "answer") {
        case "cancel": return refused
        case "other":
            if let session = visit.session { try desk.end(session.row) }
            return try SignInVisit(visit: visit.signedOut, app: app).passwordForm()
        case "passkey": return try passkeyUsed(form)
        case "told": return try told(form)
        case "keep": return try keepAccount(form)
        default: break
        }
        guard let session = visit.session, form.value(of: "step") == "consent" else { return try passwordTyped(form) }
        guard let app else { return visit.goOn(to: next) }
        return try enter(session, app)
    }

    /// The form by which somebody begins, and what went wrong with it before. May wait.
    func passwordForm(email: String = "", problem: SignInPages.Problem? = nil) throws -> Work {
        let passkey = try visit.passkeys?.optionsOfUse(on: visit.passkeyPage(), desk.host.chance)
        return visit.answer(
            pages.password(
                form: visit.form, passkey: passkey, email: email, problem: problem,
                query: app == nil ? "" : visit.request.target.query,
                signsUp: app?.signUp != nil))
    }

    private func question(_ session: BrowserSession, _ app: AskingApp) throws -> Work {
        let knows = try EnterContainer.hasConsent(of: session.account.id, app)
        return visit.answer(pages.consent(form: visit.form, session.account, isGiven: knows))
    }

    private var refused: Work {
        guard let app else { return visit.goOn(to: "/") }
        return visit.answer(pages.refused(to: app.destination))
    }

    // MARK: The password

    private func passwordTyped(_ form: SignInAnswers) throws -> Work {
        let email = String(form.value(of: "email")[...].trimmed)
        let isKept = form.value(of: "keep") == "yes"
        @Sendable func again(_ problem: SignInPages.Problem) throws -> Work {
            try passwordForm(email: email, problem: problem)
        }
        // Nobody has it, and it need not be remembered.
        guard email.utf8.count <= Self.emailBytesMax else { return try again(.wrong) }
        let attempt = try desk.attempt(email, in: visit)
        if let seconds = try desk.waits.begin(attempt, now: visit.now) { return try again(.wait(seconds)) }
        let claim = try desk.claim(email, form.value(of: "password"))
        return desk.comparing(claim, attempt, visit.texts, busy: { try again(.busy) }) { method in
            guard let method, let goneOn = try proved(method, isKept: isKept) else { return try again(.wrong) }
            return goneOn
        }
    }

    /// Of RFC 5321, as those of accounts.
    private static let emailBytesMax = 254

    // MARK: In

    /// Goes on with somebody who has proved that they are the person of an account, in this browser from now on. May wait.
    ///
    /// - Parameter method: By which.
    /// - Returns: nil where the account is gone, or the method is.
    func proved(_ method: SignInMethodRow, isKept: Bool) throws -> Work? {
        try signedIn(method.account, by: method, isKept: isKept)
    }

    /// The same, by whatever they have proved it. - Parameter method: nil for what has been used in a commit of its own.
    func signedIn(_ account: String, by method: SignInMethodRow?, isKept: Bool) throws -> Work? {
        let session: BrowserSession
        switch try desk.begin(account, by: method, isKept: isKept, in: visit) {
        case .session(let begun): session = begun
        case .leaving(let deletion): return try visit.askToKeep(deletion, at: visit.request.target)
        case .gone: return nil
        }
        let visit = SignInVisit(visit: try visit.signedIn(by: session), app: app, next: next)
        if let untold = try visit.untold(session) { return untold }
        guard let app else { return visit.visit.goOn(to: next) }
        // Who has just typed a password has said what they want; the question is for an app that is new to them.
        guard try EnterContainer.hasConsent(of: account, app) else { return try visit.question(session, app) }
        return try visit.enter(session, app)
    }

    // MARK: Who else was in

    /// The page that tells what others did as somebody who signs in; nil where there is nothing to tell. May wait.
    func untold(_ session: BrowserSession) throws -> Work? {
        let accesses = try desk.places.untold(of: session.account.id)
        return accesses.isEmpty
            ? nil : visit.answer(AccessPages(visit.texts).untold(accesses, form: visit.form, at: visit.now))
    }

    /// Goes on with who has read it. May wait.
    func told(_ form: SignInAnswers) throws -> Work {
        guard let session = visit.session else { return try passwordForm() }
        return try told(form, session) {
            guard let app else { return visit.goOn(to: next) }
            return try question(session, app)
        }
    }

    /// The same, where the page goes on otherwise.
    func told(
        _ form: SignInAnswers, _ session: BrowserSession, then goOn: @escaping @Sendable () throws -> Work
    ) throws -> Work {
        let homes = try desk.places.untold(of: session.account.id).map(\.home)
        let password = try desk.directory.rows(SignInMethodRow.password(of: session.account.id)).first
        let until = min(Milliseconds(form.value(of: "until")) ?? 0, visit.now)
        return desk.after(visit.texts) { [places = desk.places] done in
            places.tell(homes[...], until: until, chosen: password?.createdAt ?? 0, done)
        } goOn: {
            try goOn()
        }
    }

    /// May wait.
    private func enter(_ session: BrowserSession, _ app: AskingApp) throws -> Work {
        let chance = desk.host.chance
        let (id, nonce) = (chance.bytes(16), chance.next())
        return try desk.enter(
            session.account.id, app, id, session.row.isKept ? .kept : .short, at: visit.now
        ) { made in
            guard let text = made.flatMap({ WebAuthToken.issue(for: $0, nonce: nonce) }) else {
                return visit.answer(pages.failed(to: app.destination))
            }
            return visit.answer(pages.done(text, to: app.destination))
        }
    }
}

extension String {
    /// Of a target, what stands after the question mark, with it; empty for none.
    var query: String { firstIndex(of: "?").map { String(self[$0...]) } ?? "" }
}
