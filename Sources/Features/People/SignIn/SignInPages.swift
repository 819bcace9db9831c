import CloudKitWire
import NephosRunner
import NephosStorage

/// The sign-in pages, in one language.
struct SignInPages: Sendable {
    enum Problem: Sendable { case wrong, wait(Int), busy, passkey(PasskeyProblem) }

    private let texts: SignInTexts
    private let passkeys: PasskeyTexts
    private let app: RequestingApp?
    private let site: SitePages

    init(_ texts: Texts, _ app: RequestingApp? = nil) {
        (self.texts, passkeys, self.app) = (texts.signIn, texts.passkeys, app)
        site = SitePages(
            language: texts.language, formsLeadTo: app?.destination.callback?.source, color: app?.look.color ?? "",
            logo: app?.logo)
    }

    /// Names the app; empty for people who come without one.
    private var asks: String {
        app.map { "<p>\(texts.asks.filled($0.html, $0.destination.text.escaped))</p>\n" } ?? ""
    }

    // MARK: Forms

    /// - Parameters:
    ///   - passkey: The browser's options for using one (``Passkeys/optionsOfUse(on:_:)``); nil if passkeys are not available.
    ///   - recovery: The link to the page for people who have forgotten their password.
    ///   - signUp: The link to the page for people without an account; nil if they may not create one.
    func password(
        form: String, passkey: String?, email: String, problem: Problem?, recovery: String, signUp: String?
    ) -> RawResponse {
        let (status, said): (Int, String?) =
            switch problem {
            case .wrong: (403, texts.wrong)
            case .wait(let seconds): (429, texts.wait.filled("\(seconds)"))
            case .busy: (429, texts.busy)
            case .passkey(let problem): (403, passkeys.message(for: problem))
            case nil: (200, nil)
            }
        let forgot = "<a href=\"\(recovery.escaped)\">\(texts.forgot.escaped)</a>"
        let other = signUp.map { " · <a href=\"\($0.escaped)\">\(texts.signUp.escaped)</a>" } ?? ""
        var answer = site.page(
            texts.title,
            """
            \(asks)\(SitePages.alert(said))<form method="post">
            \(SitePages.hidden("form", form))\(SitePages.email(texts.email, email))\
            \(SitePages.password(texts.password, isNew: false))\
            <p><input id="keep" name="keep" type="checkbox" value="yes"> <label for="keep">\(texts.keep.escaped)</label></p>
            <p class="buttons"><button name="answer" value="yes">\(texts.signIn.escaped)</button>
            <button name="answer" value="cancel" formnovalidate>\(texts.cancel.escaped)</button></p>
            </form>
            \(passkey.map { passkeyForm($0, form) } ?? "")<p>\(forgot)\(other)</p>
            """, status: status, script: passkey == nil ? nil : PasskeyScript.text)
        switch problem {
        case .wait(let seconds): answer.headers.append(("Retry-After", "\(seconds)"))
        case .busy: answer.headers.append(("Retry-After", "5"))
        case .wrong, .passkey, nil: break
        }
        return answer
    }

    /// - Parameters:
    ///   - options: JSON.
    ///   - form: The same as for the password.
    private func passkeyForm(_ options: String, _ form: String) -> String {
        PasskeyScript.form(
            options, hidden: [("form", form), ("answer", "passkey")],
            fields: ["credential", "user", "client", "authenticator", "signature", "keep"], button: passkeys.use,
            alert: passkeys.noneUsed) + "\n"
    }

    /// - Parameter isGiven: Whether they have already allowed this app to act as them.
    func consent(form: String, _ account: AccountRow, isGiven: Bool) -> RawResponse {
        site.page(
            isGiven ? texts.title : texts.asksConsent,
            """
            \(asks)<p>\(texts.signedInAs.filled("<b>\(account.shownEmail.escaped)</b>"))</p>
            \(isGiven ? "" : "<p>\(texts.sees.escaped)</p>\n")<form method="post">
            \(SitePages.hidden("form", form))\(SitePages.hidden("step", "consent"))\
            <p class="buttons"><button name="answer" value="yes">\((isGiven ? texts.proceed : texts.allow).escaped)</button>
            <button name="answer" value="cancel">\(texts.cancel.escaped)</button>
            <button name="answer" value="other">\(texts.other.escaped)</button></p>
            </form>
            """)
    }

