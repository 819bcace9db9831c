import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// A request to the account page.
struct AccountVisit: Sendable {
    let visit: SiteVisit

    private var services: SignInServices { visit.services }
    private var directory: any DirectoryStore { services.host.runner.engine.directory }
    private var texts: AccountTexts { visit.texts.account }
    private var pages: AccountPages { AccountPages(visit.texts) }

    /// The action of a form.
    private enum Action: String {
        case name, password, email, passkey, renamePasskey, removePasskey, end, app, letIn, letOut, signOut, everywhere
        case export, delete
    }

    /// May block.
    func answer() throws -> Work {
        guard let session = visit.session else { return visit.proceed(to: SignInRequest.path) }
        guard visit.request.method == .post else { return try show(session) }
        guard let answers = visit.answers, let action = Action(rawValue: answers.value(of: "do")) else {
            return visit.answer(pages.foreignForm)
        }
        switch action {
        case .name: return try rename(session, answers.value(of: "name"))
        case .password: return try changePassword(session, answers)
        case .email: return try changeEmail(session, answers)
        case .passkey: return try proving(session, answers) { try changePasskeys(session, action, answers) }
        case .renamePasskey, .removePasskey: return try changePasskeys(session, action, answers)
        case .end:
            try services.end(browser: answers.value(of: "id"), of: session.account.id)
            return visit.proceed(to: AccountPages.path)
        case .app:
            guard let tenant = Tenant(reading: answers.value(of: "app")) else { return visit.answer(pages.foreignForm) }
            return try signOut(session.account.id, of: tenant) { visit.proceed(to: AccountPages.path) }
        case .letIn:
            guard let days = Int(answers.value(of: "days")), 1...AccountPlaces.daysMax ~= days else {
                return visit.answer(pages.foreignForm)
            }
            return try proving(session, answers) { try letIn(session, answers, days: days) }
        case .letOut: return try letIn(session, answers, days: nil)
        case .export:
            return try proving(session, answers) { try visit.export(of: session.account) ?? exportsElsewhere(session) }
        case .delete: return try proving(session, answers) { try delete(session, answers) }
        case .signOut:
            try services.end(session.row)
            return visit.signedOut.proceed(to: SignInRequest.path)
        case .everywhere:
            // Browsers are last: if this fails midway, the person is still signed in here and can repeat it.
            return try signOut(session.account.id, of: nil) { [self] in
                try services.endAll(of: session.account.id)
                return visit.signedOut.proceed(to: SignInRequest.path)
            }
        }
    }

    /// Continues after the apps of one place, or of all, are signed out. May block.
    private func signOut(
        _ account: String, of tenant: Tenant?, then proceed: @escaping @Sendable () throws -> Work
    ) throws -> Work {
        let homes = try services.places.homes(of: account) { tenant == nil || $0 == tenant }
        return services.after(visit.texts) { [places = services.places] done in
            places.signOut(of: homes[...], forgetting: tenant != nil, done)
        } proceed: {
            try proceed()
        }
    }

    /// Permits an operator to act as the person in one place, or revokes the permission if `days` is nil. May block.
    private func letIn(_ session: BrowserSession, _ answers: SignInAnswers, days: Int?) throws -> Work {
        guard let tenant = Tenant(reading: answers.value(of: "app")),
            let home = try services.places.homes(of: session.account.id, where: { $0 == tenant }).first
        else { return visit.answer(pages.foreignForm) }
        let (id, now) = (services.host.randomSource.bytes(8), visit.now)
        return services.after(visit.texts) { [places = services.places] done in
            places.permitOperator(home, days: days, id: id, at: now, done)
        } proceed: {
            visit.proceed(to: AccountPages.path)
        }
    }

    /// After one commit nobody can sign in. Apps are signed out afterwards; if this process dies before, a job does it.
    private func delete(_ session: BrowserSession, _ answers: SignInAnswers) throws -> Work {
        let ask = ScheduleDeletion(
            account: session.account.id, takesPublic: answers.value(of: "public") == "yes", isAtOnce: false,
            notice: try visit.mailOfDeletion(to: session.account), now: visit.now)
        guard let deletion = try services.host.runner.commitDirectory(ask.reading, decide: ask.decide) else {
            return visit.proceed(to: SignInRequest.path)
        }
        return try signOut(session.account.id, of: nil) { [self] in
            visit.signedOut.answer(
                LeavingPages(visit.texts).asked(deletion, signIn: visit.link(to: SignInRequest.path)))
        }
    }

    /// Too many exports are running, or one of this person.
    private func exportsElsewhere(_ session: BrowserSession) throws -> Work {
        let text = visit.texts.leaving.exportBusy
        return try show(session, result: .fault(text), status: 429, retryAfter: SiteVisit.exportRetry)
    }

    /// - Parameter retryAfter: In seconds.
    private func show(
        _ session: BrowserSession, result: AccountPages.FormResult? = nil, status: Int = 200, retryAfter: Int? = nil
    ) throws -> Work {
        var set = ReadSet()
        let (account, methods, browsers) = (
            AccountRow.keyed(session.account.id), SignInMethodRow.all(of: session.account.id),
            BrowserSessionRow.of(session.account.id, limit: BrowserSession.countMax)
        )
        set.ask(account)
        set.ask(methods)
        set.ask(browsers)
        let reading = try directory.read(set)
        guard let row = reading[account].first else { return visit.proceed(to: SignInRequest.path) }
        let now = visit.now
        let made = try visit.passkeys?.list(of: row.id)
        let isFull = (made?.count ?? 0) >= Passkeys.countMax
        let shown = AccountPages.Contents(
            account: row, hasPassword: reading[methods].contains { $0.kind == .password },
            browsers: reading[browsers].filter { now < $0.expiresAt }, this: session.row.id,
            places: try services.places.all(of: row.id, at: now), passkeys: made,
            options: isFull
                ? nil
                : try visit.passkeys?.creationOptions(for: row, on: visit.passkeyPage(), services.host.randomSource))
        var page = pages.account(shown, form: visit.form, result: result, status: status)
        if let retryAfter { page.headers.append(("Retry-After", "\(retryAfter)")) }
        return visit.answer(page)
    }

