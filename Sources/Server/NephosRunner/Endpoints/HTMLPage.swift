import CloudKitWire
import Crypto

/// A page for people: HTML and a style, nothing from elsewhere, and nothing that runs but a script of its own.
package struct HTMLPage: Sendable {
    private let title: String
    private let body: String
    private let ownStyle: String
    private let script: String?

    /// - Parameters:
    ///   - body: HTML. What comes from elsewhere stands in it ``StringProtocol/escaped``.
    ///   - style: Rules behind those of all pages.
    ///   - script: Runs in strict mode once the page is there, and asks this server alone. It is a constant of the program: nothing that
    ///     comes from elsewhere stands in it.
    package init(title: String, body: String, style: String = "", script: String? = nil) {
        (self.title, self.body, self.script) = (title, body, script)
        ownStyle = Self.style + style
    }

    /// - Parameter endpoint: For metrics.
    package func answer(status: Int = 200, endpoint: String) -> RawResponse {
        var answer = RawResponse(
            status: status, contentType: "text/html; charset=UTF-8", body: Array(html.utf8), headers: headers,
            endpoint: endpoint)
        answer.isForAllOrigins = false
        return answer
    }

    private var html: String {
        """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <title>\(title.escaped)</title>
        <style>\(ownStyle)</style>
        \(body)\(script.map { "\n<script type=\"module\">\($0)</script>" } ?? "")
        </html>

        """
    }

    private var headers: [(name: String, value: String)] {
        let scripts = script.map { "script-src 'sha256-\(Self.hash($0))'; connect-src 'self'; img-src data:; " } ?? ""
        return [
            (
                "Content-Security-Policy",
                "default-src 'none'; style-src 'sha256-\(Self.hash(ownStyle))'; \(scripts)"
                    + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
            ),
            ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
        ]
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
        for letter in self {
            switch letter {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            default: escaped.append(letter)
            }
        }
        return escaped
    }
}
