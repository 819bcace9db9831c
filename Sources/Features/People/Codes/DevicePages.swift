import NephosRunner
import NephosStorage

/// The pages on which people type the code of a program, in one language.
struct DevicePages: Sendable {
    enum Problem: Sendable { case wrong, wait(Int) }

    private let all: Texts
    private var texts: DeviceTexts { all.device }

    init(_ texts: Texts) { all = texts }

    private var site: SitePages { SitePages(language: all.language) }

    /// The field is always empty, so that nobody can fill it in for somebody else by sending them a link.
    func code(_ account: AccountRow, form: String, _ problem: Problem?) -> RawResponse {
        let (status, said): (Int, String?) =
            switch problem {
            case .wrong: (404, texts.wrong)
            case .wait(let seconds): (429, all.signIn.wait.filled("\(seconds)"))
            case nil: (200, nil)
            }
        var answer = site.page(
            texts.title,
            """
            <p>\(all.signIn.signedInAs.filled("<b>\(account.shownEmail.escaped)</b>"))</p>
            <p>\(texts.lead.escaped)</p>
            \(SitePages.alert(said))<form method="post">
            \(SitePages.hidden("form", form))\
            <label for="code">\(texts.code.escaped)</label>
            <input id="code" name="code" type="text" autocomplete="off" autocapitalize="characters" spellcheck="false" \
            required maxlength="20">
            <p class="buttons"><button name="answer" value="yes">\(all.signIn.proceed.escaped)</button>
            <button name="answer" value="other" formnovalidate>\(all.signIn.other.escaped)</button>
            <button name="answer" value="cancel" formnovalidate>\(all.signIn.cancel.escaped)</button></p>
            </form>
            """, status: status)
        if case .wait(let seconds) = problem { answer.headers.append(("Retry-After", "\(seconds)")) }
        return answer
    }

    /// - Parameter typed: The code, as it was typed.
    func consent(
        _ app: RequestingApp, _ row: DeviceCodeRow, _ typed: String, _ account: AccountRow, form: String
    ) -> RawResponse {
        let place = row.network.isEmpty ? all.account.fromHere : row.network
        return SitePages(language: all.language, color: app.look.color, logo: app.logo).page(
            all.signIn.asksConsent,
            """
            <p>\(texts.asks.filled(app.html))</p>
            <dl><dt>\(texts.from.escaped)</dt><dd>\(place.escaped)</dd>
            <dt>\(texts.at.escaped)</dt><dd>\(row.createdAt.asDate.escaped)</dd></dl>
            <p>\(all.signIn.signedInAs.filled("<b>\(account.shownEmail.escaped)</b>"))</p>
            <p>\(all.signIn.sees.escaped)</p>
            <p class="ill">\(texts.warning.escaped)</p>
            <form method="post">
            \(SitePages.hidden("form", form))\(SitePages.hidden("step", "consent"))\(SitePages.hidden("code", typed))\
            <p class="buttons"><button name="answer" value="yes">\(all.signIn.allow.escaped)</button>
            <button name="answer" value="no">\(texts.no.escaped)</button></p>
            </form>
            """)
    }

    var done: RawResponse { site.note(texts.done, texts.doneText) }
    var refused: RawResponse { site.note(texts.refused, texts.refusedText) }
    var expired: RawResponse { site.note(texts.expired, texts.expiredText, status: 410) }
    var foreignForm: RawResponse { SignInPages(all).foreignForm }
}