    // MARK: Changes

    private func rename(_ session: BrowserSession, _ name: String) throws -> Work {
        guard let named = try? visit.inputs.account(email: session.account.email, name: name) else {
            return try show(session, result: .fault(visit.texts.links.badName), status: 400)
        }
        let scan = AccountRow.keyed(session.account.id)
        var set = ReadSet()
        set.ask(scan)
        try directory.commit(set) { reading in
            var writes = WriteSet()
            if let old = reading[scan].first {
                var new = old
                (new.givenName, new.familyName) = (named.givenName, named.familyName)
                if new != old { writes.put(new, replacing: old) }
            }
            return .write(writes, ())
        }
        return try show(session, result: .done(texts.saved))
    }

    private func changePassword(_ session: BrowserSession, _ answers: SignInAnswers) throws -> Work {
        let password: Password
        do throws(Password.Fault) {
            password = try Password.new(answers.value(of: "new"), for: session.account.email)
        } catch {
            return try show(session, result: .fault(visit.texts.passwords.fault(error)), status: 400)
        }
        return try proving(session, answers) { [self] in
            return services.hashing(password, in: visit, busy: { try busy(session) }) { hash in
                let notice = try visit.mail(of: .passwordChanged, to: session.account)
                try services.setPassword(
                    hash.text, of: session.account.id, keeping: session.row.id, notice, at: visit.now)
                return try show(session, result: .done(texts.saved))
            }
        }
    }

    private func busy(_ session: BrowserSession) throws -> Work {
        try show(session, result: .fault(visit.texts.signIn.busy), status: 429)
    }

    private func changePasskeys(_ session: BrowserSession, _ action: Action, _ answers: SignInAnswers) throws -> Work {
        guard let passkeys = visit.passkeys else { return visit.answer(pages.foreignForm) }
        let (account, id, name) = (
            session.account, Hexadecimal.bytes(answers.value(of: "id")) ?? [], answers.value(of: "name")
        )
        do {
            switch action {
            case .renamePasskey: try passkeys.rename(id, of: account.id, to: name)
            case .removePasskey: try passkeys.remove(id, of: account.id)
            default:
                let made = Passkeys.CreationResponse(
                    client: answers.bytes(of: "client"), object: answers.bytes(of: "object"))
                try passkeys.register(made, named: name, for: account, on: visit.passkeyPage())
                try services.send(visit.mail(of: .passkeyAdded, to: account))
            }
        } catch let problem as PasskeyProblem {
            return try show(session, result: .fault(visit.texts.passkeys.message(for: problem)), status: 400)
        }
        return try show(session, result: .done(texts.saved))
    }

    private func changeEmail(_ session: BrowserSession, _ answers: SignInAnswers) throws -> Work {
        let typed = String(answers.value(of: "email")[...].trimmed)
        guard let address = try? MailAddress(typed) else {
            return try show(session, result: .fault(visit.texts.links.badAddress), status: 400)
        }
        let mailing = try visit.mailing()
        guard let origin = mailing.origin else { return visit.answer(LinkPages(visit.texts).noMail(mailing)) }
        return try proving(session, answers) { [self] in
            let isTaken = try MailLinks(visit: visit, origin: origin).send(changing: session.account, to: address)
            let pages = LinkPages(visit.texts)
            return visit.answer(isTaken ? pages.sent(to: typed) : pages.tooMany)
        }
    }

    /// How long a recent sign-in counts as proof if there is no password.
    private static let freshFor: Milliseconds = 10 * 60_000

    /// Continues if the person types the current password or, if there is none, has just signed in: an unattended browser must
    /// not be enough to take over an account.
    private func proving(
        _ session: BrowserSession, _ answers: SignInAnswers, _ proceed: @escaping @Sendable () throws -> Work
    ) throws -> Work {
        let claim = try services.claim(account: session.account.id, answers.value(of: "current"))
        guard claim.hasPassword else {
            guard visit.now - session.row.createdAt < Self.freshFor else {
                return try show(session, result: .fault(texts.notFresh), status: 403)
            }
            return try proceed()
        }
        let counted: SignInWaits.Counted
        switch try services.waits.begin(try services.attempt(session.account.email, in: visit), now: visit.now) {
        case .counted(let attempt): counted = attempt
        case .wait(let seconds):
            return try show(session, result: .fault(texts.again.filled("\(seconds)")), status: 429)
        }
        return services.comparing(claim, counted, in: visit, busy: { try busy(session) }) { method in
            guard method != nil else { return try show(session, result: .fault(texts.wrongPassword), status: 403) }
            return try proceed()
        }
    }
}

extension Tenant {
    /// Parses the form of ``description``.
    fileprivate init?(reading text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let environment = Environment(rawValue: parts[1]) else { return nil }
        self.init(container: parts[0], environment: environment)
    }
}
