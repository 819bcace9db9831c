import CloudKitWire
import NephosDomain
import NephosNetwork
import NephosRunner
import NephosStorage

/// A request of somebody who has a program's code: they sign in here, type it, and decide whether the program may act as them.
struct DeviceVisit: Sendable {
    static let path = "/device"

    let visit: SiteVisit

    private var services: SignInServices { visit.services }
    private var pages: DevicePages { DevicePages(visit.texts) }
    private var signIn: SignInVisit { SignInVisit(visit: visit, app: nil, next: Self.path) }

    /// May block.
    func answer() throws -> Work {
        guard let session = visit.session else { return try signIn.answer() }
        guard visit.request.method == .post else { return try signIn.unannounced(session) ?? ask(session) }
        guard let form = visit.answers else { return visit.answer(pages.foreignForm) }
        switch form.value(of: "answer") {
        case "told": return try signIn.announced(form, session) { ask(session) }
        case "cancel": return visit.proceed(to: "/")
        case "other":
            try services.end(session.row)
            return try DeviceVisit(visit: visit.signedOut).signIn.passwordForm()
        default: break
        }
        let found = try find(form.value(of: "code"), session)
        switch found {
        case .none: return ask(session, .wrong)
        case .wait(let seconds): return ask(session, .wait(seconds))
        case .one(let row, let app):
            guard form.value(of: "step") == "consent" else {
                return visit.answer(pages.consent(app, row, form.value(of: "code"), session.account, form: visit.form))
            }
            guard form.value(of: "answer") == "yes" else {
                return visit.answer(try settle(row, as: .refused) ? pages.refused : pages.expired)
            }
            return try allow(row, app, session)
        }
    }

    private func ask(_ session: BrowserSession, _ problem: DevicePages.Problem? = nil) -> Work {
        visit.answer(pages.code(session.account, form: visit.form, problem))
    }

    // MARK: The code

    private enum Found { case none, wait(Int), one(DeviceCodeRow, RequestingApp) }

    /// The program that waits with a code. Each wrong code counts as a guess by this account and this network.
    private func find(_ typed: String, _ session: BrowserSession) throws -> Found {
        let attempt = SignInWaits.Attempt(codeTypedBy: session.account.id, from: visit.request.network)
        let counted: SignInWaits.Counted
        switch try services.waits.begin(attempt, now: visit.now) {
        case .counted(let attempt): counted = attempt
        case .wait(let seconds): return .wait(seconds)
        }
        guard let code = SignInCode(typed: typed),
            let row = try services.directory.rows(
                DeviceCodeRow.keyed(code.hash(key: try services.key.bytes(at: visit.now)))
            )
            .first,
            row.state == .waiting, row.isValid(at: visit.now), let app = try RequestingApp(row, services.host.runner)
        else { return .none }
        // Anybody can have a code of their own: to type that forgives no guesses of others' codes.
        try services.waits.takeBack(counted)
        return .one(row, app)
    }

    /// Records the person's answer. - Returns: false if the code was already answered or has expired.
    private func settle(_ row: DeviceCodeRow, as state: DeviceCodeRow.State, session: [UInt8] = []) throws -> Bool {
        let scan = DeviceCodeRow.keyed(row.code)
        var set = ReadSet()
        set.ask(scan)
        return try services.directory.commit(set) { reading -> Decision<Bool> in
            var writes = WriteSet()
            guard let old = reading[scan].first, old.device == row.device, old.state == .waiting,
                old.isValid(at: visit.now)
            else { return .write(writes, false) }
            var new = old
            (new.state, new.session) = (state, session)
            writes.put(new, replacing: old)
            return .write(writes, true)
        }
    }

    // MARK: Allowing

    /// Creates the session now, while the person is here, so that anything that ends their sessions ends this one, too; the
    /// program only fetches it. A second press of the button finds the answer recorded and creates no other session.
    private func allow(_ row: DeviceCodeRow, _ app: RequestingApp, _ session: BrowserSession) throws -> Work {
        let id = services.host.randomSource.bytes(16)
        guard try settle(row, as: .allowed, session: id) else { return visit.answer(pages.expired) }
        // Where the program is, not where its person types the code.
        let network = AddressBlock(row.network).map { ClientNetwork($0.first) }
        let origin = RequestSource(token: row.token, network: network.surroundingsText)
        // The session is long-lived, because the program runs on a device of the person's own.
        return try services.enter(session.account.id, app, id, .kept, from: origin, at: visit.now) { made in
            visit.answer(made == nil ? SignInPages(visit.texts).unavailable : pages.done)
        }
    }
}

extension RequestingApp {
    /// The app whose program waits with a code; nil if its API token has been revoked or its container is gone. May block.
    fileprivate init?(_ row: DeviceCodeRow, _ runner: Runner) throws {
        do {
            let store = try runner.open(row.tenant)
            try self.init(row.token, in: store, .program)
        } catch StorageError.noSuchTenant {
            return nil
        } catch is Rejection {
            return nil
        }
    }
}
