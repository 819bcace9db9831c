import CloudKitWire
import NephosAdmin
import NephosDomain
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

@testable import NephosPeople

/// docs/people.md, "Access by others".
@Suite("An operator with access to a person's data") struct AccessTests {
    private let own: PeopleCloud
    private let app: PeopleCloud.Served
    private static let ada = PeopleCloud.email

    /// Ada has signed in to an app in production herself.
    init() async throws {
        own = try await PeopleCloud()
        app = try await own.serving()
        let target = try app.redirect()
        let token = try own.press("yes", on: try own.signIn(target), target).token()
        #expect(try app.status(of: token) == 200)
    }

    private func signIn(_ reason: String = "") async throws -> String {
        own.now += 1_000
        return try await own.administration.signIn(as: Self.ada, in: PeopleCloud.production, reason: reason)
    }

    private func log() throws -> [AccessRow] {
        try own.administration.accesses(of: Self.ada, in: PeopleCloud.production, limit: 100)
    }

    /// Presses the button on the page that lists the access of others.
    private func tell(_ page: RawResponse, _ target: String) throws -> RawResponse {
        try own.post(
            target, [("form", try page.field("form")), ("until", try page.field("until")), ("answer", "told")])
    }

    @discardableResult
    private func account(_ wish: String, _ fields: [(String, String)] = []) throws -> RawResponse {
        let page = try own.get("/account")
        return try own.post(
            "/account",
            [("form", try page.field("form")), ("do", wish), ("app", "\(PeopleCloud.production)")] + fields)
    }

    @Test(
        "Operators can access a person's private app data only with the person's grant, for days, and it is logged (S0-4)"
    )
    func granted() async throws {
        await #expect {
            try await signIn()
        } throws: { "\($0)".contains("\(PeopleCloud.production), and has not allowed you") }
        #expect(try log() == [])
        _ = try await own.administration.signIn(as: Self.ada, in: SmallCloud.tenant, reason: "")

        let page = try own.get("/account").text
        #expect(page.contains("Help from the operator"))
        let password = [("current", PeopleCloud.password)]
        #expect(try account("letIn", [("days", "1"), ("current", "wrong horse battery")]).status == 403)
        for days in ["0", "8", "many"] { #expect(try account("letIn", [("days", days)] + password).status == 403) }
        await #expect(throws: AdminError.self) { try await signIn() }
        #expect(try account("letIn", [("days", "1")] + password).status == 303)
        let end = own.now + 86_400_000
        #expect(try own.get("/account").text.contains("They can act as you until \(end.asDate)."))

        let token = try await signIn()
        #expect(try app.status(of: token) == 200)
        #expect(try log().map(\.kind) == [.session, .grant])
        #expect(try log().map(\.who) == ["operator", ""] && log().allSatisfy { !$0.isUnannounced })
        // No longer than specified, and no longer than she permits.
        own.now = end
        #expect(try app.status(of: token) == 421)
        await #expect(throws: AdminError.self) { try await signIn() }
        _ = try own.signIn("/sign-in")
        try account("letIn", [("days", "7")] + password)
        let another = try await signIn()
        #expect(try account("letOut").status == 303)
        #expect(try app.status(of: another) == 421)
        await #expect(throws: AdminError.self) { try await signIn() }
        #expect(try own.get("/account").text.contains("signed in to an app as you by operator"))
    }

