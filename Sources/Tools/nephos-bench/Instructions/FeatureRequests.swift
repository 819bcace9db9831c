import NephosTesting
import Synchronization

/// A server whose containers have constraints, flags, content and messages, and the requests whose instructions are measured.
struct FeatureRequests {
    typealias Row = RatioRow<Clients>

    /// One for each container, by its number of flags.
    typealias Clients = [Int: CloudKitClient]

    static let few = 10, some = 50, many = 10_000
    let store: TestStore
    private let credentials: [Int: Credentials]

    /// Fills a store with `program`, and stops it.
    init(program: String) throws {
        store = try TestStore(.sqlite)
        let server = try ServerProcess(executable: program, store: store)
        let folder = try TemporaryFolder(prefix: "nephos-bench")
        try writeFile(folder.path + "/schema", Self.schema.utf8)
        try writeFile(folder.path + "/settings", Self.settings.utf8)
        try server.command("account", "create", "ada@example.org")
        var credentials: [Int: Credentials] = [:]
        for count in [Self.few, Self.some, Self.many] {
            let container = Self.container(count)
            try server.command("container", "create", container)
            try server.command("schema", "import", container, folder.path + "/schema")
            try server.command("settings", "import", container, folder.path + "/settings")
            credentials[count] = .person(
                apiToken: try server.command("token", "create", container),
                webAuthToken: try server.command("session", "create", container, "ada@example.org"))
        }
        self.credentials = credentials
        try MessageRequests.fill(Self.container(Self.few), by: server, folder)
        try PeopleRequests.fill(Self.container(Self.few), by: server, folder, emails: [Self.mary])
        for (count, client) in clients(server) {
            for start in stride(from: 0, to: count, by: 200) {
                let flags = (start..<min(start + 200, count)).map { Self.flag("flag\($0)", rule: $0 % 10 == 0) }
                try Self.modify(client, flags)
            }
        }
        for (count, picked) in [(Self.few, ContentRequests.few), (Self.many, ContentRequests.many)] {
            guard let client = clients(server)[count] else { throw Wrk.Failure(description: "no container") }
            try ContentRequests.fill(client, picked)
        }
        // The index that the first evaluation of these flags would build.
        try server.command("index", "build", Self.container(Self.many), "FeatureFlag", "___recordID:asc")
        try server.stop()
    }

    private static func container(_ count: Int) -> String { "iCloud.test.flags\(count)" }

    func clients(_ server: ServerProcess) -> Clients {
        credentials.reduce(into: [:]) { clients, credentials in
            clients[credentials.key] = CloudKitClient(
                port: server.port, container: Self.container(credentials.key), credentials: credentials.value,
                timeout: 600)
        }
    }

    // MARK: Setup

    private static let types = ["Plain", "Valued", "Unique", "Counted", "Split", "Shown"]
    /// Saved in the private database: the first is not in any settings, the second is counted by trends.
    private static let privateTypes = ["Plain", "Tracked"]

