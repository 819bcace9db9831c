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

/// docs/people.md, "Programs without a page".
@Suite("Signing in to a program with a code") struct DeviceCodeTests {
    private static let there = ClientNetwork("192.0.2.7")

    @Test("A program shows a code, its person enters and confirms it, and the program gets a session, once")
    func whole() async throws {
        let own = try await PeopleCloud()
        let program = try Program(own, from: Self.there)
        #expect(program.code.wholeMatch(of: /[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}/) != nil)
        #expect(program.page == "\(PeopleCloud.own)/device")
        #expect(try program.poll() == "authorization_pending")
        // A link can neither fill it in nor skip the sign-in.
        #expect(
            try own.get("/device?user_code=\(program.code)&code=\(program.code)").text.contains(program.code) == false)
        let answer = try own.signIn("/device")
        #expect(answer.status == 303 && answer.header("Location") == "/device")
        #expect(
            try own.get("/device?user_code=\(program.code)&code=\(program.code)").text.contains(program.code) == false)
        let question = try Self.type(" \(program.code.lowercased().replacing("-", with: " ")) ", own)
        #expect(question.status == 200 && question.text.contains(SmallCloud.container))
        #expect(question.text.contains("<dd>192.0.2.7</dd>"))
        #expect(
            question.text.contains("<dd>\(program.askedAt.asDate)</dd>") && question.text.contains("give you this code")
        )
        // There is no session before the answer.
        own.now += 5_000
        #expect(try program.poll() == "authorization_pending")
        let done = try Self.answer("yes", question, own)
        #expect(done.status == 200 && done.text.contains("The program is signed in"))
        // A second press creates no second session, and shows no question.
        #expect(try Self.answer("yes", question, own).status == 404)
        own.now += 5_000
        let token = try program.token()
        #expect(try own.status(of: token) == 200)
        own.now += 5_000
        #expect(try program.poll() == "invalid_grant")
        // The user sees it, and ends it.
        let page = try own.get("/account")
        #expect(page.text.contains("a program, by a code") && page.text.contains("\(SmallCloud.tenant)"))
        let end = try own.post(
            "/account", [("form", try page.field("form")), ("do", "app"), ("app", "\(SmallCloud.tenant)")])
        #expect(end.status == 303)
        #expect(try own.status(of: token) == 421)
        #expect(try own.cloud.check() == [])
    }

    @Test(
        "A refusal, a session that ended before it was fetched, and expiry are each reported to the program, and grant nothing"
    )
    func expired() async throws {
        let own = try await PeopleCloud()
        _ = try own.signIn("/device")
        let refused = try Program(own)
        #expect(try Self.answer("no", try Self.type(refused.code, own), own).text.contains("not signed in"))
        #expect(try refused.poll() == "access_denied")
        #expect(try refused.poll() == "invalid_grant")
        let ended = try Program(own)
        #expect(try Self.answer("yes", try Self.type(ended.code, own), own).status == 200)
        let everywhere = [("form", try own.get("/account").field("form")), ("do", "everywhere")]
        #expect(try own.post("/account", everywhere).status == 303)
        #expect(try ended.poll() == "access_denied")
        _ = try own.signIn("/device")
        let late = try Program(own)
        let question = try Self.type(late.code, own)
        own.now += DeviceCodeRow.lifetime
        #expect(try Self.answer("yes", question, own).status == 404)
        #expect(try Self.type(late.code, own).status == 404)
        #expect(try late.poll() == "expired_token")
        try own.cloud.engine.jobs.note([JobKey(People.name): 0])
        own.now += 1
        await own.cloud.runDueJobs()
        #expect(try own.cloud.engine.directory.rows(DeviceCodeRow.old(before: .max, limit: 10)).isEmpty)
    }

    @Test(
        "A device code is valid for its own API token, container and environment; other requests get the RFCs' errors"
    )
    func foreign() async throws {
        let own = try await PeopleCloud()
        let program = try Program(own)
        let other = try await own.administration.createAPIToken(in: SmallCloud.tenant, name: "another app")
        func status(_ fields: [(String, String)], at path: String = Program.token) throws -> (Int, String?) {
            let answer = try own.form(path, fields)
            return (answer.status, try JSON(reading: answer.body)["error"].string)
        }
        let grant = ("grant_type", SignInByCode.grantType)
        let device = ("device_code", program.device)
        let (mine, foreign) = (("client_id", own.cloud.apiToken), ("client_id", other))
        #expect(try status([grant, device, foreign]) == (400, "invalid_grant"))
        #expect(try status([grant, ("device_code", "x"), mine]) == (400, "invalid_grant"))
        #expect(try status([grant, device]) == (401, "invalid_client"))
        #expect(try status([device, mine]) == (400, "unsupported_grant_type"))
        #expect(try status([grant, mine]) == (400, "invalid_request"))
        #expect(try status([("client_id", "x")], at: Program.begin) == (401, "invalid_client"))
        // A missing container is indistinguishable from one that does not know the client.
        let stranger = try own.form(Program.begin.replacing(SmallCloud.container, with: "iCloud.none"), [mine])
        let known = try own.form(Program.begin, [("client_id", "x")])
        func withoutID(_ answer: RawResponse) throws -> String {
            answer.text.replacing(try #require(try JSON(reading: answer.body)["uuid"].string), with: "")
        }
        #expect(stranger.status == 401)
        #expect(try withoutID(stranger) == withoutID(known))
        let json = try JSON(reading: known.body)
        #expect(json["serverErrorCode"].string == "AUTHENTICATION_FAILED" && json["reason"].string != nil)
        // Not a form, and methods other than POST.
        #expect(try own.cloud.ask("POST", Program.begin, "{}", as: .stranger).status == 400)
        #expect(try own.cloud.ask("GET", Program.begin, as: .stranger).status == 405)
        // None of it has affected the program.
        #expect(try program.poll() == "authorization_pending")
    }

    @Test("A program that polls too often waits longer; one network can have twenty pending codes")
    func limits() async throws {
        let own = try await PeopleCloud()
        let program = try Program(own, from: Self.there)
        #expect(try program.poll() == "authorization_pending")
        own.now += 3_000
        #expect(try program.poll() == "slow_down")
        own.now += 5_000
        #expect(try program.poll() == "slow_down")
        own.now += 15_000
        #expect(try program.poll() == "authorization_pending")
        for _ in 1..<SignInByCode.networkMax { _ = try Program(own, from: Self.there) }
        let refused = try own.form(Program.begin, [("client_id", own.cloud.apiToken)], from: Self.there)
        #expect(refused.status == 429)
        #expect(try JSON(reading: refused.body)["error"].string == "slow_down")
        #expect(refused.header("Retry-After") == "578")
        _ = try Program(own, from: ClientNetwork("192.0.2.8"))
        own.now += DeviceCodeRow.lifetime
        _ = try Program(own, from: Self.there)
        // docs/limits.md, "Networks".
        for number in 0..<(16 * SignInByCode.networkMax) {
            _ = try Program(own, from: ClientNetwork("2001:db8:0:\(String(number, radix: 16))::1"))
        }
        func status(_ address: String) throws -> Int {
            try own.form(Program.begin, [("client_id", own.cloud.apiToken)], from: ClientNetwork(address)).status
        }
        #expect(try status("2001:db8:0:ffff::1") == 429)
        #expect(try status("2001:db8:1:ffff::1") == 200)
    }

    @Test(
        "Codes cannot be guessed: after five failures a person waits, after twenty a network; the store has hashes"
    )
    func guessed() async throws {
        let own = try await PeopleCloud()
        _ = try own.signIn("/device")
        let program = try Program(own)
        #expect(try Self.type("BCDF-GHJ", own).status == 404)
        for _ in 0..<4 { #expect(try Self.type("BBBB-BBBB", own).status == 404) }
        // A correct code, which anybody can have, takes nothing of that back, however often it is typed.
        for _ in 0..<10 { #expect(try Self.type(program.code, own).status == 200) }
        #expect(try Self.type("BBBB-BBBB", own).status == 404)
        let wait = try Self.type(program.code, own)
        #expect(wait.status == 429 && wait.header("Retry-After") == "1")
        // Another step of the form does not circumvent it.
        let form = try own.get("/device").field("form")
        let step = [("form", form), ("step", "consent"), ("code", program.code), ("answer", "yes")]
        #expect(try own.post("/device", step).status == 429)
        #expect(try program.poll() == "authorization_pending")
        let row = try #require(try own.cloud.engine.directory.rows(DeviceCodeRow.old(before: .max, limit: 1)).first)
        let letters = program.code.replacing("-", with: "")
        #expect(row.code != Array(letters.utf8) && row.device != Hexadecimal.bytes(program.device))
        #expect(row.code != SignInCode(typed: letters)?.hash(key: []))
        // A form of another page has no effect.
        own.now += 10_000
        #expect(try own.post("/device", [("code", program.code), ("answer", "yes")]).status == 403)
        #expect(try own.post("/device", step, from: "https://evil.example").status == 403)
    }

    /// Enters a code on the page.
    private static func type(_ code: String, _ own: PeopleCloud) throws -> RawResponse {
        let page = try own.get("/device")
        #expect(page.text.contains("autocomplete=\"off\""))
        return try own.post("/device", [("form", try page.field("form")), ("code", code), ("answer", "yes")])
    }

    /// Presses a button of the question.
    private static func answer(_ button: String, _ question: RawResponse, _ own: PeopleCloud) throws -> RawResponse {
        let fields = try ["form", "step", "code"].map { ($0, try question.field($0)) }
        return try own.post("/device", fields + [("answer", button)])
    }
}

/// A program without a page that requests a sign-in.
private struct Program {
    static let begin = "/nephos/1/\(SmallCloud.container)/development/sign-in/device-code"
    static let token = "/nephos/1/\(SmallCloud.container)/development/sign-in/token"

    let own: PeopleCloud
    let device, code, page: String
    let askedAt: Milliseconds

    init(_ own: PeopleCloud, from network: ClientNetwork? = nil) throws {
        let answer = try own.form(Self.begin, [("client_id", own.cloud.apiToken)], from: network)
        #expect(answer.status == 200 && answer.header("Cache-Control") == "no-store")
        let json = try JSON(reading: answer.body)
        #expect(json["expires_in"].int64 == 600 && json["interval"].int64 == 5)
        self.own = own
        device = try #require(json["device_code"].string)
        code = try #require(json["user_code"].string)
        page = try #require(json["verification_uri"].string)
        askedAt = own.now
    }

    private func ask() throws -> RawResponse {
        try own.form(
            Self.token,
            [
                ("grant_type", SignInByCode.grantType), ("device_code", device), ("client_id", own.cloud.apiToken),
            ])
    }

    /// The RFC's error code of the response, while there is no token yet.
    func poll() throws -> String {
        let answer = try ask()
        #expect(answer.status == 400)
        return try #require(try JSON(reading: answer.body)["error"].string)
    }

    func token() throws -> String {
        let answer = try ask()
        let json = try JSON(reading: answer.body)
        #expect(answer.status == 200 && answer.header("Cache-Control") == "no-store", "\(answer.text)")
        #expect(json["token_type"].string == "ckWebAuthToken" && json["expires_in"].int64 == 14 * 24 * 3_600 - 5)
        return try #require(json["access_token"].string)
    }
}

extension PeopleCloud {
    /// Sends a form as a program does.
    fileprivate func form(
        _ target: String, _ fields: [(String, String)], from network: ClientNetwork? = nil
    ) throws -> RawResponse {
        let body = fields.map { "\($0)=\(PercentCoding.encode($1))" }.joined(separator: "&")
        var request = cloud.request(
            "POST", target, headers: [("Content-Type", "application/x-www-form-urlencoded")], body: Array(body.utf8),
            as: .stranger)
        request.network = network
        return try cloud.answer(to: request)
    }
}
