import CloudKitWire
package import NephosRunner
import NephosStorage

/// Where a 421 sends people when no feature has a sign-in page; the page explains how to get a token.
package enum SignInPage {
    /// The path of the page.
    package static let path = "/sign-in"

    /// The URL where a person signs in for a call.
    package static func url(for call: Call) -> String {
        let tenant = call.tenant
        return
            "\(call.publicURL)\(path)?container=\(PercentCoding.encode(tenant.container))&environment=\(tenant.environment.rawValue)"
    }

    /// The page itself. It contains no text from the request.
    package static func answer() -> RawResponse {
        RawResponse(contentType: "text/html; charset=UTF-8", body: Array(html.utf8), endpoint: "sign-in")
    }

    private static let html = """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <title>Sign in - Nephos</title>
        <style>
          body { font: 17px/1.5 system-ui, sans-serif; max-width: 38em; margin: 4em auto; padding: 0 1em; }
          code { background: #8882; padding: .1em .3em; border-radius: 4px; }
        </style>
        <h1>Sign in</h1>
        <p>This app requires a signed-in user. Signing in from the browser is not supported yet.</p>
        <p>The operator of this server can create a web auth token for you with</p>
        <p><code>nephos session create CONTAINER EMAIL</code></p>
        <p>and the app sends it as <code>ckWebAuthToken</code>.</p>
        </html>

        """
}
