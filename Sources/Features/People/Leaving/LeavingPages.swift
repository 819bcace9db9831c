import CloudKitWire
import NephosRunner
import NephosStorage

/// What the pages about an account that is to be deleted say.
struct LeavingTexts: Sendable {
    let export, exportLead, exportButton: String
    /// Of who gets none now.
    let exportBusy: String
    let delete, deleteLead, takesPublic, deleteButton: String
    /// With the day in the place of `%`.
    let asked, askedText: String
    /// With the account's address in the first place of `%`, and the day in the second.
    let keep, keepLead: String
    let keepButton, leave: String
    let tooLate, tooLateText: String
    /// With the account's address in the first place of `%`, this server in the second, the day in the third, and where one signs in in the fourth.
    let subject, mail: String
}

/// Pages about an account that is to be deleted, in one language.
struct LeavingPages: Sendable {
    private let texts: LeavingTexts
    private let site: SitePages

    init(_ texts: Texts) {
        self.texts = texts.leaving
        site = SitePages(language: texts.language)
    }

    /// Somebody has asked for it.
    func asked(_ deletion: AccountDeletionRow) -> RawResponse {
        site.page(
            texts.asked,
            """
            <p>\(texts.askedText.filled("<b>\(deletion.day)</b>"))</p>
            <p><a href="\(SignInRequest.path)">\(texts.keepButton.escaped)</a></p>
            """)
    }

    /// Somebody has proved that it is theirs, and may keep it.
    ///
    /// - Parameter target: The page that takes the form.
    func keep(
        _ account: AccountRow, _ deletion: AccountDeletionRow, form: String, ticket: String, target: String
    ) -> RawResponse {
        site.page(
            texts.keep,
            """
            <p>\(texts.keepLead.filled("<b>\(account.email.escaped)</b>", "<b>\(deletion.day)</b>"))</p>
            <form method="post" action="\(target.escaped)">
            \(SitePages.hidden("form", form))\(SitePages.hidden("ticket", ticket))\
            <p class="buttons"><button name="answer" value="keep">\(texts.keepButton.escaped)</button>
            <button name="answer" value="cancel">\(texts.leave.escaped)</button></p>
            </form>
            """, status: 403)
    }

    var tooLate: RawResponse { site.note(texts.tooLate, texts.tooLateText, status: 410) }
}

extension AccountDeletionRow {
    /// On which it is due, by UTC.
    var day: String { String(dueAt.asDate.prefix(10)) }
}
