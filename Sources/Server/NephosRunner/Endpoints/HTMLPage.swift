import CloudKitWire
import Crypto

/// A page for people: HTML and a style, nothing from elsewhere, and nothing that runs but a script of its own.
package struct HTMLPage: Sendable {
    /// What a page may have beside its text, or what its script does without.
    package enum Permission: Sendable, Hashable {
        /// Pictures that stand in it as `data:` URLs.
        case pictures
        /// Forms that are sent to the address of the page.
        case forms
        /// The same, where whoever gets them is told the origin of the page, and no other site anything.
        case formsOfOrigin
        /// Whoever gets such a form may have the browser go on there: an origin or a scheme, as a content security policy names it.
        case formsLeadTo(String)
        /// Its script asks nobody, and shows no pictures.
        case silentScript
    }

    private let title: String
    private let body: String
    private let language: String
    private let ownStyle: String
    private let script: String?
    private let permissions: Set<Permission>

    /// - Parameters:
    ///   - body: HTML. What comes from elsewhere stands in it ``StringProtocol/escaped``.
    ///   - language: That of its text, as HTML names it.
    ///   - style: Rules behind those of all pages.
    ///   - script: Runs in strict mode once the page is there, and asks this server alone. It is a constant of the program: nothing that
    ///     comes from elsewhere stands in it.
    package init(
        title: String, body: String, language: String = "en", style: String = "", script: String? = nil,
        permitting permissions: Set<Permission> = []
    ) {
        self.language = language
        (self.title, self.body, self.script) = (title, body, script)
        self.permissions = permissions
        ownStyle = Self.style + style
    }

    /// - Parameter endpoint: For metrics.
    package func answer(status: Int = 200, endpoint: String) -> RawResponse {
        var answer = RawResponse(
            status: status, contentType: "text/html; charset=UTF-8", body: Array(html().utf8), headers: headers,
            endpoint: endpoint)
        answer.isForAllOrigins = false
        return answer
    }

    /// A file that stands alone, and forbids itself what the page may not do: no server says it along with it.
    package var file: [UInt8] {
        // Who frames it is none of its own say.
        Array(html("<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy.escaped)\">\n").utf8)
    }

    private func html(_ head: String = "") -> String {
        """
        <!doctype html>
        <html lang="\(language)">
        <meta charset="utf-8">
        \(head)\
        <meta name="viewport" content="width=device-width">
        <title>\(title.escaped)</title>
        <style>\(ownStyle)</style>
        \(body)\(script.map { "\n<script type=\"module\">\($0)</script>" } ?? "")
        </html>

        """
    }

    private var headers: [(name: String, value: String)] {
        [
            ("Content-Security-Policy", policy + "; frame-ancestors 'none'"), ("X-Content-Type-Options", "nosniff"),
            // Under no-referrer a form says of its origin that it is null.
            ("Referrer-Policy", permissions.contains(.formsOfOrigin) ? "same-origin" : "no-referrer"),
        ]
    }

    private var policy: String {
        var policy = "default-src 'none'; style-src 'sha256-\(Self.hash(ownStyle))'; "
        if let script {
            policy += "script-src 'sha256-\(Self.hash(script))'; "
            if !permissions.contains(.silentScript) { policy += "connect-src 'self'; img-src data:; " }
        }
        if permissions.contains(.pictures) { policy += "img-src data:; " }
        let hasForms = !permissions.isDisjoint(with: [.forms, .formsOfOrigin])
        let further = permissions.compactMap { if case .formsLeadTo(let place) = $0 { place } else { nil } }
        let places = hasForms ? ["'self'"] + further.sorted() : ["'none'"]
        return policy + "base-uri 'none'; form-action \(places.joined(separator: " "))"
    }

    private static func hash(_ text: String) -> String { Base64.text(Array(SHA256.hash(data: Array(text.utf8)))) }

    /// Light or dark as the reader's system is, and as narrow as a phone.
    private static let style = """

        :root { color-scheme: light dark; --ink: #1c1c1e; --paper: #fff; --soft: #f1f1f4; --line: #d4d4d8; --link: #0a58ca;
          --well: #17652c; --ill: #b3261e }
        @media (prefers-color-scheme: dark) {
          :root { --ink: #e6e6e9; --paper: #151518; --soft: #242429; --line: #3d3d44; --link: #8ab4f8; --well: #7fd495;
            --ill: #ff9d94 }
        }
        body { font: 17px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 46em;
          margin: 0 auto; padding: 1.5em 1em 4em; overflow-wrap: anywhere }
        a { color: var(--link) }
        h1, h2, h3 { line-height: 1.25 }
        code { font: .88em ui-monospace, monospace; background: var(--soft); padding: .1em .3em; border-radius: 4px }
        pre { background: var(--soft); padding: .8em 1em; border-radius: 6px; white-space: pre-wrap }
        pre code { padding: 0 }
        .wide { overflow-x: auto }
        table { border-collapse: collapse; overflow-wrap: normal }
        th, td { border: 1px solid var(--line); padding: .3em .6em; text-align: left; vertical-align: top }
        .well { color: var(--well) }
        .ill { color: var(--ill) }

        """
}

extension StringProtocol {
    /// As text of HTML, or as the value of an attribute.
    package var escaped: String {
        var escaped = ""
        // By scalars: with a combining mark after it, such a letter would be another to Swift, and the same to a browser.
        for letter in unicodeScalars {
            switch letter {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            default: escaped.unicodeScalars.append(letter)
            }
        }
        return escaped
    }
}