    // MARK: Messages to the app

    func done(_ token: String, to destination: SignInDestination) -> RawResponse {
        respond(
            [("ckWebAuthToken", token), ("ckSession", token)], to: destination, texts.done, texts.doneText)
    }

    func refused(to destination: SignInDestination) -> RawResponse {
        respond([("errorMessage", "accessError")], to: destination, texts.refused, texts.refusedText)
    }

    func failed(to destination: SignInDestination) -> RawResponse {
        respond([("errorMessage", "unknownError")], to: destination, texts.failed, texts.failedText, status: 500)
    }

    private func respond(
        _ members: [(Name, String)], to destination: SignInDestination, _ title: String, _ text: String,
        status: Int = 200
    ) -> RawResponse {
        switch destination {
        case .callback(let callback):
            let url = callback.url(adding: members.map { ($0.0.text, $0.1) })
            var answer = site.page(title, "<p><a href=\"\(url.escaped)\">\(text.escaped)</a></p>", status: 303)
            answer.headers.append(("Location", url))
            return answer
        case .program: return site.note(title, text, status: status)
        case .page(let origin):
            var json = JSONWriter()
            json.beginObject()
            for (name, value) in members {
                json.key(named: name)
                json.string(value)
            }
            json.endObject()
            let message = String(decoding: json.bytes, as: UTF8.self)
            return site.page(
                title,
                """
                <p>\(text.escaped)</p>
                <p id="answer" hidden data-origin="\(origin.text.escaped)" data-message="\(message.escaped)"></p>
                """, status: status, script: Self.script)
        }
    }

    /// Posts a message to the page that opened this one, and to no page of another origin that may have replaced it.
    private static let script = """
        const { origin, message } = document.getElementById("answer").dataset
        if (window.opener) {
          window.opener.postMessage(JSON.parse(message), origin)
          window.close()
        }

        """

    // MARK: Messages to people only

    var notSafe: RawResponse { site.note(texts.notSafe, texts.notSafeText, status: 403) }
    var unknown: RawResponse { site.note(texts.unknown, texts.unknownText, status: 404) }
    var expired: RawResponse { site.note(texts.expired, texts.expiredText, status: 410) }
    var noOrigin: RawResponse { site.note(texts.noOrigin, texts.noOriginText, status: 403) }
    var foreignForm: RawResponse { site.note(texts.foreignForm, texts.foreignFormText, status: 403) }
    var unavailable: RawResponse { site.note(texts.failed, texts.failedText, status: 503) }
    var busy: RawResponse { site.note(texts.failed, texts.busy, status: 503) }

    /// - Parameter isLocal: Whether the person at this machine runs the server: the page shows what to do.
    func rejected(_ rejection: RequestingApp.Rejection, isLocal: Bool) -> RawResponse {
        switch rejection {
        case .unknown: unknown
        case .expired: expired
        case .notAllowed(let origin, let remedy):
            site.page(
                texts.notAllowed,
                "<p>\(texts.notAllowedText.filled(origin.text).escaped)</p>"
                    + (isLocal ? "\n<p><code>\(remedy.escaped)</code></p>" : ""), status: 403)
        case .noDestination: noOrigin
        }
    }
}

extension RequestingApp {
    /// What pages show of the app.
    var look: PeopleSettings.App { catalog.people.app }

    /// What people call it; may be empty.
    private var shownName: String { look.name.isEmpty ? name : look.name }

    private func place(_ container: String) -> String {
        tenant.environment == .production ? container : "\(container) (\(tenant.environment.rawValue))"
    }

    /// The app's name and container.
    var text: String {
        let place = place(tenant.container)
        return shownName.isEmpty ? place : "\(shownName), \(place)"
    }

    /// The same as HTML.
    var html: String {
        let place = place("<b>\(tenant.container.escaped)</b>")
        guard !shownName.isEmpty else { return place }
        let shown = "<b>\(shownName.escaped)</b>"
        return look.link.isEmpty
            ? "\(shown), \(place)"
            : "<a href=\"\(look.link.escaped)\" target=\"_blank\" rel=\"noopener noreferrer\">\(shown)</a>, \(place)"
    }
}

extension SignInDestination {
    var callback: SignInCallback? {
        guard case .callback(let callback) = self else { return nil }
        return callback
    }
}
