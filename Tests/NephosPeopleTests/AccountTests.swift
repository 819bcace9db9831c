import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

@testable import NephosPeople

/// docs/people.md, "Your account".
@Suite("The page of an account") struct AccountTests {
    private static let chosen = "an entirely new battery"

    /// Ada, on her account page in a browser.
    private static func signedIn() async throws -> PeopleCloud {
        let own = try await PeopleCloud()
        let answer = try own.signIn("/sign-in")
        #expect(answer.status == 303 && answer.header("Location") == "/account")
        return own
    }

    private static func ask(_ own: PeopleCloud, _ fields: [(String, String)]) throws -> RawResponse {
        try own.post("/account", [("form", try own.get("/account").field("form"))] + fields)
    }

    @Test("People sign in to their account without an app; others are asked to sign in")
    func signIn() async throws {
        let own = try await Self.signedIn()
        let page = try own.get("/account")
        #expect(page.status == 200 && page.text.contains("<b>\(PeopleCloud.email)</b>"))
        #expect(page.header("Cache-Control") == "no-store")
        #expect(try own.get("/sign-in").header("Location") == "/account")
        own.jar = [:]
        #expect(try own.get("/account").header("Location") == "/sign-in")
        #expect(try own.post("/account", [("do", "signOut")]).status == 303)
    }

    @Test("The cookie is random, inaccessible to scripts, new at each sign-in, and stored as a hash")
    func cookies() async throws {
        let own = try await Self.signedIn()
        let first = try #require(own.jar["nephos"])
        _ = try own.signIn("/sign-in", keep: true)
        let second = try #require(own.jar["nephos"])
        #expect(first != second && first.utf8.count == 64)
        let account = try #require(try own.cloud.engine.account(email: PeopleCloud.email))
        let rows = try own.cloud.engine.directory.rows(BrowserSessionRow.of(account.id, limit: 10))
        #expect(
            rows.count == 2
                && rows.allSatisfy { $0.id != Hexadecimal.bytes(first) && $0.id != Hexadecimal.bytes(second) })
        let secure = PagePlace(origin: try #require(WebOrigin("https://cloud.example.org")))
        let set = SiteCookie.session.set("1", secure).value
        #expect(set == "__Host-nephos=1; Path=/; HttpOnly; SameSite=Lax; Secure")
    }

    @Test("Signing in as another person replaces the current one and ends that session (fixation)")
    func fixation() async throws {
        let own = try await Self.signedIn()
        let old = own.jar
        let target = try own.redirect()
        let question = try own.get(target)
        let form = try own.press("other", on: question, target)
        #expect(form.text.contains("type=\"password\""))
        #expect(own.jar["nephos"] == nil)
        own.jar = old
        #expect(try own.get("/account").status == 303)
        // A cookie set by somebody else is not a valid session.
        own.jar = ["nephos": String(repeating: "a", count: 64)]
        #expect(try own.get("/account").status == 303)
    }

    @Test("A session lasts 30 minutes from the last use, two weeks when staying signed in, and 180 days at most")
    func lifetime() async throws {
        let own = try await Self.signedIn()
        func isIn() throws -> Bool { try own.get("/account").status == 200 }
        own.now += BrowserSession.lifetime - 1
        #expect(try isIn())
        own.now += BrowserSession.lifetime - 1
        #expect(try isIn())
        own.now += BrowserSession.lifetime
        #expect(try !isIn())
        _ = try own.signIn("/sign-in", keep: true)
        let start = own.now
        while own.now + BrowserSession.keptLifetime - 1 < start + BrowserSession.longest {
            own.now += BrowserSession.keptLifetime - 1
            #expect(try isIn())
        }
        own.now = start + BrowserSession.longest
        #expect(try !isIn())
    }

    @Test("A name and a password can be changed, the latter with the old one; other browsers are then signed out")
    func changes() async throws {
        let own = try await Self.signedIn()
        let first = own.jar
        _ = try own.signIn("/sign-in")
        #expect(try Self.ask(own, [("do", "name"), ("name", "<Ada> King")]).text.contains("Saved."))
        #expect(try own.get("/account").text.contains("value=\"&lt;Ada&gt; King\""))
        let wrong = try Self.ask(own, [("do", "password"), ("current", "not that one at all"), ("new", Self.chosen)])
        #expect(wrong.status == 403 && wrong.text.contains("Nothing was changed."))
        let bad = try Self.ask(own, [("do", "password"), ("current", PeopleCloud.password), ("new", "short")])
        #expect(bad.status == 400)
        let done = try Self.ask(own, [("do", "password"), ("current", PeopleCloud.password), ("new", Self.chosen)])
        #expect(done.status == 200 && done.text.contains("Saved."))
        #expect(try own.mails(to: PeopleCloud.email).map { $0.contains("Its password was changed") } == [true])
        #expect(try own.get("/account").status == 200)
        own.jar = first
        #expect(try own.get("/account").status == 303)
        #expect(try own.signIn("/sign-in").status == 403)
        #expect(try own.signIn("/sign-in", PeopleCloud.email, Self.chosen).status == 303)
        #expect(try own.cloud.check() == [])
    }

