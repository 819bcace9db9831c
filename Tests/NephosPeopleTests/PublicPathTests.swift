import CloudKitWire
import NephosBackend
import NephosRunner
import NephosTesting
import RequestTesting
import Testing

@testable import NephosPeople

/// docs/operating.md, "Below a path".
@Suite("People at a server below a path") struct PublicPathTests {
    private static let site = "https://example.org"
    private static let url = "\(site)/nephos"

    private func people() async throws -> PeopleCloud { try await PeopleCloud(publicURL: Self.url, isLocal: false) }

    @Test("They sign in by links, redirects, cookies and mails below it")
    func whole() async throws {
        let own = try await people()
        let asked = try own.cloud.ask(
            "GET", PeopleCloud.caller, headers: [("Origin", PeopleCloud.origin)], as: .app)
        let redirect = try #require(try JSON(reading: asked.body)["redirectURL"].string)
        #expect(redirect.hasPrefix("\(Self.url)/sign-in?"), "\(redirect)")
        let target = String(redirect.dropFirst(Self.url.utf8.count))

        let page = try own.get(target)
        let cookie = try #require(page.header("Set-Cookie"))
        #expect(cookie.hasPrefix("__Secure-nephos-form=") && cookie.contains("; Path=/nephos; "), "\(cookie)")
        #expect(page.text.contains("href=\"/nephos/recover?"), "\(page.text)")
        let links = page.text.matches(of: #/(?:href|action)="(\/[^"]*)"/#).map { String($0.1) }
        #expect(links.allSatisfy { $0.hasPrefix("/nephos/") }, "\(links)")

        let typed = [("email", PeopleCloud.email), ("password", PeopleCloud.password), ("answer", "yes")]
        func post(_ target: String, _ form: String, _ fields: [(String, String)]) throws -> RawResponse {
            try own.post(target, [("form", form)] + fields, from: Self.site)
        }
        // Without an app, to the account page and back.
        let entered = try post("/sign-in", try own.get("/sign-in").field("form"), typed)
        #expect(entered.status == 303 && entered.header("Location") == "/nephos/account")
        let cookies = entered.headers.filter { $0.name == "Set-Cookie" }.map(\.value)
        #expect(cookies.count == 2 && cookies.allSatisfy { $0.contains("; Path=/nephos; ") }, "\(cookies)")
        let account = try own.get("/account")
        #expect(account.status == 200)
        let out = try post("/account", try account.field("form"), [("do", "signOut")])
        #expect(out.header("Location") == "/nephos/sign-in")
        let canceled = try post("/sign-in", try own.get("/sign-in").field("form"), [("answer", "cancel")])
        #expect(canceled.header("Location") == "/nephos/")
        #expect(try own.get("/account").header("Location") == "/nephos/sign-in")

        // With a link by mail.
        let sent = try post("/recover", try own.get("/recover").field("form"), [("email", PeopleCloud.email)])
        #expect(sent.text.contains("href=\"/nephos/sign-in\""), "\(sent.text)")
        let mail = try #require(try own.mails(to: PeopleCloud.email).last)
        let link = try #require(mail.firstRange(of: "\(Self.url)/verify?link=")).lowerBound
        let verify = String(mail[link...].dropFirst(Self.url.utf8.count).prefix { !$0.isWhitespace })
        let new = try post(
            verify, try own.get(verify).field("form"), [("password", "an entirely new battery"), ("answer", "yes")])
        #expect(new.status == 200 && new.text.contains("href=\"/nephos/account\""), "\(new.text)")
    }

    @Test("On this machine, pages are at localhost, below the path")
    func localhost() async throws {
        let own = try await PeopleCloud(publicURL: "http://127.0.0.1:8080/nephos")
        let answer = try own.cloud.ask("GET", "/sign-in", headers: [("Host", "127.0.0.1:8080")], as: .stranger)
        #expect(answer.status == 303 && answer.header("Location") == "http://localhost:8080/nephos/sign-in")
        let pages = PagePlace.pages(at: "http://127.0.0.1:8080/nephos", .local)
        #expect(pages == "http://localhost:8080/nephos")
    }

    @Test("The public URL has none of the paths of the server's own pages")
    func ownPaths() async throws {
        let pages = try await people().cloud.backend.features.flatMap(\.pages).map(\.path)
        #expect(pages.contains("/sign-in") && pages.contains("/device"))
        for path in pages + ["/docs", "/healthz", "/metrics", "/database", "/asset/1"] {
            #expect(PublicURL(Self.site + path) == nil, "\(path)")
        }
    }

    @Test("Cookies are for the path over TLS and without it, and for the whole host without a path")
    func cookies() throws {
        func set(_ origin: String, _ base: String) throws -> String {
            SiteCookie.session.set("1", PagePlace(origin: try #require(WebOrigin(origin)), base: base)).value
        }
        #expect(try set(Self.site, "/nephos") == "__Secure-nephos=1; Path=/nephos; HttpOnly; SameSite=Lax; Secure")
        #expect(try set("http://localhost", "/nephos") == "nephos=1; Path=/nephos; HttpOnly; SameSite=Lax")
        #expect(try set("http://localhost", "") == "nephos=1; Path=/; HttpOnly; SameSite=Lax")
    }
}
