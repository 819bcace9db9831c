import CloudKitWire
import NephosAdmin
import NephosBackend
import NephosDomain
import NephosNetwork
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import TestEngines
import Testing

@testable import NephosPeople

/// docs/people.md, "Sessions"; docs/protocol.md A5; docs/decisions/0048.
@Suite("Sessions of people who signed in on the page") struct SessionTests {
    private static let (minute, day): (Milliseconds, Milliseconds) = (60_000, 86_400_000)

    /// Signs Ada in, who has already given her consent to the app.
    private func signIn(_ own: PeopleCloud, keep: Bool = false) throws -> String {
        let target = try own.redirect()
        let page = try own.signIn(target, keep: keep)
        guard page.told == nil else { return try page.token() }
        return try own.press("yes", on: page, target).token()
    }

    private func session(_ token: String, _ own: PeopleCloud) throws -> SessionRow {
        let id = try #require(WebAuthToken.sessionID(of: token))
        return try #require(try own.store.rows(SessionRow.keyed([id])).first)
    }

    /// Sends one request, and completes the work after its response.
    @discardableResult
    private func use(_ token: String, _ own: PeopleCloud, at time: Milliseconds) async throws -> Int {
        own.now = time
        let status = try own.status(of: token)
        await own.cloud.backend.sessions.finish()
        return status
    }

    @Test(
        "Use extends a session: every five minutes by 30, or each day by two weeks for people who stay signed in",
        arguments: [(false, 30 * minute, 5 * minute), (true, 14 * day, day)])
    func longer(keep: Bool, length: Milliseconds, interval: Milliseconds) async throws {
        let own = try await PeopleCloud()
        let token = try signIn(own, keep: keep)
        let start = own.now
        let made = try session(token, own)
        #expect(made.kind == (keep ? .kept : .short) && made.expiresAt == start + length)
        #expect(try await use(token, own, at: start + interval - 1) == 200)
        #expect(try session(token, own) == made)
        #expect(try await use(token, own, at: start + interval) == 200)
        let longer = try session(token, own)
        #expect(longer.usedAt == start + interval && longer.expiresAt == start + interval + length)
        // As shown to operators.
        let listed = try own.administration.sessions(of: SmallCloud.tenant, email: PeopleCloud.email, limit: 9)
        let listing = try #require(listed.first { $0.id == Hexadecimal.text(made.id) })
        #expect(listing.expiresAt == longer.expiresAt && listing.usedAt == longer.usedAt)
        #expect(listing.endsAt == start + 180 * Self.day && listed.contains { $0.endsAt == 0 && $0.usedAt == 0 })
        // Nothing is written before the next interval, and this process has cached the new end.
        #expect(try await use(token, own, at: start + 2 * interval - 1) == 200)
        #expect(try session(token, own) == longer)
        #expect(try await use(token, own, at: longer.expiresAt - 1) == 200)
        let last = try session(token, own)
        #expect(last.expiresAt == longer.expiresAt - 1 + length)
        #expect(try await use(token, own, at: last.expiresAt) == 421)
        #expect(try session(token, own) == last)
        #expect(try own.cloud.check() == [])
    }

    @Test(
        "Of a session's last use the app, the program and a block of addresses are listed, and removed with the session"
    )
    func sources() async throws {
        let own = try await PeopleCloud()
        own.forged = [("User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")]
        let (target, network) = (try own.redirect(), ClientNetwork("203.0.113.77"))
        let page = try own.signIn(target, network: network)
        let fields = [("form", try page.field("form")), ("answer", "yes"), ("step", try page.field("step"))]
        let token = try own.post(target, fields, network: network).token()
        let id = try session(token, own).id
        func listed() throws -> [SessionListing] {
            try own.administration.sessions(of: SmallCloud.tenant, email: PeopleCloud.email, limit: 9)
        }
        func listing() throws -> SessionListing {
            try #require(try listed().first { $0.id == Hexadecimal.text(id) })
        }
        let made = try listing()
        #expect(made.app == "fuzz" && made.device == "Firefox, Linux" && made.network == "203.0.113.0/24")
        // One that an operator created was nowhere.
        #expect(try listed().contains { $0.app.isEmpty && $0.device.isEmpty && $0.network.isEmpty })
        own.now += 5 * Self.minute
        var request = own.cloud.request(
            "GET", "\(PeopleCloud.caller)?ckAPIToken=\(own.cloud.apiToken)&ckWebAuthToken=\(percentEncoded(token))",
            headers: [("User-Agent", "Garden/12 CFNetwork/3860 Darwin/25.0")], as: .stranger)
        request.network = ClientNetwork("2001:db8:1:2::3")
        #expect(try own.cloud.answer(to: request).status == 200)
        await own.cloud.backend.sessions.finish()
        let used = try listing()
        #expect(used.app == "fuzz" && used.device == "Garden" && used.network == "2001:db8:1::/48")
        #expect(try own.cloud.check() == [])
        let forget = ForgetSessions(now: used.expiresAt + ForgetSessions.kept + 1, limit: 100)
        #expect(try await own.store.commit(forget.reading, decide: forget.decide) == 1)
        #expect(try own.store.rows(SessionUseRow.of([id])) == [])
        #expect(try own.cloud.check() == [])
    }

