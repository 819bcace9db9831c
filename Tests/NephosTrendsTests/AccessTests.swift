import CloudKitWire
import NephosAdmin
import NephosDomain
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

@testable import NephosTrends

/// docs/trends.md, "Who may read".
@Suite("Access to trends") struct AccessTests {
    /// An endpoint that checks credentials like the one that imports figures.
    private static let importing = Feature("importing") { _ in
        var endpoint = Endpoint("trends/tried", at: .container, methods: [.post]) { call in
            try call.trendAccess(.imports)
            return .answer(call.success(Array("{}".utf8)))
        }
        endpoint.bearers = .trends
        return FeatureService(endpoints: [endpoint])
    }

    /// The credentials, and the response of each path to them: `series`, `stream`, and one that imports.
    private struct Row {
        let what: String
        var headers: [(String, String)] = []
        var caller = SmallCloud.Caller.stranger
        let series, stream, imports: Int
    }

    private func rows(_ own: TrendCloud) async throws -> [Row] {
        let cloud = own.cloud
        let production = Tenant(container: SmallCloud.container, environment: .production)
        try cloud.administration.createContainer("iCloud.org.nephos.other")
        let other = Tenant(container: "iCloud.org.nephos.other", environment: .development)
        let revoked = try await own.token()
        let id = try #require(TrendToken(revoked)?.id)
        try await cloud.administration.revokeTrendToken(Hexadecimal.text(id), in: SmallCloud.tenant)
        let reads = try await own.token()
        let unknown = TrendToken(random: Array(repeating: 7, count: 32)).text
        func refused(_ what: String, _ value: String) -> Row {
            Row(what: what, headers: [("Authorization", value)], series: 401, stream: 401, imports: 401)
        }
        return [
            Row(what: "nothing", series: 401, stream: 401, imports: 401),
            Row(what: "an API token", caller: .app, series: 403, stream: 403, imports: 403),
            Row(what: "a person", caller: .person, series: 403, stream: 403, imports: 403),
            Row(what: "a server key", caller: .key, series: 200, stream: 200, imports: 200),
            Row(what: "a token", headers: TrendCloud.bearer(reads), series: 200, stream: 200, imports: 403),
            Row(
                what: "one for imports", headers: TrendCloud.bearer(try await own.token(isImport: true)), series: 403,
                stream: 403, imports: 200),
            // Additional headers of an app's page change nothing.
            Row(
                what: "a token beside a person", headers: TrendCloud.bearer(reads), caller: .person, series: 200,
                stream: 200, imports: 403),
            refused("an API token as a bearer", "Bearer \(cloud.apiToken)"),
            refused("a web auth token as a bearer", "Bearer \(cloud.webAuthToken)"),
            refused("one that was revoked", "Bearer \(revoked)"),
            refused("one of production", "Bearer \(try await own.token(in: production))"),
            refused("one of another container", "Bearer \(try await own.token(in: other))"),
            refused("one that nobody made", "Bearer \(unknown)"),
            refused("one with another secret", "Bearer \(reads.dropLast())\(reads.hasSuffix("0") ? "1" : "0")"),
            refused("half of one", "Bearer \(reads.prefix(40))"), refused("more than one", "Bearer \(reads)0"),
            refused("capitals", "Bearer \(reads.uppercased())"), refused("no token", "Bearer "),
            refused("another scheme", "Basic YWRhOmFkYQ=="), refused("what is no text", "Bearer \u{1}\u{7F}é"),
        ]
    }

    @Test("Every kind of credential on every path: without access the response is the same, whatever exists")
    func table() async throws {
        let own = try await TrendCloud(features: [Self.importing])
        try await withTaskExecutorPreference(OwnThreads.ofTests) {
            for row in try await rows(own) {
                let series = try own.series("type=Post", headers: row.headers, as: row.caller)
                #expect(series.status == row.series, "series by \(row.what)")
                let request = own.cloud.request(
                    "GET", "\(TrendCloud.path)/stream", headers: row.headers, as: row.caller)
                let stream = own.cloud.begin(request) { _, _ in }
                let head = try stream.head()
                #expect(head.status == row.stream, "stream by \(row.what)")
                stream.leave()
                let sent = try own.cloud.ask(
                    "POST", "\(TrendCloud.path)/tried", "{}", headers: row.headers, as: row.caller)
                #expect(sent.status == row.imports, "import by \(row.what)")
                // The page contains no figures, and does not check the caller.
                let page = try own.cloud.ask("GET", "\(TrendCloud.path)/", headers: row.headers, as: row.caller)
                #expect(page.status == 200, "page by \(row.what)")
                guard row.series != 200 else { continue }
                for query in ["type=Nobodys", "by=hour", ""] {
                    let other = try own.cloud.ask(
                        "GET", "\(TrendCloud.path)/series?\(query)", headers: row.headers, as: row.caller)
                    #expect(other.status == row.series, "\(row.what): \(query)")
                    #expect(!other.text.contains("Nobodys") && !other.text.contains("by is"), "\(row.what): \(query)")
                    #expect((other.header("WWW-Authenticate") != nil) == (row.series == 401), "\(row.what)")
                    #expect(try reason(other.body) == reason(series.body), "\(row.what): \(query)")
                }
            }
        }
    }