    private static let schema: String = {
        let fields = [
            "title STRING", "kind STRING", "count INT64", "done INT64", "rank INT64", "ratio DOUBLE", "day TIMESTAMP",
            "data BYTES", "tags LIST<STRING>", "place LOCATION",
        ]
        let flag = TestContainer.recordType(
            "FeatureFlag",
            ["state", "kind", "variants", "offVariant", "defaultVariant", "rules"].map { "\($0) STRING" })
        return "DEFINE SCHEMA\n"
            + (types + ["Tracked"]).map { TestContainer.recordType($0, fields) }.joined(separator: "\n") + flag
            + ContentRequests.types.map {
                TestContainer.recordType($0, [#""___recordID" REFERENCE QUERYABLE"#] + fields)
            }.joined(separator: "\n")
    }()

    private static let settings = """
        version: 1
        flags: {type: FeatureFlag}
        trends:
          private: [Tracked]
          splits: [{type: Split, field: kind}, {type: Split, field: done}, {type: Split, field: rank}]
        constraints:
          Valued:
            - {field: title, rule: required}
            - {field: count, rule: range, min: 0, max: 1000000}
            - {field: kind, rule: oneOf, values: [kind0, kind1, kind2, kind3, kind4]}
            - {field: title, rule: length, min: 1, max: 80}
          Unique:
            - {field: count, rule: unique}
          Counted:
            - {rule: atMost, count: 3, group: [count]}

        """ + ContentRequests.settings

    private static func flag(_ id: String, rule: Bool) -> String {
        let rules =
            #"[{\"id\":\"es\",\"when\":{\"locale\":\"es\"},\"serve\":{\"split\":{\"on\":25000,\"off\":75000}}}]"#
        return """
            {"operationType":"create","record":{"recordName":"\(id)","recordType":"FeatureFlag","fields":{\
            "state":{"value":"on"},"variants":{"value":"{\\"off\\":false,\\"on\\":true}"},"offVariant":{"value":"off"},\
            "defaultVariant":{"value":"on"}\(rule ? #","rules":{"value":"\#(rules)"}"# : "")}}}
            """
    }

    private static func record(_ type: String, _ number: Int) -> String {
        """
        {"operationType":"create","record":{"recordName":"\(type)\(number)","recordType":"\(type)","fields":{\
        "title":{"value":"A short note"},"kind":{"value":"kind\(number % 5)"},"count":{"value":\(number)},\
        "done":{"value":1},"rank":{"value":7},"ratio":{"value":0.625,"type":"DOUBLE"},\
        "day":{"value":1700000000123,"type":"TIMESTAMP"},"data":{"value":"AAECAwQF","type":"BYTES"},\
        "tags":{"value":["a","b"]},"place":{"value":{"latitude":52.52,"longitude":13.4}}}}}
        """
    }

    @discardableResult
    private static func modify(
        _ client: CloudKitClient, _ operations: [String], in database: Database = .public
    ) throws -> HTTPResponse {
        let body = #"{"operations":[\#(operations.joined(separator: ","))]}"#
        return try client.send("POST", client.path("records/modify", database), body: Array(body.utf8))
    }

    // MARK: Measured requests

    /// All rows; rows that save to the same database alternate.
    static let together: [[Row]] =
        [[first], publicCreates, privateCreates] + (others + messages).map { [$0] } + [lookups] + [
            [signInPage], [signIn],
        ]

    /// Rows with a word in their names and those that they are compared with; nil for all.
    static func rows(about word: String?) -> [[Row]] {
        guard let word else { return together }
        let wanted = together.flatMap(\.self).filter { $0.name.contains(word) }
        let names = Set(wanted.map(\.name) + wanted.compactMap(\.aim?.of))
        return together.map { $0.filter { names.contains($0.name) } }.filter { !$0.isEmpty }
    }

    /// The first evaluation after a start, which loads all flags.
    private static let first = Row("first of 10,000 flags after a start", count: 1) { clients, _ in
        try evaluate(clients, many, "/flag1")
    }

    private static let publicCreates = types.map { type in
        let ratio = [
            "Valued": 1.03, "Unique": 1.2, "Counted": 1.2, "Split": 1.1, "Shown": 1.25,
        ][type]
        return Row("create of a record, \(type)", count: 1_000, aim: ratio.map { ("create of a record, Plain", $0) }) {
            clients, number in
            guard let client = clients[few] else { throw Wrk.Failure(description: "no container") }
            return try modify(client, [record(type, number)])
        }
    }

    private static let privateCreates = privateTypes.map { type in
        let aim = type == "Plain" ? nil : ("create of a private record, Plain", 1.1)
        return Row("create of a private record, \(type)", count: 1_000, aim: aim) { clients, number in
            guard let client = clients[few] else { throw Wrk.Failure(description: "no container") }
            return try modify(client, [record(type, number)], in: .private)
        }
    }

    private static let others = [
        Row("lookup of 1 record", count: 400) { clients, _ in
            guard let client = clients[few] else { throw Wrk.Failure(description: "no container") }
            return try client.send(
                "POST", client.path("records/lookup", .public),
                body: Array(#"{"records":[{"recordName":"Plain1"}]}"#.utf8))
        },
        Row("1 of 10 flags", count: 400) { clients, _ in try evaluate(clients, few, "/flag1") },
        Row("1 of 10,000 flags", count: 400, aim: ("1 of 10 flags", 1.1)) { clients, _ in
            try evaluate(clients, many, "/flag1")
        },
        Row("50 flags", count: 200, aim: (lookup, 2.5)) { clients, _ in try evaluate(clients, some, "") },
        Row("50 flags, unchanged", count: 400, aim: (lookup, 1.1)) { clients, _ in
            let tag = try tags.withLock { tag in
                if let tag { return tag }
                let answer = try evaluate(clients, some, "")
                tag = answer["ETag"]
                return answer["ETag"] ?? ""
            }
            return try evaluate(clients, some, "", tag: tag)
        },
        Row("10,000 flags", count: 4) { clients, _ in try evaluate(clients, many, "") },
        Row("1 of 1,000 records picked", count: 400, aim: (lookup, 3)) { clients, _ in try pick(clients, few) },
        Row("1 of many records picked", count: 400, aim: (lookup, 3)) { clients, _ in try pick(clients, many) },
        Row("1 picked by a seed, unchanged", count: 400, aim: (lookup, 1.1)) { clients, _ in
            try unchanged(clients, "seed=a", pickTags)
        },
        Row("the same from collections that a person chose", count: 400) { clients, _ in
            try unchanged(clients, "seed=b", pickTagsOfPerson, isPerson: true)
        },
        Row("query of 50, no gate", count: 100) { clients, _ in try query(clients, "Whole") },
        Row("query of 50, every other one early", count: 100, aim: ("query of 50, no gate", 2.2)) { clients, _ in
            try query(clients, "Half")
        },
    ]

    private static let messages = [
        Row("report that a device has seen a message", count: 400) { clients, number in
            try asApp(clients) { try MessageRequests.see($0, device: "seen\(number)") }
        },
        Row("the current message, for a device", count: 400, aim: (lookup, 1.4)) { clients, number in
            try asApp(clients) { try MessageRequests.current($0, device: "new\(number)") }
        },
        Row("the same for a person", count: 400, aim: (lookup, 1.4)) { clients, number in
            guard let client = clients[few] else { throw Wrk.Failure(description: "no container") }
            return try MessageRequests.current(client, device: "new\(number)")
        },
        Row("the current message, unchanged", count: 400, aim: (lookup, 1.1)) { clients, _ in
            try asApp(clients) { client in
                let tag = try messageTags.withLock { tag in
                    if tag == nil { tag = try MessageRequests.current(client, device: "same")["ETag"] }
                    return tag ?? ""
                }
                return try MessageRequests.current(client, device: "same", tag: tag)
            }
        },
    ]

    private static let mary = "mary@example.org"
    private static let maryTokens = LockedText()

    /// Alternating: users who signed in on the page, whose sessions are extended by use, and users whom an operator signed in.
    private static let lookups = [
        Row("lookup, with an operator's session", count: 5_000) { clients, _ in
            guard let client = clients[few] else { throw Wrk.Failure(description: "no container") }
            return try lookUp(client)
        },
        Row(
            "lookup, with a session from the sign-in page", count: 5_000,
            aim: ("lookup, with an operator's session", 1.01)
        ) {
            clients, _ in
            guard let client = clients[few] else { throw Wrk.Failure(description: "no container") }
            let before = client.credentials
            defer { client.credentials = before }
            let token = try maryTokens.withLock { token in
                if let token { return token }
                var visit = try PeopleRequests.page(client)
                let answer = try PeopleRequests.signIn(&visit.visitor, visit.page, visit.target, email: mary)
                guard let told = answer.postedToken else { throw Wrk.Failure(description: answer.text) }
                token = told
                return told
            }
            client.credentials = .person(apiToken: before.apiToken, webAuthToken: token)
            return try lookUp(client)
        },
    ]

    private static func lookUp(_ client: CloudKitClient) throws -> HTTPResponse {
        try client.send(
            "POST", client.path("records/lookup", .public), body: Array(#"{"records":[{"recordName":"Plain1"}]}"#.utf8))
    }

    /// What a new browser needs first: the 421, and the page with a form.
    private static let signInPage = Row("421 and sign-in page, for a new browser", count: 100) { clients, _ in
        guard let client = clients[few] else { throw Wrk.Failure(description: "no container") }
        let visit = try PeopleRequests.page(client)
        let waiting = (visit.visitor.jar, visit.page, visit.target)
        visits.withLock { $0.append(waiting) }
        return visit.page
    }

    /// Browsers that have the page, and have not typed the password yet.
    private static let visits = Mutex<[(jar: [String: String], page: HTTPResponse, target: String)]>([])

    /// The password, after ``signInPage``: its answer tells the token. To hash it takes a while under a counter.
    private static let signIn = Row("sign-in with a password, without scrypt", count: 10, isLong: true) { clients, _ in
        guard let client = clients[few], let visit = visits.withLock({ $0.popLast() }) else {
            throw Wrk.Failure(description: "no page")
        }
        var visitor = PeopleRequests.visitor(client, jar: visit.jar)
        let answer = try PeopleRequests.signIn(&visitor, visit.page, visit.target, email: mary)
        guard answer.postedToken != nil else { throw Wrk.Failure(description: answer.text) }
        return answer
    }

    private static func asApp(
        _ clients: Clients, _ body: (CloudKitClient) throws -> HTTPResponse
    ) throws -> HTTPResponse {
        guard let client = clients[few] else { throw Wrk.Failure(description: "no container") }
        return try client.asApp { try body(client) }
    }

    private static let (pickTags, pickTagsOfPerson, messageTags) = (LockedText(), LockedText(), LockedText())

    private static func unchanged(
        _ clients: Clients, _ query: String, _ tags: LockedText, isPerson: Bool = false
    ) throws -> HTTPResponse {
        let tag = try tags.withLock { tag in
            if tag == nil { tag = try pick(clients, few, query, isPerson: isPerson)["ETag"] }
            return tag ?? ""
        }
        return try pick(clients, few, query, tag: tag, isPerson: isPerson)
    }

    private static func pick(
        _ clients: Clients, _ count: Int, _ query: String = "", tag: String? = nil, isPerson: Bool = true
    ) throws -> HTTPResponse {
        guard let client = clients[count] else { throw Wrk.Failure(description: "no container") }
        return try isPerson
            ? ContentRequests.ask(client, "pick", query, tag: tag)
            : client.asApp { try ContentRequests.ask(client, "pick", query, tag: tag) }
    }

    private static func query(_ clients: Clients, _ type: String) throws -> HTTPResponse {
        guard let client = clients[few] else { throw Wrk.Failure(description: "no container") }
        return try ContentRequests.query(client, type)
    }

    private static let lookup = "lookup of 1 record"
    private static let tags = LockedText()

    private static func evaluate(
        _ clients: Clients, _ count: Int, _ key: String, tag: String? = nil
    ) throws -> HTTPResponse {
        guard let client = clients[count] else { throw Wrk.Failure(description: "no container") }
        let context = #"{"context":{"targetingKey":"d1","locale":"es-MX","platform":"iOS","appVersion":"2.4"}}"#
        client.headers = tag.map { [HTTPHeader("If-None-Match", $0)] } ?? []
        defer { client.headers = [] }
        let query = client.credentials.query.joined(separator: "&")
        return try client.send(
            "POST", "/nephos/1/\(container(count))/development/flags/ofrep/v1/evaluate/flags\(key)?\(query)",
            body: Array(context.utf8))
    }
}

/// A lazily computed text.
private final class LockedText: Sendable {
    private let text = Mutex<String?>(nil)
    func withLock(_ body: (inout String?) throws -> String) rethrows -> String { try text.withLock { try body(&$0) } }
}
