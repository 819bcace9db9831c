import CloudKitWire
import Crypto
import NephosDomain
import NephosRunner
import NephosStorage

/// A request to one of this server's own pages, with what every response to it needs.
struct SiteVisit: Sendable {
    let services: SignInServices
    let request: RawRequest
    /// Where the browser sees the pages of this server.
    let place: PagePlace
    let texts: Texts
    /// nil if nobody is signed in.
    private(set) var session: BrowserSession?
    /// A value that identifies this browser: the session's secret, or the cookie of forms.
    private var cookie: String
    /// Cookies that the browser is to store.
    private var headers: [(name: String, value: String)] = []

    /// May block. Extends the session by this use.
    init(_ services: SignInServices, _ request: RawRequest, _ place: PagePlace, _ texts: Texts) throws {
        (self.services, self.request, self.place, self.texts) = (services, request, place, texts)
        let directory = services.host.runner.engine.directory
        session = try BrowserSession.of(request, place, in: directory)
        if let session {
            cookie = session.secret
            if let extended = session.extended(by: request) { try services.extend(session.row, to: extended) }
        } else if let known = SiteCookie.form.value(in: request, place) {
            cookie = known
        } else {
            cookie = SiteCookie.form.make(services.host.randomSource)
            headers = [SiteCookie.form.set(cookie, place)]
        }
    }

    var now: Milliseconds { request.arrivedAt }
    /// The origin of this server, as used by the browser.
    var own: WebOrigin { place.origin }

    // MARK: Forms

    /// The hidden field of a form: only the browser that was shown the form can send it, to the same address.
    var form: String { form(at: request.target) }

    /// The same for a form that another page receives. - Parameter target: Path and query.
    func form(at target: String) -> String {
        let hash = SHA256.hash(data: Array("form\n\(cookie)\n\(target)".utf8))
        return Base64.text(Array(hash), .urlSafe)
    }

    /// The fields of a form that was shown to this browser on this page; nil for any other.
    var answers: SignInAnswers? {
        guard let answers = SignInAnswers(request, own), answers.value(of: "form") == form else { return nil }
        return answers
    }

    // MARK: Passkeys

    /// nil if this page cannot use passkeys.
    var passkeys: Passkeys? { services.passkeys(at: own) }

    /// This page, in this browser. May block.
    func passkeyPage() throws -> PasskeyPage {
        PasskeyPage(origin: own, bound: [cookie, request.target], key: try services.key.bytes(at: now), now: now)
    }

    // MARK: Responses

    /// The same request, with a session that has just begun. May block.
    func signedIn(by session: BrowserSession) throws -> SiteVisit {
        var visit = self
        visit.session = session
        visit.cookie = session.secret
        visit.headers = [
            SiteCookie.session.set(
                session.secret, place, seconds: session.row.isKept ? BrowserSession.longest / 1_000 : nil),
            KnownBrowser.cookie(
                of: EmailAddress.text(of: session.account.email), place, key: try services.key.bytes(at: now), now: now,
                services.host.randomSource),
        ]
        return visit
    }

    /// The same request after its session has ended.
    var signedOut: SiteVisit {
        var visit = self
        visit.session = nil
        visit.cookie = SiteCookie.form.make(services.host.randomSource)
        visit.headers = [SiteCookie.session.gone(place), SiteCookie.form.set(visit.cookie, place)]
        return visit
    }

    func answer(_ page: RawResponse) -> Work {
        var page = page
        page.headers += headers
        return .answer(page)
    }

    /// Another page of this server, as its pages link to it.
    ///
    /// - Parameter target: Path and query.
    func link(to target: String) -> String { place.base + target }

    /// Redirects the browser to another page of this server, by GET.
    ///
    /// - Parameter target: Path and query.
    func proceed(to target: String) -> Work {
        var answer = RawResponse(
            status: 303, contentType: "text/plain; charset=UTF-8", body: [],
            headers: [
                ("Location", link(to: target)), ("Cache-Control", "no-store"), ("Referrer-Policy", "same-origin"),
                ("X-Content-Type-Options", "nosniff"),
            ],
            endpoint: "sign-in")
        answer.isForAllOrigins = false
        return self.answer(answer)
    }
}