    @Test("A person's private records are for nobody else: not for other people, apps, strangers or keys (S0-4)")
    func nobodyElse() throws {
        func ask(_ path: String, _ body: String, as caller: SmallCloud.Caller) throws -> RawResponse {
            try own.cloud.ask("POST", "/database/1/\(SmallCloud.container)/development/\(path)", body, as: caller)
        }
        let caller = try own.cloud.ask("GET", PeopleCloud.caller, as: .person)
        let user = try #require(try JSON(reading: caller.body)["userRecordName"].string)
        let secret = "only for Ada"
        // With and without her name.
        let zones = ["_defaultZone", "Notes"].flatMap { zone in
            [
                #""zoneID":{"zoneName":"\#(zone)"}"#,
                #""zoneID":{"zoneName":"\#(zone)","ownerRecordName":"\#(user)"}"#,
            ]
        }
        func operation(_ kind: String, in zone: String, _ text: String = "") -> String {
            let fields = text.isEmpty ? "" : #","recordType":"Note","fields":{"text":{"value":"\#(text)"}}"#
            return
                #"{\#(zone),"operations":[{"operationType":"\#(kind)","record":{"recordName":"secret"\#(fields)}}]}"#
        }
        for zone in [zones[0], zones[2]] {
            let saved = try ask("private/records/modify", operation("create", in: zone, secret), as: .person)
            #expect(saved.text.contains(secret))
        }
        var reading = zones.flatMap { zone in
            [
                ("records/lookup", #"{\#(zone),"records":[{"recordName":"secret"}]}"#),
                ("records/query", #"{\#(zone),"query":{"recordType":"Note"}}"#),
            ]
        }
        // The default zone has no feed.
        for zone in zones[2...] {
            reading += [("changes/zone", #"{"zones":[{\#(zone)}]}"#), ("records/changes", "{\(zone)}")]
        }
        let writing = zones.flatMap { zone in
            [
                ("records/modify", operation("forceReplace", in: zone, "taken")),
                ("records/modify", operation("forceDelete", in: zone)),
            ]
        }
        for (path, body) in reading {
            #expect(try ask("private/\(path)", body, as: .person).text.contains(secret), "\(path) \(body)")
        }
        for caller in [SmallCloud.Caller.stranger, .app, .key, .friend] {
            for scope in ["private", "shared"] {
                for (path, body) in reading + writing {
                    let answer = try ask("\(scope)/\(path)", body, as: caller)
                    #expect(!answer.text.contains(secret), "\(caller) \(scope)/\(path) \(body)")
                    // She has a database of her own.
                    #expect(answer.status != 200 || caller == .friend, "\(caller) \(scope)/\(path): \(answer.text)")
                }
            }
        }
        for (path, body) in reading {
            #expect(try ask("private/\(path)", body, as: .person).text.contains(secret), "\(path) \(body)")
        }
    }

    @Test("An operator's export of a person's data needs the person's grant or a reason, and is logged (S0-4)")
    func exported() async throws {
        let account = try #require(try own.cloud.engine.account(email: Self.ada))
        /// The first step of `nephos account export`.
        func export(_ reason: String = "") async throws {
            own.now += 1_000
            try await own.administration.noteAccess(.export, to: account, reason: reason)
        }
        await #expect(throws: AdminError.self) { try await export() }
        #expect(try log() == [])
        try await export("Ticket 4711")
        _ = try own.signIn("/sign-in")
        let row = try #require(try log().first)
        #expect(row.kind == .export && row.who == "operator" && row.reason == "Ticket 4711" && row.isUnannounced)
        #expect(try own.get("/account").text.contains("4711"))
    }

    @Test("Emergency access needs a reason, and the person is notified by mail and at the next sign-in")
    func broken() async throws {
        for reason in ["  ", "a\nb", String(repeating: "r", count: 1_001)] {
            await #expect(throws: AdminError.self) { try await signIn(reason) }
        }
        try own.administration.configureMail(MailSetup(.folder, from: try MailSender("cloud@example.org")))
        let token = try await signIn("Ticket <4711>")
        #expect(try app.status(of: token) == 200)
        let mail = try #require(try own.mails(to: Self.ada).last)
        #expect(mail.contains("Ticket <4711>") && mail.contains("operator") && mail.contains("Der Grund"))

        let target = try app.redirect()
        let told = try own.signIn(target)
        #expect(told.text.contains("Someone used your account") && told.text.contains("operator: Ticket &lt;4711&gt;"))
        for page in ["/sign-in", "/device"] {
            #expect(try own.get(page).text.contains("Someone used your account"))
        }
        // Access after the page was created is reported the next time.
        own.now += 1
        _ = try await own.administration.signIn(as: Self.ada, in: PeopleCloud.production, reason: "Ticket 4712")
        #expect(try tell(told, target).text.contains("name=\"step\""))
        let later = try own.get("/device")
        #expect(later.text.contains("4712") && !later.text.contains("4711"))
        #expect(try tell(later, "/device").text.contains("name=\"code\""))
        let question = try own.get(target)
        #expect(!question.text.contains("4712"))
        #expect(try app.status(of: own.press("yes", on: question, target).token()) == 200)
        #expect(try own.get("/account").text.contains("Ticket &lt;4711&gt;"))
    }

    @Test("An operator who sets a person's password needs a reason or a grant too")
    func password() async throws {
        func set(_ password: String, _ reason: String) async throws {
            own.now += 1_000
            try await own.administration.setPassword(
                of: Self.ada, reason: reason, to: password, cost: PeopleCloud.cheap)
        }
        await #expect(throws: AdminError.self) { try await set("an entirely new battery", "") }
        await #expect(throws: AdminError.self) { try await set("short", "She asked by telephone") }
        #expect(try own.signIn("/sign-in").status == 303)
        #expect(try log() == [])
        try await set("an entirely new battery", "She asked by telephone")
        let row = try #require(try log().first)
        #expect(row.kind == .password && row.reason == "She asked by telephone" && row.isUnannounced)
        #expect(try own.signIn("/sign-in").status == 403)
        // While it is the operator's session, they may be the ones who read this.
        own.now += 1_000
        for _ in 0..<2 {
            let told = try own.signIn("/sign-in", Self.ada, "an entirely new battery")
            #expect(told.text.contains("Choose another password"))
            #expect(try tell(told, "/sign-in").header("Location") == "/account")
        }
        try account("password", [("current", "an entirely new battery"), ("new", "yet another battery")])
        own.now += 1_000
        let told = try own.signIn("/sign-in", Self.ada, "yet another battery")
        #expect(try tell(told, "/sign-in").header("Location") == "/account")
        #expect(try own.signIn("/sign-in", Self.ada, "yet another battery").header("Location") == "/account")
    }
}