    @Test("Changing an address needs the password and mail to the new one; nobody can take another's")
    func email() async throws {
        let own = try await Self.signedIn()
        let wish = [("do", "email"), ("email", "ada@new.example"), ("current", PeopleCloud.password)]
        #expect(try Self.ask(own, [wish[0], wish[1], ("current", "not that one at all")]).status == 403)
        #expect(try own.mails(to: "ada@new.example") == [])
        #expect(try Self.ask(own, wish).status == 200)
        let link = try own.link(to: "ada@new.example")
        #expect(try own.cloud.engine.account(email: PeopleCloud.email) != nil)
        // Another user with access to the new mailbox cannot attach it to this account.
        let jar = own.jar
        own.jar = [:]
        #expect(try own.get(link).status == 403)
        own.jar = jar
        let done = try own.post(link, [("form", try own.get(link).field("form"))])
        #expect(done.status == 200 && done.text.contains("<b>ada@new.example</b>"))
        #expect(try own.mails(to: PeopleCloud.email).map { $0.contains("is ada@new.example now") } == [true])
        #expect(try own.cloud.engine.account(email: PeopleCloud.email) == nil)
        #expect(try own.signIn("/sign-in", "ada@new.example").status == 303)
        // Grace already has it.
        _ = try Self.ask(own, [wish[0], ("email", "grace@example.org"), wish[2]])
        let taken = try own.link(to: "grace@example.org")
        #expect(try own.post(taken, [("form", try own.get(taken).field("form"))]).status == 409)
    }

    @Test("A requested link to another address is invalid after the password is changed (takeover)")
    func oldLinks() async throws {
        for isRecovery in [true, false] {
            let own = try await Self.signedIn()
            _ = try Self.ask(
                own, [("do", "email"), ("email", "eve@new.example"), ("current", PeopleCloud.password)])
            let link = try own.link(to: "eve@new.example")
            #expect(try own.get(link).status == 200)
            if isRecovery {
                let form = try own.get("/recover").field("form")
                _ = try own.post("/recover", [("form", form), ("email", PeopleCloud.email)])
                let recovery = try own.link(to: PeopleCloud.email)
                _ = try own.post(recovery, [("form", try own.get(recovery).field("form")), ("password", Self.chosen)])
            } else {
                _ = try Self.ask(own, [("do", "password"), ("current", PeopleCloud.password), ("new", Self.chosen)])
            }
            #expect(try own.get("/account").status == 200)
            #expect(try own.get(link).status == 410)
        }
    }

    @Test("With the maximum number of passkeys the page works, and accepts no more")
    func manyPasskeys() async throws {
        let own = try await Self.signedIn()
        let account = try #require(try own.cloud.engine.account(email: PeopleCloud.email))
        for number in 0..<Passkeys.countMax {
            var set = ReadSet()
            set.ask(SignInMethodRow.anyPasskey)
            try own.cloud.engine.directory.commit(set) { _ in
                var writes = WriteSet()
                writes.put(
                    SignInMethodRow(
                        account: account.id, kind: .passkey, id: [UInt8](repeating: UInt8(number), count: 16),
                        verifier: "", name: "Key \(number)", createdAt: 1))
                return .write(writes, ())
            }
        }
        let page = try own.get("/account")
        #expect(page.status == 200 && page.text.contains("Key 19") && page.attribute("data-passkey") == nil)
    }

    @Test("A person without a password must have signed in recently to change sign-in methods")
    func fresh() async throws {
        let own = try await Self.signedIn()
        let method = try #require(try own.method)
        try own.cloud.engine.directory.commit(ReadSet()) { _ in
            var writes = WriteSet()
            writes.remove(method)
            return .write(writes, ())
        }
        own.now += 10 * 60_000
        let wish = [("do", "password"), ("new", Self.chosen)]
        let refused = try Self.ask(own, wish)
        #expect(refused.status == 403 && refused.text.contains("too long ago"))
        own.now -= 1
        #expect(try Self.ask(own, wish).text.contains("Saved."))
    }

    @Test("A password set by command ends all sessions on these pages, and earlier links")
    func byCommand() async throws {
        let own = try await Self.signedIn()
        try own.administration.setPassword(of: PeopleCloud.email, to: Self.chosen, cost: PeopleCloud.cheap)
        #expect(try own.get("/account").status == 303)
    }

