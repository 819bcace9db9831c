import CloudKitWire
import NephosDomain
import NephosRunner
import NephosTesting
import RequestTesting
import Testing

@testable import NephosPeople

/// docs/people.md, "Allowed origins and callbacks".
@Suite("Callbacks") struct CallbackTests {
    private static func cloud(_ callbacks: String) async throws -> PeopleCloud {
        let own = try await PeopleCloud()
        let id = Hexadecimal.text(APIToken.hash(own.cloud.apiToken))
        let stored = try TokenTermsRow.callbacks(callbacks)
        try await own.administration.setTerms(of: id, in: SmallCloud.tenant) { $0.callbacks = stored }
        return own
    }

    @Test("A native app gets the token in its callback's query, which keeps its parameters, or the refusal")
    func whole() async throws {
        let own = try await Self.cloud("com.example.app://signed-in?a=1, https://app.example.org/back")
        let target = try own.redirect(from: nil)
        let question = try own.signIn(target)
        #expect(question.text.contains("com.example.app://signed-in?a=1"))
        let policy = try #require(question.header("Content-Security-Policy"))
        #expect(policy.contains("form-action 'self' com.example.app:;"))
        let answer = try own.press("yes", on: question, target)
        let url = try #require(answer.header("Location"))
        #expect(answer.status == 303 && url.hasPrefix("com.example.app://signed-in?a=1&ckWebAuthToken="))
        let values = RequestParameters(url)
        let token = try #require(values.value(of: "ckWebAuthToken"))
        #expect(values.value(of: "ckSession") == token && values.value(of: "a") == "1")
        #expect(try own.status(of: token) == 200)
        let no = try own.press("cancel", on: try own.get(target), target)
        #expect(no.header("Location") == "com.example.app://signed-in?a=1&errorMessage=accessError")
        // A page with an allowed origin still gets the token by a message.
        let page = try own.redirect()
        #expect(try own.press("cancel", on: try own.get(page), page).told != nil)
    }

    @Test("Another callback is named in the URL and must match exactly; any other is rejected")
    func named() async throws {
        let own = try await Self.cloud("com.example.app://signed-in,https://app.example.org/back")
        let target = try own.redirect(from: nil)
        func answer(_ callback: String) throws -> RawResponse {
            try own.get("\(target)&callback=\(PercentCoding.encode(callback))")
        }
        #expect(try answer("https://app.example.org/back").status == 200)
        for callback in [
            "https://app.example.org/back/", "https://app.example.org/", "https://app.example.org.evil.example/back",
            "https://APP.example.org/back", "https://evil.example", "com.example.app://signed-in/x", "//evil.example",
        ] {
            let page = try answer(callback)
            #expect(page.status == 403 && !page.text.contains("<form") && page.header("Location") == nil)
        }
    }

    @Test(
        "A callback is rejected if browsers open it themselves, others listen to it, or it breaks a header or policy"
    )
    func refused() async throws {
        for text in [
            "javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x", "file:///etc", "blob:x",
            "http://app.example.org/",
            "https://u@app.example.org/", "https:///x", "https://", "https:xxexample.org/cb", "https:/example.org",
            "//app.example.org", "/back", "app", ":x", "1app:x",
            "com.example.app://a#b", "com.example.app://a b", "com.example.app://a;b", "com.example.app://a\r\nX: y",
            "com.example.app://\u{e4}", "com.example.app://" + String(repeating: "a", count: 512),
        ] {
            #expect(SignInCallback(text) == nil, "\(text)")
        }
        for text in [
            "http://localhost:8000/back", "https://app.example.org", "com.example.app:",
            "cloudkit-icloud.com.example.app://auth",
        ] {
            #expect(SignInCallback(text) != nil, "\(text)")
        }
        #expect(SignInCallback("https://a.example?")?.url(adding: [("b", "c d&")]) == "https://a.example?b=c%20d%26")
        #expect(throws: AdminError.self) { try TokenTermsRow.callbacks("javascript:alert(1)") }
        let many = (0...TokenTermsRow.callbacksMax).map { "app://\($0)" }.joined(separator: ",")
        #expect(throws: AdminError.refused("An API token can have at most 8 callbacks, not 9.")) {
            try TokenTermsRow.callbacks(many)
        }
    }
}
