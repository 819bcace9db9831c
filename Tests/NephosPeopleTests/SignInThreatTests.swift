import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

@testable import NephosPeople

/// docs/security.md: possible attacks on the sign-in page.
@Suite("What the sign-in page rejects") struct SignInThreatTests {
    private static let foreign = "This form cannot be used"

    @Test(
        "A forged URL, one of another container, or one with a changed letter is rejected, always in the same way"
    )
    func forged() async throws {
        let own = try await PeopleCloud()
        let target = try own.redirect()
        let sealed = try #require(target.split(separator: "=").last)
        let key = try own.store.read(ReadSet()).catalog.head.signingKey
        let other = SealedToken.sealInURL(Array(repeating: 9, count: 60), for: .upload, key: key)
        let targets = [
            target.replacing("development", with: "production"),
            target.replacing(SmallCloud.container, with: "iCloud.none"),
            target.replacing(sealed, with: other), target.replacing(sealed, with: sealed.dropLast(1) + "!"),
            target + "A",
            "/sign-in?container=\(SmallCloud.container)&environment=development", "/sign-in?request=%ff",
        ]
        let answers = try targets.flatMap { [try own.get($0), try own.post($0, [])] }
        #expect(answers.allSatisfy { $0.status == 404 && $0.text == answers[0].text })
        #expect(try own.cloud.ask("PUT", target, as: .stranger).status == 405)
        #expect(try own.get(target).status == 200)
    }

    @Test("A URL is valid for 30 minutes, and as long as its API token")
    func expired() async throws {
        let own = try await PeopleCloud()
        let target = try own.redirect()
        own.now += SignInRequest.lifetime - 1
        #expect(try own.get(target).status == 200)
        own.now += 1
        #expect(try own.get(target).status == 410)
        #expect(SignInRequest.lifetime >= 15 * 60_000)
        let fresh = try own.redirect()
        let hash = APIToken.hash(own.cloud.apiToken)
        try await own.administration.commit(to: try own.store, ReadSet()) { reading in
            var writes = WriteSet()
            let old = reading.catalog.tokens[hash]
            var new = old
            new?.revokedAt = 1
            if let old, let new { writes.catalog = [CatalogWrite(old: .token(old), new: .token(new))] }
            return .write(writes, ())
        }
        #expect(try own.get(fresh).status == 404)
    }

    @Test("A page of an origin that the API token does not allow gets nothing, and no message is sent to it")
    func origins() async throws {
        let own = try await PeopleCloud(origins: nil)
        func statuses() throws -> [Int] {
            try [PeopleCloud.origin, "https://app.example.org.evil.example", "http://localhost:8000", "https://[::1]"]
                .map {
                    let page = try own.get(try own.redirect(from: $0))
                    #expect(page.told == nil && page.text.contains("<form") == (page.status == 200))
                    return page.status
                }
        }
        #expect(try statuses() == [403, 403, 403, 403])
        try await own.allow("https://App.example.org:443,http://other.example")
        #expect(try statuses() == [200, 403, 403, 403])
        try await own.allow("loopback")
        #expect(try statuses() == [403, 403, 200, 200])
        try await own.allow("*")
        #expect(try statuses() == [200, 200, 200, 200])
        // A user who has started to sign in is not let in after the page is disabled.
        let target = try own.redirect()
        let question = try own.signIn(target)
        try await own.allow("")
        #expect(try own.press("yes", on: question, target).status == 403)
        // No page, or a page in a frame without an origin.
        for origin in [nil, "null", "file://", "https://a.example/path"] {
            let page = try own.get(try own.redirect(from: origin))
            #expect(page.status == 403 && page.text.contains("This app cannot be notified of your sign-in"))
        }
    }

