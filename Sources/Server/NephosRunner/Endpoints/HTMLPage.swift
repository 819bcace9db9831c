import CloudKitWire
import Crypto

/// A page for people: HTML and a style, nothing from other origins, and no script but its own.
package struct HTMLPage: Sendable {
    /// What a page may use besides text, or what its script does not need.
    package enum Permission: Sendable, Hashable {
        /// Pictures embedded as `data:` URLs.
        case pictures
        /// Forms that are sent to the address of the page.
        case forms
        /// The same, with the origin of the page sent to the recipient, and nothing to other sites.
        case formsOfOrigin
        /// The recipient of such a form may redirect the browser there: an origin or a scheme, as in a content security policy.
        case formsLeadTo(String)
        /// Its script sends no requests and shows no pictures.
        case silentScript
    }

    private let title: String
    private let body: String
    private let language: String
    private let ownStyle: String
    private let script: String?
    private let permissions: Set<Permission>

    /// - Parameters:
    ///   - body: HTML. Text from outside must be ``StringProtocol/escaped``.
    ///   - language: That of its text, as HTML names it.
    ///   - style: Rules after those of all pages.
    ///   - script: Runs in strict mode once the page has loaded, and sends requests only to this server. It is a constant of the
    ///     program: it contains nothing from outside.
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

    /// The page as a standalone file with its content security policy inside, because no server sends headers with it.
    package var file: [UInt8] {
        // `frame-ancestors` has no effect in a `meta` element.
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
            // With `no-referrer`, a form sends `null` as its origin.
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

    /// Light or dark as the reader's system, and usable on a phone.
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
    /// Escaped as text of HTML, or as the value of an attribute.
    package var escaped: String {
        var escaped = ""
        // By scalars: followed by a combining mark, such a letter is a different Character to Swift, but the same to a browser.
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
