import CloudKitWire
import NephosDomain
import NephosNetwork
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

@testable import NephosPeople

/// docs/people.md, "Passkeys": on the page to which a 421 leads.
@Suite("Signing in with a passkey") struct PasskeyPageTests {
    @Test("The page offers a passkey, then asks about the app, then signs in; later consents are remembered")
    func whole() async throws {
        let own = try await PasskeyFixture()
        let passkey = try SoftwarePasskey()
        try own.register(passkey)
        let target = try own.people.redirect()
        let question = try own.use(passkey, at: target)
        #expect(question.status == 200 && question.told == nil && question.text.contains("Let this app act as you?"))
        let answer = try own.people.press("yes", on: question, target)
        #expect(answer.told?.origin == PeopleCloud.origin)
        #expect(try own.people.status(of: answer.token()) == 200)
        // The session of a password belongs to the same user.
        let token = try own.people.signIn(try own.people.redirect()).token()
        let again = try own.use(passkey, at: try own.people.redirect()).token()
        #expect(try own.person(token) == own.person(again))
        #expect(try own.people.cloud.check() == [])
    }

    @Test("A person who chose to stay signed in does so for two weeks")
    func keep() async throws {
        let own = try await PasskeyFixture()
        let passkey = try SoftwarePasskey()
        try own.register(passkey)
        let target = try own.people.redirect()
        let question = try own.use(passkey, at: target, keep: true)
        let token = try own.people.press("yes", on: question, target).token()
        own.people.now += 14 * 24 * 3_600_000 - 1
        #expect(try own.people.status(of: token) == 200)
    }

    @Test("A replayed response, or one for another address or browser, signs nobody in, and the page gives the reason")
    func refused() async throws {
        let own = try await PasskeyFixture()
        let passkey = try SoftwarePasskey()
        try own.register(passkey)
        let target = try own.people.redirect()
        let page = try own.people.get(target)
        let sent = try own.fields(passkey, page)
        func isRefused(_ answer: RawResponse, _ text: String) -> Bool {
            answer.status == 403 && answer.told == nil && answer.text.contains(text)
        }
        let jar = own.people.jar
        own.people.jar = [:]
        let (elsewhere, form) = (try own.people.get(target), "This form cannot be used")
        #expect(isRefused(try own.people.post(target, sent), form))
        let stolen = sent.map { $0.0 == "form" ? ("form", (try? elsewhere.field("form")) ?? "") : $0 }
        #expect(isRefused(try own.people.post(target, stolen), "That took too long"))
        own.people.jar = jar
        own.people.now += 1
        let other = try own.people.redirect()
        let moved = sent.map { $0.0 == "form" ? ("form", (try? own.people.get(other).field("form")) ?? "") : $0 }
        #expect(isRefused(try own.people.post(other, moved), "That took too long"))
        #expect(isRefused(try own.people.post(target, sent, from: "https://evil.example"), form))
        #expect(try own.people.post(target, sent).text.contains("Let this app act as you?"))
        own.people.jar = jar
        #expect(isRefused(try own.people.post(target, sent), "or was already sent"))
        let texts: [((inout SoftwarePasskey.Said) -> Void, String)] = [
            ({ $0.party = "evil.example" }, "belongs to another site"), ({ $0.flags = 1 }, "did not verify"),
            ({ $0.counter = 7 }, "Let this app"), ({ $0.counter = 7 }, "There seems to be a copy"),
            ({ $0.kind = "" }, "did not send a valid passkey"),
        ]
        for (change, text) in texts {
            #expect(try own.use(passkey, at: target, change).text.contains(text))
        }
        let foreign = try own.use(try SoftwarePasskey(), at: target)
        #expect(isRefused(foreign, "This passkey does not belong to an account here"))
        // The response contains another challenge, which is valid.
        #expect(try own.people.post(target, own.fields(passkey, foreign) { $0.counter = 8 }).status == 200)
        own.people.jar = jar
        #expect(
            isRefused(
                try own.people.post(target, [("form", try page.field("form")), ("answer", "passkey")]),
                "did not send a valid passkey")
        )
        #expect(try own.people.get(target, language: "de").text.contains("Mit einem Passkey anmelden"))
    }

    @Test("A failure counts for the network address, and locks no account")
    func waits() async throws {
        let own = try await PasskeyFixture()
        let passkey = try SoftwarePasskey()
        try own.register(passkey)
        let target = try own.people.redirect()
        let (network, other) = (ClientNetwork("192.0.2.1"), ClientNetwork("192.0.2.2"))
        for _ in 0...SignInWaits.freeOfNetwork {
            #expect(try own.use(passkey, at: target, network: network) { $0.flags = 1 }.status == 403)
        }
        let late = try own.use(passkey, at: target, network: network)
        #expect(late.status == 429 && late.header("Retry-After") == "1")
        #expect(try own.use(passkey, at: target, network: other).status == 200)
        #expect(try own.people.signIn(target, network: other).status == 200)
        own.people.now += 1_000
        #expect(try own.use(passkey, at: target, network: network).status == 200)
    }

    @Test("On this machine the page is at localhost: other hosts are redirected there, with the same request")
    func localhost() async throws {
        let own = try await PasskeyFixture()
        let target = try own.people.redirect()
        for host in [nil, "127.0.0.1", "[::1]", "localhost:81", "evil.example"] {
            let headers = host.map { [("Host", $0)] } ?? []
            let answer = try own.people.cloud.ask("GET", target, headers: headers, as: .stranger)
            #expect(answer.status == 303 && answer.header("Location") == "http://localhost\(target)")
            #expect(answer.header("Set-Cookie") == nil && answer.body.isEmpty)
        }
        #expect(try own.people.get(target).text.contains("data-passkey"))
        for text in ["http://127.0.0.1:8080", "http://[::1]:8080"] {
            #expect(WebOrigin(text)?.atLocalhost?.text == "http://localhost:8080")
        }
        for text in ["http://127.0.0.2:8080", "http://localhost:8080", "https://cloud.example.org", "http://[::2]"] {
            #expect(WebOrigin(text)?.atLocalhost == nil)
        }
    }

    @Test("A reachable server has its page at its public URL, and offers passkeys where browsers support them")
    func elsewhere() throws {
        func place(_ url: String?, _ party: RelyingParty?, host: String = "cloud.example.org") -> PagePlace? {
            let request = RawRequest(
                method: .get, target: "/sign-in", headers: RequestHeaders([(name: "Host", value: host)]), body: [],
                id: .next(), arrivedAt: 0)
            return PagePlace(of: request, publicURL: url.flatMap { PublicURL($0) }, party)
        }
        let named = place("https://cloud.example.org", RelyingParty(host: "example.org"))
        #expect(named?.origin.text == "https://cloud.example.org" && named?.elsewhere == nil)
        let address = "127.0.0.1:8080"
        #expect(place("http://\(address)", .local, host: address)?.elsewhere?.text == "http://localhost:8080")
        for host in ["localhost:8080", "localhost"] {
            let local = place("http://\(address)", .local, host: host)
            #expect(local?.origin.text == "http://localhost:8080" && local?.elsewhere == nil, "\(host)")
        }
        #expect(place("http://\(address)", nil, host: address)?.elsewhere == nil)
    }

    @Test("A proxy's header says which name the browser used; a form's own origin does, too")
    func behindProxy() throws {
        func place(_ headers: [(name: String, value: String)]) -> PagePlace? {
            var request = RawRequest(
                method: .post, target: "/sign-in", headers: RequestHeaders(headers), body: [], id: .next(), arrivedAt: 0
            )
            request.peer = Peer(isProxy: true, address: nil, origin: "http://127.0.0.1:9000")
            return PagePlace(of: request, publicURL: PublicURL("http://127.0.0.1:8080"), .local)
        }
        let server = (name: "Host", value: "127.0.0.1:9000")
        for more in [("X-Forwarded-Host", "localhost:8080"), ("Origin", "http://localhost:8080")] {
            let local = place([server, more])
            #expect(local?.origin.text == "http://localhost:8080" && local?.elsewhere == nil, "\(more)")
        }
        #expect(place([("Host", "127.0.0.1:8080")])?.elsewhere?.text == "http://localhost:8080")
        // The name that a proxy uses for the server says nothing about the browser.
        for headers in [[server], [server, ("Origin", "http://localhost:8081")]] {
            let unknown = place(headers)
            #expect(unknown?.origin.text == "http://127.0.0.1:8080" && unknown?.elsewhere == nil, "\(headers)")
        }
    }
}

