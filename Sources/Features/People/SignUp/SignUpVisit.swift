import CloudKitWire
import NephosDomain
import NephosNetwork
import NephosRunner
import NephosStorage

/// A request of somebody without an account who comes from an app to create one. Only the address is asked for; the rest follows
/// once its mail is read.
struct SignUpVisit: Sendable {
    static let path = "/sign-up"

    let visit: SiteVisit
    let app: RequestingApp?

    private var texts: LinkTexts { visit.texts.links }
    private var pages: LinkPages { LinkPages(visit.texts) }

    /// May block.
    func answer() throws -> Work {
        guard let app, let policy = app.signUp else { return visit.answer(pages.closed(hasApp: app != nil)) }
        // An invited person already has an account, which only they may begin to use.
        let isAtOnce = policy == .open && !app.catalog.people.verifiesEmail
        let mailing = try visit.mailing()
        guard isAtOnce || mailing.origin != nil else { return visit.answer(pages.noMail(mailing)) }
        guard visit.request.method == .post else { return isAtOnce ? choose() : ask() }
        guard let answers = visit.answers else { return visit.answer(pages.foreignForm) }
        let typed = String(answers.value(of: "email")[...].trimmed)
        guard let address = try? MailAddress(typed) else {
            return isAtOnce ? choose(answers, texts.badAddress) : ask(typed, problem: texts.badAddress)
        }
        guard !isAtOnce, let origin = mailing.origin else { return try make(address, answers) }
        let isTaken = try MailLinks(visit: visit, origin: origin).send(
            .signUp(makesAccounts: policy == .open), to: address, for: app,
            next: app.destination.callback == nil ? "" : visit.signInTarget)
        return visit.answer(
            isTaken ? pages.sent(to: typed, proceed: visit.link(to: visit.signInTarget)) : pages.tooMany)
    }

    private func ask(_ email: String = "", problem: String? = nil) -> Work {
        visit.answer(
            pages.ask(
                title: texts.signUp, lead: texts.signUpLead, form: visit.form, email: email, problem: problem,
                status: problem == nil ? 200 : 400))
    }

    // MARK: Immediate sign-up

    private func choose(_ answers: SignInAnswers? = nil, _ problem: String? = nil, status: Int = 400) -> Work {
        visit.answer(
            pages.choose(
                form: visit.form, email: answers?.value(of: "email") ?? "", name: answers?.value(of: "name") ?? "",
                problem: problem, status: problem == nil ? 200 : status))
    }

    private func make(_ address: MailAddress, _ answers: SignInAnswers) throws -> Work {
        guard let account = try? visit.inputs.account(email: address.text, name: answers.value(of: "name")) else {
            return choose(answers, texts.badName)
        }
        let password: Password
        do throws(Password.Fault) {
            password = try Password.new(answers.value(of: "password"), for: account.email)
        } catch {
            return choose(answers, visit.texts.passwords.fault(error))
        }
        let (services, network) = (visit.services, visit.request.network)
        let runner = services.host.runner
        // It counts for the network alone: whoever types an address must not use up its links.
        let spent = MailLinkRow(
            id: services.host.randomSource.bytes(32), kind: .signUp, email: "", account: "", next: "",
            network: network.text, site: network.siteText, createdAt: visit.now, usedAt: max(visit.now, 1))
        let signUp = DirectSignUp(account: account, spent: spent)
        if let refusal = refused(try signUp.count(runner), answers) { return refusal }
        let busy: @Sendable () throws -> Work = {
            try signUp.takeBack(runner)
            return choose(answers, visit.texts.signIn.busy, status: 429)
        }
        return services.hashing(password, in: visit, busy: busy) { hash in
            let outcome = try signUp.create(runner, verifier: hash.text, at: visit.now)
            if let refusal = refused(outcome, answers) { return refusal }
            guard case .session(let session) = try services.begin(account.id, by: nil, isKept: false, in: visit) else {
                return visit.answer(pages.expired)
            }
            return try visit.signedIn(by: session).proceed(to: visit.signInTarget)
        }
    }

    /// nil if the sign-up may proceed.
    private func refused(_ outcome: DirectSignUp.Outcome, _ answers: SignInAnswers) -> Work? {
        switch outcome {
        case .done: nil
        case .taken: choose(answers, texts.takenText, status: 409)
        case .tooMany: visit.answer(pages.tooManyMade)
        }
    }
}

/// A request of somebody who cannot sign in, but has the mail of their account.
struct RecoveryVisit: Sendable {
    static let path = "/recover"

    let visit: SiteVisit

    private var texts: LinkTexts { visit.texts.links }
    private var pages: LinkPages { LinkPages(visit.texts) }

    /// May block.
    func answer() throws -> Work {
        let mailing = try visit.mailing()
        guard let origin = mailing.origin else { return visit.answer(pages.noMail(mailing)) }
        guard visit.request.method == .post else { return ask() }
        guard let answers = visit.answers else { return visit.answer(pages.foreignForm) }
        let typed = String(answers.value(of: "email")[...].trimmed)
        guard let address = try? MailAddress(typed) else { return ask(typed, problem: texts.badAddress) }
        let app = try visit.services.knownApp(of: visit)
        let isTaken = try MailLinks(visit: visit, origin: origin).send(.recover, to: address, for: app, next: "")
        return visit.answer(
            isTaken ? pages.sent(to: typed, proceed: visit.link(to: visit.signInTarget)) : pages.tooMany)
    }

    private func ask(_ email: String = "", problem: String? = nil) -> Work {
        visit.answer(
            pages.ask(
                title: texts.recover, lead: texts.recoverLead, form: visit.form, email: email, problem: problem,
                status: problem == nil ? 200 : 400))
    }
}

extension SiteVisit {
    /// The sign-in page for the app that this address names, or without one.
    fileprivate var signInTarget: String { SignInRequest.path + request.target.query }
}