    private func reason(_ body: [UInt8]) throws -> String { try JSON(reading: body)["reason"].string ?? "" }

    @Test("A missing container gives a token the same response as an existing one, and has the same page")
    func nobodyLearnsOfContainers() async throws {
        let own = try await TrendCloud()
        let unknown = TrendCloud.bearer(TrendToken(random: Array(repeating: 7, count: 32)).text)
        let there = try own.ask("\(TrendCloud.path)/series", unknown)
        let absent = try own.ask("/nephos/1/iCloud.org.nephos.nowhere/development/trends/series", unknown)
        #expect(there.status == 401 && absent.status == 401)
        #expect(try reason(there.body) == reason(absent.body))
        #expect(there.header("WWW-Authenticate") == "Bearer error=\"invalid_token\"")
        // A caller without credentials always gets the same bytes, except for the id of the request.
        func withoutName(_ path: String) throws -> String {
            let answer = try own.ask(path, [])
            #expect(answer.status == 401 && answer.header("WWW-Authenticate") == "Bearer")
            return answer.text.replacing(/"uuid":"[^"]*"/, with: "")
        }
        #expect(
            try withoutName("\(TrendCloud.path)/series")
                == withoutName("/nephos/1/iCloud.org.nephos.nowhere/development/trends/series"))
        let pages = try ["/nephos/1/iCloud.org.nephos.nowhere/production/trends/", TrendCloud.path].map {
            try own.ask($0, [])
        }
        #expect(pages.allSatisfy { $0.status == 200 } && pages[0].body == pages[1].body)
    }

    @Test("A token for trends gives access to nothing else")
    func nothingElse() async throws {
        let own = try await TrendCloud()
        let token = try await own.token()
        for scope in ["public", "private"] {
            for (name, body) in [
                ("records/query", #"{"query":{"recordType":"Note"}}"#), ("records/modify", #"{"operations":[]}"#),
                ("zones/list", ""), ("users/caller", ""),
            ] {
                let target = "/database/1/\(SmallCloud.container)/development/\(scope)/\(name)"
                let shown = try own.ask(target, TrendCloud.bearer(token), method: "POST", body: body)
                #expect(shown.status == 401 || shown.status == 405, "\(scope)/\(name)")
                let inQuery = try own.ask("\(target)?ckAPIToken=\(token)", [], method: "POST", body: body)
                #expect(inQuery.status == 401 || inQuery.status == 405, "\(scope)/\(name)")
            }
        }
        // Nor in a query, which would appear in logs of others.
        #expect(try own.ask("\(TrendCloud.path)/series?token=\(token)", []).status == 401)
        #expect(try own.ask("\(TrendCloud.path)/series", TrendCloud.bearer(token), method: "POST").status == 405)
    }

    @Test("A long body is accepted with a token only")
    func longBodies() async throws {
        let own = try await TrendCloud(features: [Self.importing])
        let body = Array(repeating: UInt8(ascii: " "), count: 20_000)
        func status(_ token: String) throws -> Int {
            let request = own.cloud.request(
                "POST", "\(TrendCloud.path)/tried", headers: TrendCloud.bearer(token), body: body, as: .stranger)
            return try own.cloud.begin(request) { _, _ in }.head().status
        }
        let token = try await own.token(isImport: true)
        try await withTaskExecutorPreference(OwnThreads.ofTests) {
            let (good, wrong) = (try status(token), try status("trends-00-00"))
            #expect(good == 200 && wrong == 401)
        }
    }
}
