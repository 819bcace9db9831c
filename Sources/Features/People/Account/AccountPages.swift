import CloudKitWire
import NephosRunner
import NephosStorage

/// The account page, in one language.
struct AccountPages: Sendable {
    static let path = "/account"

    /// The result of a form, shown at the top of the page.
    enum FormResult: Sendable { case done(String), fault(String) }

    /// What the page shows.
    struct Contents: Sendable {
        let account: AccountRow
        let hasPassword: Bool
        /// Newest first.
        let browsers: [BrowserSessionRow]
        /// ID of the session that shows the page.
        let this: [UInt8]
        let places: [AccountPlaces.Place]
        /// nil if passkeys are not available.
        let passkeys: [Passkeys.Item]?
        /// The options with which a browser creates a passkey; nil if none can be created.
        let options: String?
    }

    private let all: Texts
    private let site: SitePages
    private var texts: AccountTexts { all.account }

    init(_ texts: Texts) {
        all = texts
        site = SitePages(language: texts.language)
    }

    var foreignForm: RawResponse { SignInPages(all).foreignForm }

    func account(_ shown: Contents, form: String, result: FormResult?, status: Int) -> RawResponse {
        let name = [shown.account.givenName, shown.account.familyName].filter { !$0.isEmpty }.joined(separator: " ")
        let begin = "<form method=\"post\">\n\(SitePages.hidden("form", form))"
        return site.page(
            texts.title,
            """
            \(line(of: result))<p>\(texts.email.escaped): <b>\(shown.account.shownEmail.escaped)</b></p>
            \(begin)\(SitePages.text("name", texts.name, name, autocomplete: "name"))\(button("name", texts.save))</form>
            \(password(shown, begin))\(passkeys(shown, begin, form))\(email(shown, begin))\(browsers(shown, begin))\(apps(shown, begin))\
            \(AccessPages(all).help(shown, begin) { current(shown, $0) })\(leaving(begin))\
            \(export(shown, begin))\(deletion(shown, begin))
            """, status: status, script: shown.options == nil ? nil : PasskeyScript.text)
    }

    private func line(of result: FormResult?) -> String {
        switch result {
        case .done(let text): "<p role=\"status\" class=\"well\">\(text.escaped)</p>\n"
        case .fault(let text): SitePages.alert(text)
        case nil: ""
        }
    }

    /// - Parameter item: ID of the element that describes it, if other buttons have the same label; empty for none.
    private func button(_ action: String, _ text: String, about item: String = "") -> String {
        let about = item.isEmpty ? "" : " aria-describedby=\"\(item)\""
        return "<p class=\"buttons\"><button name=\"do\" value=\"\(action)\"\(about)>\(text.escaped)</button></p>\n"
    }

    private func section(_ id: String, _ title: String, _ body: String) -> String {
        "<section aria-labelledby=\"\(id)\">\n<h2 id=\"\(id)\">\(title.escaped)</h2>\n\(body)</section>\n"
    }

    /// The field for the current password, used by two forms.
    private func current(_ shown: Contents, _ id: String) -> String {
        guard shown.hasPassword else { return "" }
        return """
            \(SitePages.username(shown.account.shownEmail))\
            <label for="\(id)">\(texts.current.escaped)</label>
            <input id="\(id)" name="current" type="password" autocomplete="current-password" required>

            """
    }

    private func password(_ shown: Contents, _ begin: String) -> String {
        section(
            "password", texts.password,
            """
            <p>\((shown.hasPassword ? texts.hasPassword : texts.noPassword).escaped)</p>
            \(begin)\(shown.hasPassword ? "" : SitePages.username(shown.account.shownEmail))\(current(shown, "current"))\
            \(SitePages.password(all.passwords.new, name: "new", isNew: true, hint: all.passwords.hint))\
            \(button("password", texts.changePassword))</form>

            """)
    }

