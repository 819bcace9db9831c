import CloudKitWire
import NephosRunner

/// A page for people and their accounts: in one language, without external resources.
struct SitePages: Sendable {
    let language: String
    /// Additional targets of forms, as sources of a content security policy.
    var formsLeadTo: String?
    /// The app's color, `#rrggbb`; empty for none.
    var color = ""
    /// The app's logo, PNG.
    var logo: [UInt8]?

    private var permissions: Set<HTMLPage.Permission> {
        let usual: Set<HTMLPage.Permission> = [.formsOfOrigin, .silentScript]
        let pictures: Set<HTMLPage.Permission> = logo == nil ? [] : [.pictures]
        return usual.union(pictures).union(formsLeadTo.map { [.formsLeadTo($0)] } ?? [])
    }

    func page(_ title: String, _ body: String, status: Int = 200, script: String? = nil) -> RawResponse {
        let page = HTMLPage(
            title: title, body: "<main>\n\(picture)<h1>\(title.escaped)</h1>\n\(body)\n</main>", language: language,
            style: Self.style + (color.isEmpty ? "" : "main { border-top: .4em solid \(color); padding-top: .6em }\n"),
            script: script, permitting: permissions)
        var answer = page.answer(status: status, endpoint: "sign-in")
        answer.headers += [("Cache-Control", "no-store"), ("X-Robots-Tag", "noindex, nofollow")]
        return answer
    }

    /// The alternative text is empty because the app's name is in the text below.
    private var picture: String {
        logo.map { "<img class=\"logo\" alt=\"\" src=\"data:image/png;base64,\(Base64.text($0))\">\n" } ?? ""
    }

    /// A page with a message and no form.
    func note(_ title: String, _ text: String, status: Int = 200) -> RawResponse {
        page(title, "<p>\(text.escaped)</p>", status: status)
    }

    // MARK: Pieces of forms

    static func alert(_ text: String?) -> String {
        text.map { "<p role=\"alert\" class=\"ill\">\($0.escaped)</p>\n" } ?? ""
    }

    static func hidden(_ name: String, _ value: String) -> String {
        "<input type=\"hidden\" name=\"\(name)\" value=\"\(value.escaped)\">\n"
    }

    static func email(_ label: String, _ value: String = "", autocomplete: String = "username") -> String {
        """
        <label for="email">\(label.escaped)</label>
        <input id="email" name="email" type="text" inputmode="email" autocomplete="\(autocomplete)" autocapitalize="none" \
        spellcheck="false" required maxlength="254" value="\(value.escaped)">

        """
    }

    /// The owner of the password that is typed next to it, for password managers.
    static func username(_ email: String) -> String {
        "<input type=\"text\" name=\"username\" autocomplete=\"username\" value=\"\(email.escaped)\" readonly hidden>\n"
    }

    static func text(
        _ name: String, _ label: String, _ value: String = "", id: String? = nil, autocomplete: String
    ) -> String {
        """
        <label for="\(id ?? name)">\(label.escaped)</label>
        <input id="\(id ?? name)" name="\(name)" type="text" autocomplete="\(autocomplete)" maxlength="255" value="\(value.escaped)">

        """
    }

    /// - Parameter isNew: Whether it is chosen here; otherwise it is an existing one.
    static func password(_ label: String, name: String = "password", isNew: Bool, hint: String = "") -> String {
        let kind = isNew ? "new-password" : "current-password"
        let described = hint.isEmpty ? "" : " aria-describedby=\"\(name)-hint\""
        let said = hint.isEmpty ? "" : "<p id=\"\(name)-hint\" class=\"hint\">\(hint.escaped)</p>\n"
        return """
            <label for="\(name)">\(label.escaped)</label>
            <input id="\(name)" name="\(name)" type="password" autocomplete="\(kind)" required\(described)>
            \(said)
            """
    }

    private static let style = """
        main { max-width: 26em; margin: 0 auto }
        label { display: block; margin: 1em 0 .3em }
        input[type=checkbox] + label { display: inline }
        input[type=text], input[type=password] { font: inherit; box-sizing: border-box; width: 100%; padding: .6em;
          color: inherit; background: var(--soft); border: 1px solid var(--line); border-radius: .4em }
        input[type=checkbox] { width: 1.2em; height: 1.2em; vertical-align: middle }
        .hint { margin: .3em 0; font-size: .88em }
        .buttons { display: flex; flex-wrap: wrap; gap: .8em }
        button { font: inherit; flex: 1 1 8em; padding: .7em 1em; border: 1px solid var(--line); border-radius: .4em;
          color: inherit; background: var(--soft) }
        button[value=yes] { color: var(--paper); background: var(--link); border-color: var(--link) }
        .logo { display: block; max-width: 8em; max-height: 6em }
        section { border-top: 1px solid var(--line); margin-top: 2em }
        dl { display: grid; grid-template-columns: max-content 1fr; gap: .3em 1em }
        dd { margin: 0 }

        """
}
