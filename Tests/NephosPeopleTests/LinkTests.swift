import CloudKitWire
import NephosAdmin
import NephosDomain
import NephosNetwork
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

@testable import NephosPeople

/// docs/people.md, "Signing up" and "Forgotten passwords".
@Suite("Links in mails") struct LinkTests {
    private static let email = "mary@example.net"
    private static let chosen = "an entirely new battery"

    /// A cloud whose app accepts new users.
    private static func cloud(_ policy: String = "open", mails: Bool = true) async throws -> PeopleCloud {
        let own = try await PeopleCloud(isMailing: mails)
        try await own.takePeople(policy)
        return own
    }

    private static func signUp(_ own: PeopleCloud, _ target: String, _ email: String = email) throws -> RawResponse {
        own.jar = [:]
        let page = try own.get(target.replacing("/sign-in?", with: "/sign-up?"))
        #expect(page.status == 200, "\(page.text)")
        return try own.post(
            target.replacing("/sign-in?", with: "/sign-up?"), [("form", try page.field("form")), ("email", email)])
    }

    private static func recover(
        _ own: PeopleCloud, _ email: String, network: ClientNetwork? = nil
    ) throws -> RawResponse {
        own.jar = [:]
        let form = try own.get("/recover").field("form")
        return try own.post("/recover", [("form", form), ("email", email)], network: network)
    }

    private static func follow(_ own: PeopleCloud, _ link: String, _ fields: [(String, String)]) throws -> RawResponse {
        try own.post(link, [("form", try own.get(link).field("form"))] + fields)
    }

