import Foundation
import NephosTesting
import Synchronization
import Testing

/// docs/people.md: sign-up, sign-in and the cost of guesses, where each request of a browser is sent to another server.
@Suite("People on several servers", .serialized) struct PeopleTests {
    private static let email = "mary@example.org"
    private static let password = "correct horse battery"
    private static let site = "https://cloud.example.org"
    private static let app = "https://app.example.org"

    @Test("Two servers share links, browser sessions, consents, codes and failed attempts")
    func shared() throws {
        let fleet = try Fleet(2, arguments: ["--public-url", Self.site, "--trusted-proxy", "none"])
        let command = fleet.servers[0].command
        let apiToken = try command("token", "create", fleet.container)
        let id = try #require(
            try command("token", "list", fleet.container).split(separator: "\n").last?.split(separator: " ").first)
        try command(
            "token", "set", fleet.container, String(id), "--origins", Self.app, "--sign-up", "yes")
        let settings = try ClaimedRecords.SettingsFile("version: 1\npeople: {signUp: open}\n")
        try command("settings", "import", fleet.container, settings.path)
        let mails = fleet.folder.path + "/mails"
        let sender = fleet.folder.path + "/send"
        try "#!/bin/sh\ncat >>'\(mails)'\n".write(toFile: sender, atomically: true, encoding: .utf8)
        #expect(chmod(sender, 0o755) == 0)
        try command("mail", "configure", "--command", sender, "--from", "nephos@example.org")

        // Signs up on one server, follows the link on the other.
        var browser = PageVisitor(fleet)
        let target = try browser.redirect(apiToken, from: Self.app)
        let signUp = target.replacing("/sign-in?", with: "/sign-up?")
        let isSent = Deadline().waits {
            let page = try? browser.post(signUp, [("email", Self.email)], at: 0)
            return page?.status == 200
        }
        #expect(isSent)
        func link() -> String? {
            guard let text = try? String(contentsOfFile: mails, encoding: .utf8) else { return nil }
            let mail = text.replacing("=\r\n", with: "").replacing("=\n", with: "").replacing("=3D", with: "=")
            return mail.firstRange(of: "/verify?link=").map { place in
                String(mail[place.lowerBound...].prefix { !$0.isWhitespace })
            }
        }
        #expect(Deadline().waits { link() != nil })
        let followed = try browser.post(try #require(link()), [("name", "Mary"), ("password", Self.password)], at: 1)
        #expect(followed.status == 200, "\(followed.text)")
        let again = try browser.get(try #require(link()), at: 0)
        #expect(again.status == 410, "a link works once, at whichever server")

        // The session of the browser, and the consent to an app.
        let question = try browser.get(target, at: 0)
        #expect(question.text.contains("name=\"step\" value=\"consent\""))
        let told = try browser.post(target, [("step", "consent"), ("answer", "yes")], at: 1)
        let token = try #require(told.postedToken)
        for server in 0..<2 {
            let client = fleet.client(server, .person(apiToken: apiToken, webAuthToken: token))
            #expect(try client.get("users/caller", .public).status == 200)
        }
        var other = PageVisitor(fleet)
        let signedIn = try other.post(
            target, [("email", Self.email), ("password", Self.password), ("answer", "yes")], at: 0)
        #expect(signedIn.postedToken != nil, "the yes of before is known at the other server")

        // A program requests a code from one server, and its session from the other; its user enters the code on either.
        func ask(_ endpoint: String, _ form: String, at server: Int) throws -> HTTPResponse {
            let client = fleet.client(server, .none)
            client.headers = [HTTPHeader("Content-Type", "application/x-www-form-urlencoded")]
            let path = "/nephos/1/\(fleet.container)/development/sign-in/\(endpoint)"
            return try client.send("POST", path, body: Array("client_id=\(apiToken)&\(form)".utf8))
        }
        let code = try ask("device-code", "", at: 0).json
        let (typed, device) = (try #require(code["user_code"].string), try #require(code["device_code"].string))
        let asked = try browser.post("/device", [("code", typed), ("answer", "yes")], at: 1)
        let allowed = try browser.submit(
            asked, "/device", [("step", "consent"), ("code", typed), ("answer", "yes")], at: 0)
        #expect(allowed.text.contains("The program is signed in"))
        let grant = percentEncoded("urn:ietf:params:oauth:grant-type:device_code")
        let fetched = try ask("token", "grant_type=\(grant)&device_code=\(device)", at: 1)
        let session = try #require(try fetched.json["access_token"].string, "\(fetched.text)")
        let program = fleet.client(0, .person(apiToken: apiToken, webAuthToken: session))
        #expect(try program.get("users/caller", .public).status == 200)

        // Six concurrent guesses are compared; two servers that count separately would compare twice as many.
        let statuses = Mutex<[Int]>([])
        try inThreads(12) { number in
            let guess = [("email", Self.email), ("password", "a wrong battery \(number)"), ("answer", "yes")]
            var guesser = PageVisitor(fleet)
            let status = try guesser.post(target, guess, at: number % 2).status
            statuses.withLock { $0.append(status) }
        }
        let answers = statuses.withLock(\.self)
        #expect(answers.contains(429) && answers.allSatisfy { $0 == 403 || $0 == 429 }, "\(answers)")
        try fleet.servers[0].command("check")
    }
}

extension PageVisitor {
    private static let site = "https://cloud.example.org"

    fileprivate init(_ fleet: Fleet) {
        // Passwords are compared one after another.
        self.init(
            at: Self.site,
            fleet.servers.map {
                CloudKitClient(port: $0.port, container: fleet.container, credentials: .none)
            })
    }

    /// Fills in the form of the page on the other server, and submits it to this one.
    fileprivate mutating func post(_ target: String, _ fields: [(String, String)], at server: Int) throws
        -> HTTPResponse
    {
        try submit(try get(target, at: 1 - server), target, fields, at: server)
    }
}
