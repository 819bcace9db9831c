import NephosRunner
import NephosTesting
import RequestTesting
import Testing

/// docs/flags.md, "Notifications of changes".
@Suite("A stream of changes of flags") struct FlagStreamTests {
    /// Starts the stream that a response about all flags names.
    private func begin(_ own: FlagCloud, _ context: String = "{}") throws -> (LocalExchange, tag: String) {
        let (answer, json) = try own.evaluate(nil, context)
        let stream = json["eventStreams"][0]
        #expect(stream["type"] == "sse")
        let url = try #require(stream["url"].string)
        let target = try #require(url.firstRange(of: "/nephos/").map { String(url[$0.lowerBound...]) })
        let exchange = own.cloud.begin(own.cloud.request("GET", target, as: .stranger)) { _, _ in }
        let head = try exchange.head()
        #expect(head.status == 200 && head["Content-Type"] == "text/event-stream; charset=utf-8")
        #expect(try text(exchange).hasPrefix("retry: "))
        return (exchange, try #require(answer.header("ETag")))
    }

    private func text(_ exchange: LocalExchange) throws -> String {
        String(decoding: try exchange.piece() ?? [], as: UTF8.self)
    }

    /// The tag in the next event.
    private func told(_ exchange: LocalExchange) throws -> String {
        let event = try text(exchange)
        let match = try #require(event.wholeMatch(of: /id: [0-9a-f]+\nevent: message\ndata: (.*)\n\n/), "\(event)")
        let json = try JSON(reading: Array(match.1.utf8))
        #expect(json["type"] == "refetchEvaluation")
        return try #require(json["etag"].string)
    }

    @Test(
        "A connected client is notified of a switched flag, and of changed audiences, with the tag of the new response (S0-37)"
    )
    func switched() async throws {
        try await withTaskExecutorPreference(OwnThreads.ofTests) {
            let own = try await FlagCloud()
            try await own.cloud.running { try await follow(own) }
        }
    }

    private func follow(_ own: FlagCloud) async throws {
        #expect(try own.save([FlagCloud.boolean("a")]) == [""])
        let context = #"{"locale":"es-MX"}"#
        let (exchange, first) = try begin(own, context)
        #expect(try own.save([FlagCloud.boolean("a", state: "off")]) == [""])
        let second = try told(exchange)
        #expect(second != first)
        let now = try own.evaluate(nil, context, headers: [("If-None-Match", second)])
        #expect(now.answer.status == 304)
        #expect(try own.evaluate("a").json["value"].bool == false)
        try await own.set(["audiences": #"{"spanish":{"locale":"pt"}}"#])
        #expect(try told(exchange) != second)
        // Restoring the previous state restores its tag.
        #expect(try own.save([FlagCloud.boolean("a")]) == [""])
        _ = try told(exchange)
        try await own.set(["audiences": #"{"spanish":{"locale":"es"}}"#])
        #expect(try told(exchange) == first)
        exchange.leave()
    }

    @Test("A schedule wakes it at its moment, without a save")
    func scheduled() async throws {
        try await withTaskExecutorPreference(OwnThreads.ofTests) {
            let own = try await FlagCloud()
            let schedule = ["schedule": #"[{"at":"2026-01-01T00:00:00.400Z","state":"off"}]"#]
            #expect(try own.save([FlagCloud.boolean("a", schedule)]) == [""])
            let (exchange, first) = try begin(own)
            own.cloud.inputs.now += 399
            #expect(try own.evaluate(headers: [("If-None-Match", first)]).answer.status == 304)
            own.cloud.inputs.now += 1
            let second = try told(exchange)
            #expect(second != first)
            #expect(try own.evaluate(headers: [("If-None-Match", second)]).answer.status == 304)
            #expect(try own.evaluate("a").json["reason"] == "DISABLED")
            exchange.leave()
        }
    }

    @Test("A client that reconnects is immediately notified of what it missed, and of nothing else")
    func again() async throws {
        try await withTaskExecutorPreference(OwnThreads.ofTests) {
            let own = try await FlagCloud()
            #expect(try own.save([FlagCloud.boolean("a")]) == [""])
            let path = "/nephos/1/\(SmallCloud.container)/development/flags/stream"
            let (exchange, _) = try begin(own)
            #expect(try own.save([FlagCloud.boolean("a", state: "off")]) == [""])
            let event = try text(exchange)
            let id = try #require(event.firstMatch(of: /id: ([0-9a-f]+)\n/)).1
            exchange.leave()
            #expect(try own.save([FlagCloud.boolean("a")]) == [""])
            let next = own.cloud.begin(
                own.cloud.request("GET", path, headers: [("Last-Event-ID", String(id))], as: .app)
            ) { _, _ in }
            _ = try next.head()
            #expect(try text(next).hasPrefix("retry: "))
            #expect(try !told(next).isEmpty)
            next.leave()
            let stranger = own.cloud.begin(own.cloud.request("GET", path, as: .stranger)) { _, _ in }
            #expect(try stranger.head().status == 401)
        }
    }
}
