#if os(Linux)
    import Foundation
    import NephosTesting
    import Testing

    /// docs/people.md, "Signing up": no partial account is created, and no link is used up without effect.
    @Suite("Dying while a link is followed", .serialized, .onOwnThreads)
    struct SQLiteLinkKillTests {
        private static let container = "iCloud.test.links"
        private static let old = "correct horse battery", chosen = "an entirely new battery"
        private let deaths: DiskDeaths

        init() throws { deaths = try DiskDeaths("nephos-links") }

        @Test(
            "A server that dies at any change has completed the sign-up or password reset and used the link, or done neither"
        )
        func links() throws {
            Options.announce("dying while links are followed")
            var chance = SeededGenerator(seed: Options.seed)
            let links = try prepare()
            for (email, link) in links.sorted(by: { $0.key < $1.key }) {
                let total = try changes(following: link)
                // The last ones are those of the link, and of jobs.
                for moment in (max(1, total - 40)...total).shuffled(using: &chance).prefix(Options.kills / 2) {
                    try deaths.copy()
                    try follow(link, killAt: moment)
                    let server = try ServerProcess(data: deaths.data)
                    try expectClean(server.command, "change \(moment) of \(total)")
                    let isUsed = try Visitor(server.port).get(link).status == 410
                    let comment = "\(email), change \(moment) of \(total), the link is \(isUsed ? "" : "not ")used"
                    let isNew = try Visitor(server.port).signsIn(email, Self.chosen)
                    #expect(isNew == isUsed, "\(comment)")
                    if email.hasPrefix("ada") {
                        #expect(try Visitor(server.port).signsIn(email, Self.old) != isUsed, "\(comment)")
                    }
                    if !isUsed {
                        #expect(try Visitor(server.port).choose(Self.chosen, at: link) == 200, "\(comment)")
                        #expect(try Visitor(server.port).signsIn(email, Self.chosen), "\(comment)")
                    }
                    let accounts = try server.command("account", "list").split(separator: "\n").count {
                        $0.contains(email)
                    }
                    #expect(accounts == 1, "\(comment)")
                }
            }
        }

        /// A store with an account, and two sent links: with one Mary signs up, with the other Ada sets a new password.
        private func prepare() throws -> [String: String] {
            let server = try ServerProcess(data: deaths.prepared)
            let files = try TemporaryFolder(prefix: "nephos-links")
            try writeSecret(files.path + "/password", Self.old)
            try writeFile(files.path + "/settings.yaml", Array("version: 1\npeople: {signUp: open}\n".utf8))
            try server.command("container", "create", Self.container)
            try server.command("settings", "import", Self.container, files.path + "/settings.yaml")
            let token = try server.command("token", "create", Self.container)
            let id = try #require(
                try server.command("token", "list", Self.container).split(separator: "\n").last?.split(separator: " ")
                    .first)
            try server.command("token", "set", Self.container, String(id), "--sign-up", "yes", "--origins", "loopback")
            try server.command("account", "create", "ada@example.org", "--password-file", files.path + "/password")
            try server.command("mail", "configure", "--folder", "--from", "nephos@localhost")
            let visitor = Visitor(server.port)
            let caller = "/database/1/\(Self.container)/development/public/users/caller?ckAPIToken=\(token)"
            let url = try #require(
                try visitor.ask("GET", caller, origin: "http://localhost:1").json["redirectURL"].string)
            let target = String(url[try #require(url.firstRange(of: "/sign-in?")).lowerBound...])
            let isSet = try Deadline().waits {
                let page = target.replacing("/sign-in?", with: "/sign-up?")
                // Servers pick that up within five seconds.
                guard try visitor.get(page).status == 200 else { return false }
                return try visitor.send(page, [("email", "mary@example.net")]).status == 200
            }
            try #require(isSet)
            #expect(try visitor.send("/recover", [("email", "ada@example.org")]).status == 200)
            var links: [String: String] = [:]
            let areSent = Deadline().waits {
                for email in ["mary@example.net", "ada@example.org"] { links[email] = link(to: email) }
                return links.count == 2
            }
            try #require(areSent)
            #expect(try server.stop() == .exited(0))
            return links
        }

        /// Read from mails that were written as files.
        private func link(to email: String) -> String? {
            let folder = deaths.prepared + "/mail"
            for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
                guard let bytes = try? readFile("\(folder)/\(name)") else { continue }
                // Quoted-printable encoding folds the lines of a mail.
                let text = String(decoding: bytes, as: UTF8.self).replacing("=\r\n", with: "").replacing(
                    "=\n", with: ""
                )
                .replacing("=3D", with: "=")
                guard text.contains("To: \(email)") || text.contains("To: <\(email)>"),
                    let start = text.firstRange(of: "/verify?link=")
                else { continue }
                return String(text[start.lowerBound...].prefix { !$0.isWhitespace })
            }
            return nil
        }

        private func changes(following link: String) throws -> Int {
            try deaths.copy()
            try follow(link)
            return try deaths.changes
        }

        /// Serves until there is a response to the link, or the server has died.
        private func follow(_ link: String, killAt moment: Int? = nil) throws {
            let server: ServerProcess
            do {
                server = try ServerProcess(environment: deaths.environment(killAt: moment), data: deaths.data)
            } catch let error as ServerDidNotStart {
                #expect(error.end == .signalled(SIGKILL), "\(error)")
                return
            }
            // It may die during the request.
            let status = try? Visitor(server.port).choose(Self.chosen, at: link)
            #expect(moment != nil || status == 200)
            try server.kill()
        }
    }

    /// A user with a browser.
    private final class Visitor {
        private let port: Int
        private var jar: [String: String] = [:]
        private var own: String { "localhost:\(port)" }

        init(_ port: Int) { self.port = port }

        func get(_ target: String) throws -> HTTPResponse { try ask("GET", target) }

        /// Submits the form of a page.
        func send(_ target: String, _ fields: [(String, String)]) throws -> HTTPResponse {
            let page = String(decoding: try get(target).body, as: UTF8.self)
            let mark = "name=\"form\" value=\""
            guard let start = page.firstRange(of: mark) else { throw WrongAnswer(description: page) }
            let form = String(page[start.upperBound...].prefix { $0 != "\"" })
            let body = ([("form", form)] + fields).map { "\($0)=\(percentEncoded($1))" }.joined(separator: "&")
            return try ask("POST", target, origin: "http://\(own)", body: Array(body.utf8))
        }

        func choose(_ password: String, at link: String) throws -> Int {
            try send(link, [("password", password)]).status
        }

        func signsIn(_ email: String, _ password: String) throws -> Bool {
            try send("/sign-in", [("email", email), ("password", password), ("answer", "yes")]).status == 303
        }

        func ask(_ method: String, _ target: String, origin: String? = nil, body: [UInt8]? = nil) throws -> HTTPResponse
        {
            var headers = [HTTPHeader("Connection", "close")]
            if let origin { headers.append(HTTPHeader("Origin", origin)) }
            if body != nil { headers.append(HTTPHeader("Content-Type", "application/x-www-form-urlencoded")) }
            if !jar.isEmpty { headers.append(HTTPHeader("Cookie", jar.map { "\($0)=\($1)" }.joined(separator: "; "))) }
            let connection = try HTTPConnection(port: port)
            try connection.socket.send(HTTPRequest(method, target, headers: headers, body: body).bytes(host: own))
            let answer = try connection.response()
            for header in answer.headers where header.name.lowercased() == "set-cookie" {
                let pair = header.value.prefix { $0 != ";" }.split(separator: "=", omittingEmptySubsequences: false)
                jar[String(pair[0])] = String(pair[1])
            }
            return answer
        }
    }
#endif