    @Test("Browsers and apps are listed, and can be removed one by one: an app with its sessions, and it asks again")
    func places() async throws {
        let own = try await Self.signedIn()
        let other = own.jar
        let target = try own.redirect()
        let token = try own.press("yes", on: try own.signIn(target), target).token()
        let page = try own.get("/account")
        #expect(page.text.contains(PeopleCloud.origin) && page.text.contains("\(SmallCloud.tenant)"))
        let id = try page.field("id")
        #expect(try Self.ask(own, [("do", "end"), ("id", id)]).status == 303)
        let mine = own.jar
        own.jar = other
        #expect(try own.get("/account").status == 303)
        own.jar = mine
        #expect(try own.status(of: token) == 200)
        #expect(try Self.ask(own, [("do", "app"), ("app", "\(SmallCloud.tenant)")]).status == 303)
        #expect(try own.status(of: token) == 421)
        #expect(try own.get("/account").text.contains("None yet."))
        #expect(try own.get(target).text.contains("Let this app act as you?"))
        // Sessions of other users are not ended.
        let browser = own.jar
        try own.administration.setPassword(of: "grace@example.org", to: Self.chosen, cost: PeopleCloud.cheap)
        _ = try own.signIn("/sign-in", "grace@example.org", Self.chosen)
        let graces = try #require(own.jar["nephos"])
        own.jar = browser
        _ = try Self.ask(own, [("do", "end"), ("id", Hexadecimal.text(BrowserSession.id(of: graces)))])
        own.jar = ["nephos": graces]
        #expect(try own.get("/account").status == 200)
    }

    @Test("Signing out everywhere signs out all browsers and all apps")
    func everywhere() async throws {
        let own = try await Self.signedIn()
        let other = own.jar
        let target = try own.redirect()
        let token = try own.press("yes", on: try own.signIn(target), target).token()
        let out = try Self.ask(own, [("do", "everywhere")])
        #expect(out.status == 303 && own.jar["nephos"] == nil)
        own.jar = other
        #expect(try own.get("/account").status == 303)
        #expect(try own.status(of: token) == 421)
    }

    @Test(
        "A passkey is created, named, used and removed; the last sign-in method and other accounts' are protected")
    func passkeys() async throws {
        let own = try await Self.signedIn()
        let passkey = try SoftwarePasskey()
        func make(_ name: String, _ password: String = PeopleCloud.password) throws -> RawResponse {
            let page = try own.get("/account")
            let options = try #require(page.attribute("data-passkey")).replacing("&quot;", with: "\"")
            let made = try passkey.made(options)
            return try own.post(
                "/account",
                [
                    ("form", try page.field("form")), ("do", "passkey"), ("name", name), ("current", password),
                    ("client", Base64.text(made.client, .urlSafe)), ("object", Base64.text(made.object, .urlSafe)),
                ])
        }
        #expect(try make("Telephone", "not that one at all").status == 403)
        #expect(try make("").status == 400)
        #expect(try make("<i>Telephone</i>").text.contains("Saved."))
        #expect(try own.mails(to: PeopleCloud.email).map { $0.contains("A passkey was added.") } == [true])
        #expect(try make("Again").text.contains("This passkey already belongs to an account."))
        let id = Hexadecimal.text(passkey.id)
        #expect(try Self.ask(own, [("do", "renamePasskey"), ("id", id), ("name", "Phone")]).status == 200)
        #expect(try own.get("/account").text.contains(">Phone</b>"))
        let browser = own.jar
        try own.administration.setPassword(of: "grace@example.org", to: Self.chosen, cost: PeopleCloud.cheap)
        _ = try own.signIn("/sign-in", "grace@example.org", Self.chosen)
        #expect(try Self.ask(own, [("do", "removePasskey"), ("id", id)]).status == 400)
        own.jar = browser
        #expect(try own.get("/account").text.contains(">Phone</b>"))
        #expect(try Self.ask(own, [("do", "removePasskey"), ("id", id)]).status == 200)
        #expect(try !own.get("/account").text.contains(">Phone</b>"))
        #expect(try own.cloud.check() == [])
    }

    @Test("A browser is listed by program and system; otherwise by its own description")
    func browserNames() {
        let gecko = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
        let webKit = "AppleWebKit/605.1.15 (KHTML, like Gecko)"
        for (agent, name) in [
            (gecko, "Firefox, Linux"),
            ("Mozilla/5.0 (Windows NT 10.0) \(webKit) Chrome/140.0 Safari/537.36 Edg/140.0", "Edge, Windows"),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) \(webKit) Version/19.0 Safari/604.1",
                "Safari, iPhone"
            ),
            ("Mozilla/5.0 (Linux; Android 16) \(webKit) Chrome/140.0 Mobile Safari/537.36", "Chrome, Android"),
            ("curl/8.0", "curl/8.0"), ("", ""),
        ] {
            #expect(BrowserName(agent).description == name)
        }
    }

    @Test("A form without its token, or from another site, changes nothing")
    func foreignForms() async throws {
        let own = try await Self.signedIn()
        let form = try own.get("/account").field("form")
        #expect(try own.post("/account", [("do", "everywhere")]).status == 403)
        #expect(
            try own.post("/account", [("form", form), ("do", "everywhere")], from: "https://evil.example").status == 403
        )
        #expect(try own.post("/account", [("form", form), ("do", "nothing")]).status == 403)
        #expect(try own.get("/account").status == 200)
    }
}
