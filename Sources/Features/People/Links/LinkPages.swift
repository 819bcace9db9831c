import NephosRunner
import NephosStorage

/// Pages about links sent by mail, in one language.
struct LinkPages: Sendable {
    fileprivate let texts: LinkTexts
    private let all: Texts
    fileprivate let site: SitePages

    init(_ texts: Texts) {
        (all, self.texts) = (texts, texts.links)
        site = SitePages(language: texts.language)
    }

    // MARK: Requesting a link

    /// - Parameter lead: The purpose, for people.
    func ask(title: String, lead: String, form: String, email: String = "", problem: String?, status: Int = 200)
        -> RawResponse
    {
        site.page(
            title,
            """
            <p>\(lead.escaped)</p>
            \(SitePages.alert(problem))<form method="post">
            \(SitePages.hidden("form", form))\(SitePages.email(all.signIn.email, email, autocomplete: "email"))\
            <p class="buttons"><button name="answer" value="yes">\(texts.send.escaped)</button></p>
            </form>
            """, status: status)
    }

    /// The same for an account that is created immediately.
    func choose(form: String, email: String, name: String, problem: String?, status: Int) -> RawResponse {
        site.page(
            texts.signUp,
            """
            <p>\(texts.chooseLead.escaped)</p>
            \(SitePages.alert(problem))<form method="post">
            \(SitePages.hidden("form", form))\(SitePages.email(all.signIn.email, email, autocomplete: "username"))\
            \(SitePages.text("name", texts.name, name, autocomplete: "name"))\
            \(SitePages.password(all.passwords.new, isNew: true, hint: all.passwords.hint))\
            <p class="buttons"><button name="answer" value="yes">\(texts.signUp.escaped)</button></p>
            </form>
            """, status: status)
    }

    /// - Parameter link: Where people continue after they have followed the one that was sent; nil for nowhere.
    func sent(to email: String, proceed link: String? = nil) -> RawResponse {
        let proceed = link.map { "\n<p><a href=\"\($0.escaped)\">\(texts.followed.escaped)</a></p>" } ?? ""
        return site.page(texts.sent, "<p>\(texts.sentText.filled("<b>\(email.escaped)</b>"))</p>\(proceed)")
    }

    /// - Parameter mailing: Why no mail can be sent.
    func noMail(_ mailing: Mailing) -> RawResponse {
        let text = if case .withoutOrigin = mailing { texts.noPublicURLText } else { texts.noMailText }
        return site.note(texts.noMail, text, status: 503)
    }
    var tooManyMade: RawResponse { site.note(texts.tooManyMade, texts.tooManyText, status: 429) }
    var tooMany: RawResponse { site.note(texts.tooMany, texts.tooManyText, status: 429) }

    // MARK: Following a link

    /// - Parameter name: The name that was typed before, to keep it when the password is refused.
    func form(_ link: MailLinkRow, form: String, name: String, problem: String?, status: Int) -> RawResponse {
        let title: String
        var fields = ""
        switch link.kind {
        case .signUp:
            title = texts.signUpTitle
            if link.account.isEmpty { fields = SitePages.text("name", texts.name, name, autocomplete: "name") }
        case .recover: title = texts.recoverTitle
        case .changeEmail: title = texts.changeTitle
        }
        if link.kind != .changeEmail {
            fields += SitePages.password(all.passwords.new, isNew: true, hint: all.passwords.hint)
        }
        return site.page(
            title,
            """
            <p>\(texts.isYours.filled("<b>\(EmailAddress.shown(link.email).escaped)</b>"))</p>
            \(SitePages.alert(problem))<form method="post">
            \(SitePages.hidden("form", form))\(SitePages.username(EmailAddress.shown(link.email)))\
            \(fields)<p class="buttons"><button name="answer" value="yes">\(texts.proceed.escaped)</button></p>
            </form>
            """, status: status)
    }

    /// A password was set, and no app is waiting in this window.
    ///
    /// - Parameter account: The link to the account page.
    func ready(_ kind: MailLinkRow.Kind, account: String) -> RawResponse {
        let text = kind == .recover ? texts.recoveredText : texts.readyText
        return site.page(
            texts.ready,
            "<p>\(text.escaped)</p>\n<p><a href=\"\(account.escaped)\">\(all.account.title.escaped)</a></p>"
        )
    }

    func changed(_ email: String) -> RawResponse {
        site.page(texts.changed, "<p>\(texts.changedText.filled("<b>\(EmailAddress.shown(email).escaped)</b>"))</p>")
    }

    var expired: RawResponse { site.note(texts.expired, texts.expiredText, status: 410) }

    /// - Parameter signIn: The link to the page for that.
    func signInFirst(at signIn: String) -> RawResponse {
        site.page(
            texts.signInFirst,
            "<p>\(texts.signInFirstText.escaped)</p>\n<p><a href=\"\(signIn.escaped)\">\(all.signIn.title.escaped)</a></p>",
            status: 403)
    }

    var taken: RawResponse { site.note(texts.taken, texts.takenText, status: 409) }
    var foreignForm: RawResponse { SignInPages(all).foreignForm }
}

extension LinkPages {
    /// - Parameter hasApp: Whether an app sent somebody here.
    func closed(hasApp: Bool) -> RawResponse {
        hasApp
            ? site.note(texts.closed, texts.closedText, status: 403)
            : site.note(texts.noApp, texts.noAppText, status: 404)
    }
}
