import CloudKitWire
import NephosRunner
import NephosStorage

/// Texts of pages about an account that is to be deleted.
struct LeavingTexts: Sendable {
    let export, exportLead, exportButton: String
    /// For a person who cannot get an export now.
    let exportBusy: String
    let delete, deleteLead, takesPublic, deleteButton: String
    /// `%` is the day.
    let asked, askedText: String
    /// The first `%` is the account's address, the second the day.
    let keep, keepLead: String
    let keepButton, leave: String
    let tooLate, tooLateText: String
    /// `%` is the account's address, this server as ``LinkTexts/atServer`` or nothing, the day, and where to sign in, in this order.
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

    /// The deletion is scheduled.
    ///
    /// - Parameter signIn: The link to the page where people sign in to keep the account.
    func asked(_ deletion: AccountDeletionRow, signIn: String) -> RawResponse {
        site.page(
            texts.asked,
            """
            <p>\(texts.askedText.filled("<b>\(deletion.day)</b>"))</p>
            <p><a href="\(signIn.escaped)">\(texts.keepButton.escaped)</a></p>
            """)
    }

    /// The person has proved ownership and may keep the account.
    ///
    /// - Parameter target: The link to the page that receives the form.
    func keep(
        _ account: AccountRow, _ deletion: AccountDeletionRow, form: String, ticket: String, target: String
    ) -> RawResponse {
        site.page(
            texts.keep,
            """
            <p>\(texts.keepLead.filled("<b>\(account.shownEmail.escaped)</b>", "<b>\(deletion.day)</b>"))</p>
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
    /// The day on which it is due, in UTC.
    var day: String { String(dueAt.asDate.prefix(10)) }
}