extension PasskeyFixture {
    /// The form that a page's script submits for a passkey.
    func fields(
        _ passkey: SoftwarePasskey, _ page: RawResponse, keep: Bool = false,
        _ change: (inout SoftwarePasskey.Said) -> Void = { _ in }
    ) throws -> [(String, String)] {
        let options = try #require(page.attribute("data-passkey"), "\(page.status) \(page.text)")
        let used = try passkey.used(options.replacing("&quot;", with: "\""), by: ada.id, change)
        let bytes = [
            ("credential", used.id), ("user", used.user), ("client", used.client),
            ("authenticator", used.authenticator),
            ("signature", used.signature),
        ]
        return [("form", try page.field("form")), ("answer", "passkey"), ("keep", keep ? "yes" : "")]
            + bytes.map { ($0.0, Base64.text($0.1, .urlSafe)) }
    }

    /// In a browser where nobody is signed in.
    func use(
        _ passkey: SoftwarePasskey, at target: String, keep: Bool = false, network: ClientNetwork? = nil,
        _ change: (inout SoftwarePasskey.Said) -> Void = { _ in }
    ) throws -> RawResponse {
        people.jar["nephos"] = nil
        return try people.post(target, fields(passkey, try people.get(target), keep: keep, change), network: network)
    }

    func person(_ token: String) throws -> String? {
        let caller = "\(PeopleCloud.caller)?ckAPIToken=\(people.cloud.apiToken)&ckWebAuthToken=\(token)"
        return try JSON(reading: people.cloud.ask("GET", caller, as: .stranger).body)["userRecordName"].string
    }
}