    @Test(
        "After an address, the mail and a chosen password there is an account, and the app's consent page"
    )
    func whole() async throws {
        let own = try await Self.cloud()
        let target = try own.redirect()
        #expect(try own.get(target).text.contains("href=\"/sign-up?container="))
        let sent = try Self.signUp(own, target)
        #expect(sent.status == 200 && sent.text.contains("<b>\(Self.email)</b>"))
        #expect(try own.cloud.engine.account(email: Self.email) == nil)
        // Possibly on another device. Viewing it does not use it up.
        own.jar = [:]
        let link = try own.link(to: Self.email)
        for _ in 0..<3 { #expect(try own.get(link).status == 200) }
        let done = try Self.follow(own, link, [("name", "Mary Q Public"), ("password", Self.chosen)])
        #expect(done.status == 200 && done.text.contains("go back to its window"))
        let account = try #require(try own.cloud.engine.account(email: Self.email))
        #expect(account.givenName == "Mary" && account.familyName == "Q Public")
        // They continue in the app's window, if it is in this browser.
        let next = try #require(sent.text.firstRange(of: "<a href=\"/sign-in?")).upperBound
        #expect(sent.text[next...].hasPrefix(target.dropFirst("/sign-in?".utf8.count).replacing("&", with: "&amp;")))
        let question = try own.get(target)
        #expect(question.text.contains("You are signed in as <b>\(Self.email)</b>"))
        let token = try own.press("yes", on: question, target).token()
        #expect(try own.status(of: token) == 200)
        // Only once.
        #expect(try own.get(link).status == 410)
        #expect(try own.post(link, [("form", "x"), ("password", "yet another battery")]).status == 410)
        #expect(try own.signIn(target, Self.email, Self.chosen).token() != token)
        #expect(try own.cloud.check() == [])
    }

    // docs/people.md, "Addresses".
    @Test(
        "A person with a domain of any language signs up; the mail goes to its ASCII form, and every spelling is theirs"
    )
    func spellings() async throws {
        let own = try await Self.cloud()
        let target = try own.redirect()
        let (shown, ascii) = ("mary@b\u{FC}cher.example", "mary@xn--bcher-kva.example")
        let spellings = [shown, "Mary@bu\u{308}cher\u{3002}EXAMPLE", ascii.uppercased()]
        #expect(try Self.signUp(own, target, "  Mary@B\u{DC}CHER.example ").status == 200)
        let mail = try #require(try own.mails(to: ascii).last)
        own.jar = [:]
        let link = try own.link(in: mail)
        #expect(try own.get(link).text.contains("This is for <b>\(shown)</b>."))
        for password in ["see you at b\u{FC}cher.example", "see you at xn--bcher-kva.example"] {
            let refused = try Self.follow(own, link, [("password", password)])
            #expect(refused.status == 400 && refused.text.contains("a part of your address"))
        }
        #expect(try Self.follow(own, link, [("password", Self.chosen)]).status == 200)
        #expect(try own.get("/account").text.contains("<b>\(shown)</b>"))
        #expect(try own.cloud.engine.account(email: ascii) != nil)
        for spelling in spellings {
            #expect(try own.signIn(target, spelling, Self.chosen).status == 200, "\(spelling)")
        }
        own.now += 1
        _ = try Self.signUp(own, target, spellings[1])
        #expect(try own.mails(to: ascii).last?.contains("There is one already:") == true)
        own.now += 1
        _ = try Self.recover(own, spellings[2])
        #expect(try own.mails(to: ascii).last?.contains("/verify?link=") == true)
        #expect(try own.cloud.check() == [])
        // What cannot be written in ASCII is refused on the page.
        let wrong = try Self.recover(own, "mary@b\u{FC}ch\u{200B}er.example")
        #expect(wrong.status == 400 && wrong.text.contains("This is not a valid e-mail address."))
    }

    @Test("All spellings of an address share its limits: of attempts to sign in, and of links in a day")
    func spellingsShareLimits() async throws {
        let own = try await Self.cloud()
        let spellings = [
            "ada@\u{FC}.example", "ADA@u\u{308}.example", "ada@xn--tda.example", "Ada@\u{DC}\u{3002}example",
        ]
        _ = try own.administration.createAccount(
            email: spellings[0], name: "Ada", password: PeopleCloud.password, cost: PeopleCloud.cheap)
        let target = try own.redirect()
        for number in 0...Int(SignInWaits.freeOfAccount) {
            let spelling = spellings[number % spellings.count]
            #expect(try own.signIn(target, spelling, "wrong password").status == 403, "\(spelling)")
        }
        for spelling in spellings { #expect(try own.signIn(target, spelling).status == 429, "\(spelling)") }
        for number in 0..<2 * MailLinks.dayMax { _ = try Self.recover(own, spellings[number % spellings.count]) }
        #expect(try own.mails(to: "ada@xn--tda.example").count == MailLinks.dayMax)
    }

    @Test("Somebody whose account an earlier version stored as it was typed signs in and recovers it in every spelling")
    func earlierSpellings() async throws {
        let own = try await Self.cloud()
        try own.cloud.engine.createAccount(
            AccountRow(id: "A", email: "zoe@u\u{308}.example", givenName: "", familyName: "", createdAt: 1))
        try own.administration.setPassword(of: "A", to: PeopleCloud.password, cost: PeopleCloud.cheap)
        let target = try own.redirect()
        for spelling in ["zoe@u\u{308}.example", "zoe@xn--tda.example", "ZOE@\u{DC}.example"] {
            let signedIn = try own.signIn(target, spelling)
            #expect(signedIn.status == 200 && signedIn.text.contains("<b>zoe@\u{FC}.example</b>"), "\(spelling)")
        }
        _ = try Self.recover(own, "Zoe@\u{FC}.example")
        own.jar = [:]
        #expect(try Self.follow(own, own.link(to: "zoe@xn--tda.example"), [("password", Self.chosen)]).status == 200)
        #expect(try own.signIn(target, "zoe@xn--tda.example", Self.chosen).status == 200)
        #expect(try own.signIn(target, "zoe@xn--tda.example").status == 403)
    }

    // docs/people.md, "Signing up".
    @Test("Mails for sign-up and recovery name the app that the person came from") func namesApp() async throws {
        let own = try await Self.cloud()
        let target = try own.redirect()
        let app = "to sign in to fuzz, \(SmallCloud.container) (development).\n"
        _ = try Self.signUp(own, target)
        #expect(try own.mails(to: Self.email).last?.contains("with this address at http://localhost, \(app)") == true)
        _ = try Self.signUp(own, target, PeopleCloud.email)
        #expect(try own.mails(to: PeopleCloud.email).last?.contains(app) == true)
        try await own.takePeople("open", app: #"{"name":"50% <Garden>"}"#)
        let place = target.replacing("/sign-in?", with: "/recover?")
        own.jar = [:]
        own.now += 1
        let fields = [("form", try own.get(place).field("form")), ("email", PeopleCloud.email)]
        #expect(try own.post(place, fields).status == 200)
        let recovery = try #require(try own.mails(to: PeopleCloud.email).last)
        #expect(
            recovery.contains(
                "at http://localhost, to sign in to 50% <Garden>, \(SmallCloud.container) (development).\n"))
        // Without an app, or with one whose request has expired, or that never asked.
        for place in ["/recover", place.replacing("&", with: "&x=1&"), "/recover?container=x"] {
            own.jar = [:]
            if place.contains("x=1") { own.now += SignInRequest.lifetime }
            let fields = [("form", try own.get(place).field("form")), ("email", "grace@example.org")]
            #expect(try own.post(place, fields).status == 200, "\(place)")
            #expect(
                try own.mails(to: "grace@example.org").last?.contains("with this address at http://localhost.\n")
                    == true)
        }
    }

    @Test("Nobody can sign up unless the settings and the API token allow it and an app sent them")
    func closed() async throws {
        for (policy, signsUp) in [("closed", true), ("open", false)] {
            let own = try await PeopleCloud()
            try await own.takePeople(policy, signsUp: signsUp)
            let target = try own.redirect()
            #expect(try !own.get(target).text.contains("/sign-up"))
            let page = try own.get(target.replacing("/sign-in?", with: "/sign-up?"))
            #expect(page.status == 403 && !page.text.contains("<form"))
            #expect(try own.get("/sign-up").status == 404)
        }
        let own = try await Self.cloud(mails: false)
        let target = try own.redirect().replacing("/sign-in?", with: "/sign-up?")
        let page = try own.get(target)
        #expect(page.status == 503 && page.text.contains("This server sends no mails"))
        // docs/mail.md: a new mail configuration takes effect immediately in the process that sets it.
        try own.administration.configureMail(MailSetup(.folder, from: MailSender("nephos@example.net")))
        #expect(try own.get(target).status == 200)
    }

    @Test("Pages describe the app by its settings, as text; invalid settings are rejected with their position")
    func look() async throws {
        let own = try await PeopleCloud()
        let app = ##"{"name":"<i>Garden","color":"#1C64F2","link":"https://garden.example/?a=1&b"}"##
        try await own.takePeople("open", app: app)
        let page = try own.get(try own.redirect())
        #expect(page.text.contains("<b>&lt;i&gt;Garden</b></a>, <b>\(SmallCloud.container)</b>"))
        #expect(
            page.text.contains(
                #"<a href="https://garden.example/?a=1&amp;b" target="_blank" rel="noopener noreferrer">"#))
        #expect(page.text.contains("border-top: .4em solid #1c64f2"))
        // 1 pixel.
        let png = try #require(
            Base64.bytes(
                exactly:
                    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="))
        try await own.administration.setLogo(to: png, in: SmallCloud.tenant)
        let pictured = try own.get(try own.redirect())
        #expect(pictured.text.contains("src=\"data:image/png;base64,\(Base64.text(png))\""))
        #expect(pictured.header("Content-Security-Policy")?.contains("img-src data:") == true)
        var large = png
        large[18] = 9
        for wrong in [Array("<svg/>".utf8), large, Array(png.dropLast(9)), png + [UInt8](repeating: 0, count: 65_536)] {
            await #expect(throws: AdminError.self) {
                try await own.administration.setLogo(to: wrong, in: SmallCloud.tenant)
            }
        }
        try await own.administration.setLogo(to: nil, in: SmallCloud.tenant)
        #expect(try !own.get(try own.redirect()).text.contains("<img"))
        for (document, said) in [
            (#"{"signUp":"everybody"}"#, "signUp must be open, invited or closed"),
            (#"{"app":{"color":"red"}}"#, "#1c64f2"),
            (##"{"app":{"color":"#12345"}}"##, "#1c64f2"), (#"{"app":{"link":"javascript:alert(1)"}}"#, "https://"),
            (#"{"app":{"link":"http://localhost/"}}"#, "https://"), (#"{"app":{"name":""}}"#, "1 to 100 bytes"),
            (#"{"other":1}"#, "people can only have signUp, verifyEmail and app"),
            (#"{"app":{"logo":"x"}}"#, "nephos settings logo"),
            (#"{"app":{"title":"x"}}"#, "app can only have name, color and link"),
        ] {
            let failure = #expect(throws: SectionFailure.self) {
                try CatalogSection.people.anyValue(of: Bytes(document.utf8))
            }
            #expect(failure?.reason.contains(said) == true, "\(document)")
        }
    }

    @Test("Invited people choose a password; for others nothing is created, and the responses are the same")
    func invited() async throws {
        let own = try await Self.cloud("invited")
        let target = try own.redirect()
        // Grace has an account without a password; Ada has one with a password; Mary has none.
        let pages = try ["grace@example.org", PeopleCloud.email, Self.email].map { email in
            let sent = try Self.signUp(own, target, email)
            return "\(sent.status) \(sent.text.replacing(email, with: "EMAIL"))"
        }
        #expect(Set(pages).count == 1)
        #expect(try own.mails(to: Self.email) == [])
        #expect(try own.mails(to: PeopleCloud.email).count == 1)
        #expect(try own.mails(to: PeopleCloud.email)[0].contains("There is one already:"))
        #expect(try !own.mails(to: PeopleCloud.email)[0].contains("link="))
        own.jar = [:]
        let link = try own.link(to: "grace@example.org")
        #expect(try !own.get(link).text.contains("name=\"name\""))
        #expect(try Self.follow(own, link, [("password", Self.chosen)]).status == 200)
        #expect(try own.signIn(target, "grace@example.org", Self.chosen).status == 200)
        #expect(try own.cloud.engine.account(email: "grace@example.org")?.givenName == "Grace")
    }

    @Test("An invalid password is rejected on the page, and the link stays valid")
    func faults() async throws {
        let own = try await Self.cloud()
        _ = try Self.signUp(own, try own.redirect())
        own.jar = [:]
        let link = try own.link(to: Self.email)
        for (password, said) in [
            ("short", "at least 10 characters"), ("my mary is here", "a part of your address"),
            ("aaaaaaaaaaaa", "repeat a single character"),
        ] {
            let page = try Self.follow(own, link, [("password", password), ("name", "Mary <Example>")])
            #expect(page.status == 400 && page.text.contains(said) && !page.text.contains(password))
            #expect(page.text.contains("value=\"Mary &lt;Example&gt;\""), "\(page.text)")
        }
        let long = String(repeating: "n", count: 256)
        #expect(try Self.follow(own, link, [("password", Self.chosen), ("name", long)]).status == 400)
        #expect(try Self.follow(own, link, [("password", Self.chosen)]).status == 200)
    }

    @Test("A person with access to an account's mail can set a new password, which signs everybody out")
    func recovery() async throws {
        let own = try await Self.cloud()
        let target = try own.redirect()
        _ = try own.signIn(target)
        let elsewhere = own.jar
        let pages = try [PeopleCloud.email, "nobody@example.org"].map { email in
            let sent = try Self.recover(own, email)
            return
                "\(sent.status) \(sent.headers.filter { $0.name != "Set-Cookie" }) \(sent.text.replacing(email, with: "EMAIL"))"
        }
        #expect(pages[0] == pages[1])
        #expect(try own.mails(to: "nobody@example.org") == [])
        let link = try own.link(to: PeopleCloud.email)
        own.jar = [:]
        #expect(try Self.follow(own, link, [("password", Self.chosen)]).status == 200)
        #expect(try own.get("/account").text.contains(PeopleCloud.email))
        #expect(try own.mails(to: PeopleCloud.email).contains { $0.contains("Its password was changed") })
        own.jar = elsewhere
        #expect(try own.get("/account").status == 303)
        #expect(try own.signIn(target).status == 403)
        #expect(try own.signIn(target, PeopleCloud.email, Self.chosen).status == 200)
    }

    @Test(
        "A link is valid for an hour, or a day; forged links and those to a previous address are invalid"
    )
    func expired() async throws {
        let own = try await Self.cloud()
        _ = try Self.recover(own, PeopleCloud.email)
        let link = try own.link(to: PeopleCloud.email)
        own.now += 3_600_000 - 1
        #expect(try own.get(link).status == 200)
        own.now += 1
        #expect(try own.get(link).status == 410)
        for link in [
            "/verify", "/verify?link=", "/verify?link=\(String(repeating: "0", count: 64))", "/verify?link=%ff",
        ] {
            let page = try own.get(link)
            #expect(page.status == 410 && page.text.contains("This link is incomplete or has expired"))
        }
        _ = try Self.signUp(own, try own.redirect())
        own.now += MailLinks.day
        #expect(try own.get(try own.link(to: Self.email)).status == 410)
    }

    @Test("If the app has a callback, the browser that opened the link continues there")
    func callback() async throws {
        let own = try await Self.cloud()
        let id = Hexadecimal.text(APIToken.hash(own.cloud.apiToken))
        try await own.administration.setTerms(of: id, in: SmallCloud.tenant) { $0.callbacks = "com.example.app://in" }
        let target = try own.redirect(from: nil)
        _ = try Self.signUp(own, target)
        own.jar = [:]
        let done = try Self.follow(own, try own.link(to: Self.email), [("password", Self.chosen)])
        #expect(done.status == 303 && done.header("Location") == target)
        // The app's request expires sooner than a link.
        _ = try Self.signUp(own, target, "john@example.net")
        own.now += SignInRequest.lifetime
        own.jar = [:]
        let late = try Self.follow(own, try own.link(to: "john@example.net"), [("password", Self.chosen)])
        #expect(late.status == 200 && late.text.contains("You are signed in here"))
        own.now -= SignInRequest.lifetime
        let answer = try own.press("yes", on: try own.get(target), target)
        #expect(answer.header("Location")?.hasPrefix("com.example.app://in?ckWebAuthToken=") == true)
    }

    @Test("Two links for one address create one account")
    func twice() async throws {
        let own = try await Self.cloud()
        let target = try own.redirect()
        for _ in 0..<2 { _ = try Self.signUp(own, target) }
        own.jar = [:]
        let links = try own.mails(to: Self.email).map { try own.link(in: $0) }
        #expect(Set(links).count == 2)
        #expect(try Self.follow(own, links[0], [("password", Self.chosen)]).status == 200)
        own.jar = [:]
        let late = try Self.follow(own, links[1], [("password", "somebody else's battery")])
        #expect(late.status == 409 && late.text.contains("This address is taken"))
        #expect(try own.signIn(target, Self.email, Self.chosen).status == 200)
    }

    @Test(
        "An address gets five mails a day in total, and a network can request twenty; the limit of five is not disclosed"
    )
    func limits() async throws {
        let own = try await Self.cloud()
        let network = try #require(ClientNetwork("192.0.2.1"))
        var answers: Set<String> = []
        for _ in 0..<MailLinks.dayMax + 2 {
            let answer = try Self.recover(own, PeopleCloud.email)
            answers.insert("\(answer.status) \(answer.text)")
        }
        #expect(answers.count == 1)
        #expect(try own.mails(to: PeopleCloud.email).count == MailLinks.dayMax)
        // One network cannot use up the limit of an address.
        for _ in 0..<MailLinks.dayMax { _ = try Self.recover(own, "grace@example.org", network: network) }
        #expect(try own.mails(to: "grace@example.org").count == MailLinks.dayMaxOfNetwork)
        _ = try Self.recover(own, "grace@example.org", network: ClientNetwork("192.0.2.9"))
        #expect(try own.mails(to: "grace@example.org").count == MailLinks.dayMaxOfNetwork + 1)
        // Nor can one site, by its many networks.
        let other = try await Self.cloud()
        for number in 0..<MailLinks.dayMax {
            _ = try Self.recover(other, "grace@example.org", network: ClientNetwork("2001:db8:0:\(number)::1"))
        }
        #expect(try other.mails(to: "grace@example.org").count == MailLinks.dayMaxOfNetwork)
        own.now += MailLinks.day + 1
        for number in 0..<MailLinks.networkMax {
            #expect(try Self.recover(own, "p\(number)@example.org", network: network).status == 200)
        }
        let refused = try Self.recover(own, "other@example.org", network: network)
        #expect(refused.status == 429 && refused.text.contains("Too many mails"))
        #expect(try Self.recover(own, "other@example.org", network: ClientNetwork("192.0.2.2")).status == 200)
        own.now += MailLinks.day + 1
        #expect(try Self.recover(own, "other@example.org", network: network).status == 200)
    }

    @Test("A sign-up without a mail uses up no links of the typed address, and does not hide which were sent to it")
    func otherAddress() async throws {
        let own = try await PeopleCloud()
        let target = try own.redirect()
        func make() async throws {
            try await own.takePeople("open", verifies: false)
            let place = target.replacing("/sign-in?", with: "/sign-up?")
            for _ in 0..<4 * MailLinks.dayMax {
                own.jar = [:]
                let fields = [
                    ("form", try own.get(place).field("form")), ("email", PeopleCloud.email), ("name", "M"),
                    ("password", Self.chosen),
                ]
                #expect(try own.post(place, fields).status == 409)
            }
        }
        try await make()
        try await own.takePeople("open")
        _ = try Self.signUp(own, target, PeopleCloud.email)
        #expect(try own.mails(to: PeopleCloud.email).count == 1)
        for _ in 0..<MailLinks.dayMax { _ = try Self.recover(own, PeopleCloud.email) }
        try await make()
        _ = try Self.recover(own, PeopleCloud.email)
        let links = try own.cloud.engine.directory.rows(MailLinkRow.to(PeopleCloud.email, after: 0, limit: 100))
        #expect(links.count { $0.kind == .recover } == MailLinks.dayMax && links.count { $0.kind == .signUp } == 1)
    }

    // docs/limits.md, "Passwords".
    @Test(
        "Limits come before hashing: of a network that has none left, a taken address, and a link that is good for nothing"
    )
    func cheaply() async throws {
        // A hash of this cost cannot be computed.
        let own = try await PeopleCloud(cost: PasswordHash.Cost(rounds: 4, blockSize: 8, lanes: 0))
        try await own.takePeople("open", verifies: false)
        let place = try own.redirect().replacing("/sign-in?", with: "/sign-up?")
        let network = try #require(ClientNetwork("203.0.113.7"))
        func make(_ email: String) throws -> RawResponse {
            own.jar = [:]
            let form = try own.get(place).field("form")
            return try own.post(
                place, [("form", form), ("email", email), ("password", Self.chosen)], network: network)
        }
        #expect(try make(PeopleCloud.email).status == 409)
        for number in 1..<MailLinks.networkMax {
            _ = try Self.recover(own, "p\(number)@example.org", network: network)
        }
        #expect(try make("one.more@example.net").status == 429)

        let other = try await Self.cloud()
        let target = try other.redirect()
        _ = try Self.signUp(other, target)
        _ = try other.administration.createAccount(email: Self.email, name: "")
        other.jar = [:]
        let link = try other.link(to: Self.email)
        for _ in 0...SignInWaits.freeOfAccount {
            #expect(try Self.follow(other, link, [("password", Self.chosen)]).status == 409)
        }
        #expect(try Self.follow(other, link, [("password", Self.chosen)]).status == 429)
    }

    @Test("Links in mails lead to this server, whatever a request's Host header; and no line break gets into a mail")
    func hosts() async throws {
        let own = try await Self.cloud()
        let form = try own.get("/recover").field("form")
        let fields = [("form", form), ("email", PeopleCloud.email)]
        // A proxy that nobody has named, or one that is trusted without a public URL.
        for forged in [("Host", "evil.example"), ("X-Forwarded-Host", "evil.example"), ("Via", "1.1 proxy")] {
            own.forged = [forged]
            #expect(try own.post("/recover", fields).status == 503, "\(forged)")
            #expect(try own.mails(to: PeopleCloud.email) == [])
        }
        own.forged = []
        _ = try own.post("/recover", fields)
        let mail = try #require(try own.mails(to: PeopleCloud.email).first)
        #expect(mail.contains("http://localhost/verify?link=") && !mail.contains("evil"))
        for email in [
            "a@example.org\r\nBcc: b@example.org", "a@example.org, b@example.org", "<a@example.org>", "a", "",
        ] {
            #expect(try Self.recover(own, email).status == 400, "\(email)")
        }
    }

    // docs/mail.md, "Links in mails".
    @Test(
        "A trusted proxy that passes on a stranger's host does not get it into a mail: without a public URL none has links"
    )
    func proxies() async throws {
        let (evil, said) = ("https://evil.example", "https://cloud.example.org")
        for publicURL in [nil, said] {
            let own = try await PeopleCloud(publicURL: publicURL, isLocal: false)
            (own.peer, own.forged) = (
                PeopleCloud.proxy, [("X-Forwarded-Host", "evil.example"), ("X-Forwarded-Proto", "https")]
            )
            let origin = publicURL ?? evil
            func changed(_ fields: (String, String)...) throws -> RawResponse {
                try own.post("/account", [("form", try own.get("/account").field("form"))] + fields, from: origin)
            }
            let pages = try [PeopleCloud.email, "nobody@example.org"].map { email in
                own.jar = [:]
                let page = try own.get("/recover")
                let form = page.status == 200 ? [("form", try page.field("form"))] : []
                return try own.post("/recover", form + [("email", email)], from: origin)
            }
            own.jar = [:]
            let form = try own.get("/sign-in").field("form")
            let typed = [("form", form), ("email", PeopleCloud.email), ("password", PeopleCloud.password)]
            #expect(try own.post("/sign-in", typed, from: origin).status == 303)
            let moved = try changed(("do", "email"), ("email", Self.email), ("current", PeopleCloud.password))
            let renewed = try changed(
                ("do", "password"), ("new", Self.chosen), ("current", PeopleCloud.password))
            #expect(renewed.status == 200)
            if publicURL == nil { #expect(try changed(("do", "delete"), ("current", Self.chosen)).status == 200) }
            let mails = try own.mails(to: PeopleCloud.email) + own.mails(to: Self.email)
            if publicURL == nil {
                for page in pages + [moved] {
                    #expect(page.status == 503 && page.text.contains("--public-url"), "\(page.text)")
                }
                // Notices of what was done are sent all the same.
                #expect(mails.count == 2 && mails.allSatisfy { !$0.contains("http") && !$0.contains("%") }, "\(mails)")
            } else {
                #expect((pages + [moved]).allSatisfy { $0.status == 200 })
                #expect(mails.count == 3 && mails.allSatisfy { $0.contains(said) && !$0.contains("evil") }, "\(mails)")
            }
            // Whether an address has an account does not show.
            #expect(pages[0].text.replacing(PeopleCloud.email, with: "nobody@example.org") == pages[1].text)
        }
    }

    @Test("A form from another page, without its token or its cookie, sends nothing and uses up nothing")
    func foreignForms() async throws {
        let own = try await Self.cloud()
        let form = try own.get("/recover").field("form")
        for (fields, origin) in [
            ([("email", PeopleCloud.email)], "http://localhost"),
            ([("form", form), ("email", PeopleCloud.email)], "https://evil.example"),
        ] {
            #expect(try own.post("/recover", fields, from: origin).status == 403)
        }
        #expect(try own.mails(to: PeopleCloud.email) == [])
        _ = try Self.recover(own, PeopleCloud.email)
        let link = try own.link(to: PeopleCloud.email)
        #expect(try own.post(link, [("password", Self.chosen)]).status == 403)
        #expect(try own.get(link).status == 200)
    }

    @Test(
        "Accounts can be created without a mail if the operator allows it, and the owner of the mailbox can take them over"
    )
    func unverified() async throws {
        let own = try await PeopleCloud()
        try await own.takePeople("open", verifies: false)
        let target = try own.redirect()
        let place = target.replacing("/sign-in?", with: "/sign-up?")
        func make(_ email: String, _ password: String = Self.chosen, from network: ClientNetwork? = nil) throws
            -> RawResponse
        {
            own.jar = [:]
            let form = try own.get(place).field("form")
            return try own.post(
                place, [("form", form), ("email", email), ("name", "M"), ("password", password)], network: network)
        }
        for (email, password, status) in [
            ("mary", Self.chosen, 400), (Self.email, "short", 400), (PeopleCloud.email, Self.chosen, 409),
        ] {
            #expect(try make(email, password).status == status)
        }
        #expect(try own.cloud.engine.account(email: Self.email) == nil)
        #expect(try make(Self.email).header("Location") == target)
        let token = try own.press("yes", on: try own.get(target), target).token()
        #expect(try own.status(of: percentEncoded(token)) == 200)
        let account = try #require(try own.cloud.engine.account(email: Self.email))
        let planted = SignInMethodRow(account: account.id, kind: .passkey, id: [1], verifier: "", createdAt: 1)
        try own.cloud.engine.directory.commit(ReadSet()) { _ in
            var writes = WriteSet()
            writes.put(planted)
            return .write(writes, ())
        }

        // The mail is for another account.
        _ = try Self.recover(own, Self.email)
        _ = try Self.follow(own, try own.link(to: Self.email), [("password", "yet another battery")])
        #expect(try own.status(of: percentEncoded(token)) == 421)
        let methods = try own.cloud.engine.directory.rows(SignInMethodRow.all(of: account.id))
        #expect(methods.map(\.kind) == [.password])
        #expect(try own.cloud.engine.directory.rows(UnverifiedAccountRow.of(account.id)) == [])
        #expect(try own.signIn(target, Self.email, Self.chosen).status == 403)

        let network = try #require(ClientNetwork("203.0.113.7"))
        for number in 0..<MailLinks.networkMax {
            #expect(try make("m\(number)@example.net", from: network).status == 303)
        }
        #expect(try make("one.more@example.net", from: network).status == 429)
        // An invited user already has an account, and nobody can take it over without the mail.
        try await own.takePeople("invited", verifies: false)
        own.jar = [:]
        #expect(try !own.get(place).text.contains("name=\"password\""))
    }
}