    @Test("The command rejects an invalid origin with an example of a valid one")
    func commands() async throws {
        for text in ["app.example.org", "https://a.example/", "ftp://a.example", "*,https://a.example", "https://a b"] {
            #expect(throws: AdminError.self) { try AllowedOrigins(text) }
        }
        let many = (0...AllowedOrigins.countMax).map { "https://a\($0).example" }.joined(separator: ",")
        #expect(throws: AdminError.refused("An API token can have at most 32 origins, not 33.")) {
            try AllowedOrigins(many)
        }
        let own = try await PeopleCloud(origins: nil)
        await #expect(throws: AdminError.noToken("ffff", SmallCloud.tenant)) {
            try await own.administration.setTerms(of: "ffff", in: SmallCloud.tenant) { $0.signsUp = true }
        }
    }

    @Test("A form from another page, or without its token or its cookie, does nothing")
    func foreignForms() async throws {
        let own = try await PeopleCloud()
        let target = try own.redirect()
        let form = try own.get(target).field("form")
        let typed = [("email", PeopleCloud.email), ("password", PeopleCloud.password), ("answer", "yes")]
        func isRefused(_ answer: RawResponse) -> Bool {
            answer.status == 403 && answer.text.contains(Self.foreign) && answer.told == nil
        }
        for origin in [
            "https://evil.example", "null", "http://localhost.evil.example", "http://127.0.0.1", PeopleCloud.origin,
            nil,
        ] {
            #expect(isRefused(try own.post(target, [("form", form)] + typed, from: origin)), "\(origin ?? "-")")
            #expect(isRefused(try own.post(target, [("form", form), ("answer", "cancel")], from: origin)))
        }
        #expect(isRefused(try own.post(target, typed)))
        #expect(isRefused(try own.post(target, [("form", form + "A")] + typed)))
        #expect(isRefused(try own.post(target, [("form", form)] + typed, type: "text/plain")))
        // The form of another URL of the same app, and the form of another browser.
        own.now += 1
        #expect(isRefused(try own.post(try own.redirect(), [("form", form)] + typed)))
        let jar = own.jar
        own.jar = [:]
        #expect(isRefused(try own.post(target, [("form", form)] + typed)))
        own.jar = ["nephos-form": String(repeating: "0", count: 64)]
        #expect(isRefused(try own.post(target, [("form", form)] + typed)))
        own.jar = jar
        // None of it counted as an attempt, and the form is still valid, but not for a user who has signed in meanwhile.
        let question = try own.post(target, [("form", form)] + typed)
        #expect(question.status == 200)
        #expect(isRefused(try own.post(target, [("form", form)] + typed)))
        // The question is not valid after signing out, either.
        own.jar["nephos"] = nil
        #expect(isRefused(try own.press("yes", on: question, target)))
    }

    @Test("The password form, submitted as consent, signs nobody in")
    func steps() async throws {
        let own = try await PeopleCloud()
        let target = try own.redirect()
        let form = try own.get(target).field("form")
        let answer = try own.post(target, [("form", form), ("step", "consent"), ("answer", "yes")])
        #expect(answer.status == 403 && answer.told == nil)
    }

    @Test(
        "Pages run no script except for passkeys and the message, and cannot be cached or framed, and send no referrer"
    )
    func headers() async throws {
        let own = try await PeopleCloud()
        let target = try own.redirect()
        let question = try own.signIn(target)
        let done = try own.press("yes", on: question, target)
        let jar = own.jar
        own.jar = [:]
        let first = try own.get("/sign-in")
        own.jar = jar
        for page in [try own.get(target), question, done, first] {
            #expect(page.header("Cache-Control") == "no-store" && page.header("Referrer-Policy") == "same-origin")
            #expect(page.header("X-Content-Type-Options") == "nosniff" && !page.isForAllOrigins)
            #expect(page.header("Cross-Origin-Opener-Policy") == nil)
            let policy = try #require(page.header("Content-Security-Policy"))
            #expect(policy.hasPrefix("default-src 'none'; style-src 'sha256-"))
            #expect(policy.hasSuffix("base-uri 'none'; form-action 'self'; frame-ancestors 'none'"))
            let runs = page.told != nil || page.text.contains("data-passkey")
            #expect(policy.contains("script-src 'sha256-") == runs && !policy.contains("connect-src"))
            #expect(page.text.contains("<script") == runs)
        }
        #expect(own.jar.keys.sorted() == ["nephos", "nephos-form", "nephos-known"])
        own.jar = [:]
        let set = try #require(try own.get(target).header("Set-Cookie"))
        #expect(set.hasSuffix("; Path=/; HttpOnly; SameSite=Lax"))
    }

    @Test("Markup in a token's name or in an address is shown as text")
    func markup() async throws {
        let own = try await PeopleCloud()
        let hash = APIToken.hash(own.cloud.apiToken)
        try await own.administration.commit(to: try own.store, ReadSet()) { reading in
            var writes = WriteSet()
            let old = reading.catalog.tokens[hash]
            var new = old
            new?.name = "<script>alert(1)</script>% %"
            if let old, let new { writes.catalog = [CatalogWrite(old: .token(old), new: .token(new))] }
            return .write(writes, ())
        }
        let page = try own.signIn(try own.redirect(), "\"><b>@example.org", "wrong password")
        #expect(page.text.contains("&lt;script&gt;alert(1)&lt;/script&gt;% %") && !page.text.contains("<script>"))
        #expect(page.text.contains("value=\"&quot;&gt;&lt;b&gt;@example.org\""))
    }

    @Test("A body of a megabyte is not read")
    func longBodies() async throws {
        let own = try await PeopleCloud()
        let target = try own.redirect()
        let form = try own.get(target).field("form")
        let answer = try own.post(
            target, [("form", form), ("password", String(repeating: "a", count: 1 << 20)), ("answer", "yes")])
        #expect(answer.status == 413)
    }

    @Test("Over plain HTTP a password is requested on this machine only")
    func plainHTTP() throws {
        #expect(WebOrigin("http://cloud.example.org")?.isSafe == false)
        for origin in ["http://127.0.0.1:8080", "http://localhost", "http://[::1]:1", "https://cloud.example.org"] {
            #expect(WebOrigin(origin)?.isSafe == true, "\(origin)")
        }
        for text in [
            "", "null", "https://", "https://a.example/", "https://u@a.example", "http://a.example?x", "ws://a",
        ] {
            #expect(WebOrigin(text) == nil, "\(text)")
        }
        #expect(WebOrigin("HTTPS://A.example:443") == WebOrigin("https://a.example"))
        #expect(WebOrigin("https://a.example:80") != WebOrigin("https://a.example"))
    }
}