    @Test("All tokens of a session are valid until it ends, including those from before an extension")
    func tokens() async throws {
        let own = try await PeopleCloud()
        let first = try signIn(own)
        let start = own.now
        let query = "?ckAPIToken=\(own.cloud.apiToken)&ckWebAuthToken="
        let answer = try own.cloud.ask("GET", "\(PeopleCloud.caller)\(query)\(first)", as: .stranger)
        let second = try #require(answer.header("X-Apple-CloudKit-Web-Auth-Token"))
        for step in 1...10 {
            #expect(
                try await use(step.isMultiple(of: 2) ? first : second, own, at: start + Int64(step) * 20 * Self.minute)
                    == 200)
        }
        #expect(try session(first, own).expiresAt == start + 230 * Self.minute)
        own.now = start + 230 * Self.minute - 1
        #expect(try own.status(of: first) == 200 && own.status(of: second) == 200)
    }

    @Test("A session ends 180 days after sign-in, however it is used")
    func hardEnd() async throws {
        let own = try await PeopleCloud()
        let token = try signIn(own, keep: true)
        let start = own.now
        for day in stride(from: Int64(10), to: 180, by: 10) {
            #expect(try await use(token, own, at: start + day * Self.day) == 200)
        }
        #expect(try await use(token, own, at: start + 180 * Self.day - 1) == 200)
        #expect(try session(token, own).expiresAt == start + 180 * Self.day)
        #expect(try await use(token, own, at: start + 180 * Self.day) == 421)
    }

    @Test("Only use extends it: not a wrong token, nor a request without one; and never an operator's session")
    func noUse() async throws {
        let own = try await PeopleCloud()
        let token = try signIn(own)
        let start = own.now
        let made = try session(token, own)
        let forged = token.prefix(50) + (token.dropFirst(50).hasPrefix("A") ? "B" : "A") + token.dropFirst(51)
        own.now = start + 10 * Self.minute
        #expect(try own.status(of: String(forged)) == 421)
        #expect(try own.cloud.ask("GET", PeopleCloud.caller, as: .app).status == 421)
        #expect(try own.cloud.ask("GET", PeopleCloud.caller, as: .person).status == 200)
        await own.cloud.backend.sessions.finish()
        #expect(try session(token, own) == made)
        let operators = try session(own.cloud.webAuthToken, own)
        #expect(operators.kind == .fixed && operators.expiresAt == SmallCloud.now + 14 * Self.day)
    }

    @Test("A session that ended elsewhere is rejected though cached, and use does not revive it")
    func endedElsewhere() async throws {
        let own = try await PeopleCloud()
        let (token, other) = (try signIn(own), try signIn(own))
        let start = own.now
        for token in [token, other] { #expect(try own.status(of: token) == 200) }
        let engine = try own.stored.open(tables: own.cloud.engine.open(SmallCloud.tenant)?.described ?? .server)
        defer { engine.close() }
        let administration = Administration(engine: engine, inputs: own.cloud.inputs.ofOperator)
        let id = Hexadecimal.text(try session(token, own).id)
        let version = try own.store.read(ReadSet()).catalog.version
        own.now = start + 6 * Self.minute
        _ = try await administration.revokeSession(id, in: SmallCloud.tenant)
        #expect(try await use(token, own, at: own.now) == 421)
        let ended = try session(token, own)
        #expect(ended.revokedAt == own.now && ended.usedAt == start)
        #expect(try await use(other, own, at: own.now) == 200)
        #expect(try session(other, own).usedAt == own.now)
        #expect(try own.store.read(ReadSet()).catalog.version == version)
        #expect(try own.cloud.check() == [])
    }

    // MARK: Signing out

    private static let path = "/nephos/1/\(SmallCloud.container)/development/sign-in/sign-out"

    private func signOut(_ token: String, _ own: PeopleCloud, _ body: String = "") throws -> RawResponse {
        try own.cloud.ask(
            "POST", "\(Self.path)?ckAPIToken=\(own.cloud.apiToken)&ckWebAuthToken=\(token)", body, as: .stranger)
    }

    @Test("Signing out ends the current session: its tokens are answered 421 from then on, other sessions stay")
    func signOut() async throws {
        let own = try await PeopleCloud()
        let (token, other) = (try signIn(own), try signIn(own, keep: true))
        let answer = try signOut(token, own)
        #expect(answer.status == 200 && answer.text == #"{"sessions":1,"devices":0}"#)
        #expect(answer.header("X-Apple-CloudKit-Web-Auth-Token") == nil)
        #expect(try own.status(of: token) == 421 && own.status(of: other) == 200)
        // It leads to the page again.
        let again = try signOut(token, own)
        #expect(again.status == 421)
        #expect(try JSON(reading: again.body)["redirectURL"].string?.contains("/sign-in?") == true)
        #expect(try signOut(other, own, #"{"everywhere":false}"#).status == 200)
        #expect(try own.status(of: own.cloud.webAuthToken) == 200)
        #expect(try own.cloud.check() == [])
    }

    @Test(
        "Signing out everywhere ends all sessions of the person in the container's environment, in several transactions, and no others"
    )
    func everywhere() async throws {
        let own = try await PeopleCloud()
        let token = try signIn(own)
        let ada = try session(token, own)
        try await own.store.commit(ReadSet()) { _ in
            var set = WriteSet()
            for number in 0..<RevokeSessions.most + 3 {
                set.put(
                    SessionRow(
                        id: withUnsafeBytes(of: (number, number)) { Array($0) }, user: ada.user,
                        privateDatabase: ada.privateDatabase, secret: Array(repeating: 1, count: 32), createdAt: 1,
                        expiresAt: ada.expiresAt + Int64(number)))
            }
            return .write(set, ())
        }
        let answer = try signOut(token, own, #"{"everywhere":true}"#)
        #expect(answer.text == "{\"sessions\":\(RevokeSessions.most + 5),\"devices\":0}")
        for token in [token, own.cloud.webAuthToken] { #expect(try own.status(of: token) == 421) }
        #expect(try own.status(of: own.cloud.friendsToken) == 200)
        #expect(try own.cloud.check() == [])
    }

    @Test("A device that a session registered is removed with it, and an invalid request ends nothing")
    func refusals() async throws {
        let own = try await PeopleCloud()
        let token = try signIn(own)
        let query = "?ckAPIToken=\(own.cloud.apiToken)&ckWebAuthToken=\(token)"
        let made = try own.cloud.ask(
            "POST", "/device/1/\(SmallCloud.container)/development/tokens/create\(query)",
            #"{"apnsEnvironment":"development"}"#, as: .stranger)
        #expect(made.status == 200)
        for body in [#"{"everywhere":"yes"}"#, #"{"all":true}"#, "[]", "{", #"{"everywhere":true} "x""#] {
            let answer = try signOut(token, own, body)
            #expect(answer.status == 400, "\(body)")
        }
        #expect(try own.cloud.ask("POST", Self.path, as: .app).status == 421)
        #expect(try own.cloud.ask("POST", Self.path, as: .stranger).status == 401)
        #expect(try own.cloud.ask("POST", Self.path, as: .key).status == 401)
        #expect(try own.cloud.ask("GET", Self.path + query, as: .stranger).status == 405)
        #expect(try own.status(of: token) == 200)
        #expect(try signOut(token, own).text == #"{"sessions":1,"devices":1}"#)
        #expect(try own.cloud.check() == [])
    }
}
