import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// A request to sign in: for an app, by an address from a 421, or to see one's own account.
struct SignInVisit: Sendable {
    let visit: SiteVisit
    /// nil for people who come without an app.
    let app: AskingApp?
    /// Where people continue if there is no app.
    var next = AccountPages.path

    var desk: SignInDesk { visit.desk }
    var pages: SignInPages { SignInPages(visit.texts, app) }

    /// May block.
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

    /// The first form, with the problem of the previous attempt. May block.
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
        // No account has such an address, and the attempt need not be counted.
        guard email.utf8.count <= Self.emailBytesMax else { return try again(.wrong) }
        let attempt = try desk.attempt(email, in: visit)
        if let seconds = try desk.waits.begin(attempt, now: visit.now) { return try again(.wait(seconds)) }
        let claim = try desk.claim(email, form.value(of: "password"))
        return desk.comparing(claim, attempt, visit.texts, busy: { try again(.busy) }) { method in
            guard let method, let goneOn = try proved(method, isKept: isKept) else { return try again(.wrong) }
            return goneOn
        }
    }

    /// The limit of RFC 5321, which accounts have, too.
    private static let emailBytesMax = 254

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
        switch try desk.begin(account, by: method, isKept: isKept, in: visit) {
        case .session(let begun): session = begun
        case .leaving(let deletion): return try visit.askToKeep(deletion, at: visit.request.target)
        case .gone: return nil
        }
        let visit = SignInVisit(visit: try visit.signedIn(by: session), app: app, next: next)
        if let untold = try visit.untold(session) { return untold }
        guard let app else { return visit.visit.goOn(to: next) }
        // Typing a password is consent enough; the question is for an app that is new to the person.
        guard try EnterContainer.hasConsent(of: account, app) else { return try visit.question(session, app) }
        return try visit.enter(session, app)
    }

    // MARK: Accesses by others

    /// The page that shows accesses by others to a person who signs in; nil if there is nothing to show. May block.
    func untold(_ session: BrowserSession) throws -> Work? {
        let accesses = try desk.places.untold(of: session.account.id)
        return accesses.isEmpty
            ? nil : visit.answer(AccessPages(visit.texts).untold(accesses, form: visit.form, at: visit.now))
    }

    /// Continues after the person has read it. May block.
    func told(_ form: SignInAnswers) throws -> Work {
        guard let session = visit.session else { return try passwordForm() }
        return try told(form, session) {
            guard let app else { return visit.goOn(to: next) }
            return try question(session, app)
        }
    }

    /// The same with another continuation.
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

    /// May block.
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
    /// The part of a target from the question mark on; empty for none.
    var query: String { firstIndex(of: "?").map { String(self[$0...]) } ?? "" }
}
