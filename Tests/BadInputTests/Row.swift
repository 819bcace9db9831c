import NephosTesting
import Testing

/// A bad request and the expected response.
struct Row: CustomTestStringConvertible, Sendable {
    /// The expected response. Texts are parts of the reason.
    enum Answer: Sendable {
        /// The whole request is rejected.
        case refused(_ status: Int, _ code: String, _ reason: String)
        /// The first item is rejected, with HTTP 200.
        case item(_ code: String, _ reason: String)
    }

    let testDescription: String
    let answer: Answer
    let send: @Sendable (Target) throws -> HTTPResponse

    init(_ description: String, _ answer: Answer, send: @escaping @Sendable (Target) throws -> HTTPResponse) {
        testDescription = description
        self.answer = answer
        self.send = send
    }

    /// A POST by Ada with a body that is sent unchanged.
    static func body(
        _ description: String, _ path: String, _ body: some Sendable & Collection<UInt8>, _ answer: Answer,
        _ database: Database = .private
    ) -> Row {
        Row(description, answer) { target in
            let client = target.client(target.adaCredentials)
            return try client.send("POST", client.path(path, database), body: Array(body))
        }
    }

    /// A POST by Ada with a JSON body.
    static func json(
        _ description: String, _ path: String, _ json: JSON, _ answer: Answer, _ database: Database = .private
    ) -> Row {
        body(description, path, json.bytes, answer, database)
    }

    /// A save by Ada in zone Notes: `record` beyond its name and type.
    static func save(_ description: String, _ record: JSON, _ answer: Answer, _ database: Database = .private) -> Row {
        var record = record
        if record["recordName"].isAbsent { record["recordName"] = "bad" }
        if record["recordType"].isAbsent { record["recordType"] = "Note" }
        let zone: JSON = database == .private ? ["zoneName": "Notes"] : .absent
        return json(
            description, "records/modify",
            ["zoneID": zone, "operations": [["operationType": "forceUpdate", "record": record]]], answer, database)
    }

    /// A save by Ada of one field, with its value dictionary unchanged.
    static func field(_ description: String, _ name: String, _ value: String, _ answer: Answer) -> Row {
        let body = """
            {"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"forceUpdate","record":\
            {"recordName":"bad","recordType":"Note","fields":{"\(name)":\(value)}}}]}
            """
        return .body("\(description): \(value.prefix(60))", "records/modify", Array(body.utf8), answer)
    }

    /// A request with these credentials to an endpoint that requires a user.
    static func credentials(
        _ description: String, _ answer: Answer, method: String = "GET", path: String = "zones/list",
        database: Database = .private, _ credentials: @escaping @Sendable (Target) -> Credentials
    ) -> Row {
        Row(description, answer) { target in
            let client = target.client(credentials(target))
            return try client.send(method, client.path(path, database), body: method == "GET" ? nil : Array("{}".utf8))
        }
    }

    /// A request to any target, with Ada's tokens.
    static func target(_ description: String, _ path: String, _ answer: Answer, method: String = "POST") -> Row {
        Row(description, answer) { target in
            let path = path.replacing("CONTAINER", with: target.container)
            let query = (path.contains("?") ? "&" : "?") + target.adaQuery
            let body = method == "GET" || method == "HEAD" ? nil : Array("{}".utf8)
            return try HTTPConnection(port: target.server.port)
                .exchange(HTTPRequest(method, path + query, body: body))
        }
    }

    /// Bytes on a new connection. `CONTAINER` and `CREDENTIALS` are substituted.
    static func raw(_ description: String, _ text: String, _ answer: Answer) -> Row {
        Row(description, answer) { target in
            let connection = try HTTPConnection(port: target.server.port)
            let filled = text.replacing("CONTAINER", with: target.container)
                .replacing("CREDENTIALS", with: target.adaQuery)
            try connection.socket.send(Array(filled.utf8))
            return try connection.response()
        }
    }
}

extension Row {
    /// Sends it, and checks everything that holds for every bad request.
    func prove() throws {
        let target = try Targets.current.target()
        let before = try target.state()
        _ = try target.newLog()
        let response = try send(target)
        try expectAnswer(response)
        #expect(try target.state() == before, "something was written")
        let log = try target.newLog()
        for secret in target.secrets {
            #expect(!log.contains(secret), "a secret is in the log")
            #expect(!String(decoding: response.body, as: UTF8.self).contains(secret), "a secret is in the answer")
        }
        #expect(!log.lowercased().contains("begin private key"), "a private key is in the log")
    }

    private func expectAnswer(_ response: HTTPResponse) throws {
        let text = String(decoding: response.body.prefix(1_000), as: UTF8.self)
        let body = try response.json
        let dictionary: JSON
        switch answer {
        case .refused(let status, let code, let reason):
            #expect(response.status == status, "\(text)")
            #expect(body["serverErrorCode"] == .string(code), "\(text)")
            #expect(body["reason"].string?.lowercased().contains(reason.lowercased()) == true, "\(text)")
            #expect(body["uuid"].string == response["X-Apple-Request-UUID"], "\(text)")
            dictionary = body
        case .item(let code, let reason):
            #expect(response.status == 200, "\(text)")
            dictionary = body.members.first { $0.value.isArray }?.value[0] ?? .absent
            #expect(dictionary["serverErrorCode"] == .string(code), "\(text)")
            #expect(dictionary["reason"].string?.lowercased().contains(reason.lowercased()) == true, "\(text)")
        }
        #expect(dictionary["serverErrorCode"] != "INTERNAL_ERROR", "\(text)")
        #expect((dictionary["reason"].string ?? "").utf8.count < 600, "a reason as long as its cause: \(text)")
    }
}