    private func passkeys(_ shown: Contents, _ begin: String, _ form: String) -> String {
        guard let passkeys = shown.passkeys else { return "" }
        let result = all.passkeys
        let items = passkeys.map { passkey in
            let id = Hexadecimal.text(passkey.id)
            let used = passkey.usedAt == 0 ? "" : ", \(texts.lastUsed.escaped) \(passkey.usedAt.asDate.prefix(10))"
            return """
                <li><b id="passkey-\(id)">\(passkey.name.escaped)</b><br>\(passkey.createdAt.asDate.prefix(10))\(used)
                \(begin)\(SitePages.hidden("id", id))\
                <label for="name-\(id)">\(texts.passkeyName.escaped)</label>
                <input id="name-\(id)" name="name" type="text" maxlength="\(Passkeys.nameBytesMax)" value="\(passkey.name.escaped)">
                <p class="buttons"><button name="do" value="renamePasskey" aria-describedby="passkey-\(id)">\(texts.save.escaped)</button>
                <button name="do" value="removePasskey" aria-describedby="passkey-\(id)">\(texts.removePasskey.escaped)</button></p>
                </form>
                </li>
                """
        }
        let list = items.isEmpty ? "" : "<ul>\n\(items.joined(separator: "\n"))\n</ul>\n"
        let make = shown.options.map { options in
            PasskeyScript.form(
                options, hidden: [("form", form), ("do", "passkey")], fields: ["client", "object"],
                inner: current(shown, "current-3")
                    + SitePages.text("name", texts.passkeyName, id: "passkey-name", autocomplete: "off"),
                button: result.make, alert: result.noneMade) + "\n"
        }
        return section("passkeys", texts.passkeys, "<p>\(texts.passkeysText.escaped)</p>\n\(list)\(make ?? "")")
    }

    private func email(_ shown: Contents, _ begin: String) -> String {
        section(
            "address", texts.email,
            """
            \(begin)\(current(shown, "current-2"))\(SitePages.email(texts.newEmail, autocomplete: "email"))\
            \(button("email", texts.changeEmail))</form>

            """)
    }

    private func browsers(_ shown: Contents, _ begin: String) -> String {
        let items = shown.browsers.map { row in
            let isThis = row.id == shown.this
            let place = row.network.isEmpty ? texts.fromHere : row.network
            let id = Hexadecimal.text(row.id)
            let end = """
                \(begin)\(SitePages.hidden("id", id))\(button("end", texts.end, about: "browser-\(id)"))</form>
                """
            return """
                <li><b id="browser-\(id)">\((row.agent.isEmpty ? "?" : "\(BrowserName(row.agent))").escaped)</b>\(isThis ? " (\(texts.thisOne.escaped))" : "")<br>
                \(place.escaped), \(texts.lastUsed.escaped) \(row.usedAt.asDate.prefix(10))
                \(isThis ? "" : end)</li>
                """
        }
        return section(
            "browsers", texts.browsers,
            "<p>\(texts.browsersText.escaped)</p>\n<ul>\n\(items.joined(separator: "\n"))\n</ul>\n")
    }

    private func apps(_ shown: Contents, _ begin: String) -> String {
        let items = shown.places.enumerated().map { number, place in
            let name = place.name.isEmpty ? place.tenant.container : place.name
            let consents = place.consents.map {
                "<br>\(($0.origin == SignInDestination.program.text ? all.device.byCode : $0.origin).escaped), \(texts.allowed.escaped) \($0.givenAt.asDate.prefix(10))"
            }
            return """
                <li><b id="app-\(number)">\(name.escaped)</b> (\("\(place.tenant)".escaped))\(consents.joined())
                \(begin)\(SitePages.hidden("app", "\(place.tenant)"))\(button("app", texts.takeBack, about: "app-\(number)"))</form>
                </li>
                """
        }
        let list =
            items.isEmpty ? "<p>\(texts.noApps.escaped)</p>\n" : "<ul>\n\(items.joined(separator: "\n"))\n</ul>\n"
        return section("apps", texts.apps, "<p>\(texts.appsText.escaped)</p>\n\(list)")
    }

    private func leaving(_ begin: String) -> String {
        section(
            "leaving", texts.signOut,
            "\(begin)\(button("signOut", texts.signOut))\(button("everywhere", texts.everywhere))</form>\n"
                + "<p class=\"hint\">\(texts.everywhereText.escaped)</p>\n")
    }

    private func export(_ shown: Contents, _ begin: String) -> String {
        section(
            "export", all.leaving.export,
            """
            <p>\(all.leaving.exportLead.escaped)</p>
            \(begin)\(current(shown, "current-5"))\(button("export", all.leaving.exportButton))</form>

            """)
    }

    private func deletion(_ shown: Contents, _ begin: String) -> String {
        let result = all.leaving
        return section(
            "delete", result.delete,
            """
            <p>\(result.deleteLead.escaped)</p>
            \(begin)\(current(shown, "current-4"))\
            <p><input id="public" name="public" type="checkbox" value="yes"> <label for="public">\(result.takesPublic.escaped)</label></p>
            \(button("delete", result.deleteButton))</form>

            """)
    }
}
