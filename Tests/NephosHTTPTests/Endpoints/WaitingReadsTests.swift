import NIOPosix
import NephosDelivery
import NephosHTTP
import NephosRunner
import NephosStorage
import Synchronization
import Testing

/// On which threads requests read, and their responses when the database is unreachable.
@Suite("Reads that can take long") struct WaitingReadsTests {
    private let engine: OneTenantEngine
    private let responder: EndpointResponder
    private let events = Events()

    init() { (engine, responder) = Self.make(readsWait: true, events) }

    private static func make(readsWait: Bool, _ events: Events) -> (OneTenantEngine, EndpointResponder) {
        let engine = OneTenantEngine(readsWait: readsWait)
        let runner = Runner(engine: engine)
        runner.outage.listen { events.add($0) }
        return (engine, EndpointResponder.cloudKit(runner))
    }

    private final class Events: Sendable {
        private let all = Mutex<[StorageOutage.Event]>([])
        func add(_ event: StorageOutage.Event) { all.withLock { $0.append(event) } }
        var began: [String] {
            all.withLock { $0.compactMap { event in if case .began(let text) = event { text } else { nil } } }
        }
        var count: Int { all.withLock { $0.count } }
    }

    private func target(_ endpoint: String, scope: String, web: String? = nil) -> String {
        let tokens = "ckAPIToken=\(OneTenantEngine.apiToken)" + (web.map { "&ckWebAuthToken=\($0)" } ?? "")
        return "/database/1/iCloud.test/development/\(scope)/\(endpoint)?\(tokens)"
    }

    private func ask(_ client: RawClient, _ target: String, _ body: String = "{}") async throws -> RawAnswer {
        try await client.send(
            "POST \(target) HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        return try await client.answer()
    }

    @Test(
        "If reads block, no request reads on an event loop: not to open, authenticate, answer or reject",
        arguments: [true, false])
    func threads(readsWait: Bool) async throws {
        let (engine, responder) = Self.make(readsWait: readsWait, events)
        let person = target("users/caller", scope: "public", web: engine.webAuthToken)
        try await withServer(responder) { server in
            let client = try await server.client()
            // Opens the container and reads the session; from then on both are cached.
            for _ in 0..<3 { #expect(try await ask(client, person).status == 200) }
            // Unknown tokens are looked up in the store; a missing user is rejected from cached data.
            #expect(try await ask(client, person + "x").status == 421)
            #expect(try await ask(client, person.replacing("aaaa", with: "bbbb")).status == 401)
            #expect(try await ask(client, target("users/caller", scope: "public")).status == 421)
            let list = target("zones/list", scope: "private", web: engine.webAuthToken)
            _ = try await ask(client, list)
        }
        #expect(engine.reads.count >= 9)
        #expect(engine.reads.contains(.eventLoop) == !readsWait)
    }

    // docs/protocol.md D6
    @Test("A request for notifications is evaluated on one snapshot")
    func courier() async throws {
        let desk = LongPollHub(
            worker: Worker(Runner(engine: engine), clock: { 1 }), options: DeliveryOptions(),
            observer: DeliveryObserver())
        let person = target("users/caller", scope: "public", web: engine.webAuthToken)
        let token = engine.courierToken.replacing("+", with: "%2B").replacing("/", with: "%2F")
        try await withServer(EndpointResponder.cloudKit(Runner(engine: engine), desk: desk)) { server in
            let client = try await server.client()
            #expect(try await ask(client, person).status == 200)
            let before = engine.reads.count
            try await client.send(
                "GET /device/1/iCloud.test/development/aps?tok=\(token) HTTP/1.1\r\nHost: x\r\n\r\n")
            let answer = try await client.answer()
            #expect(answer.status == 401, "\(answer.text)")
            #expect(try answer.reason?.contains("request another with tokens/create") == true)
            #expect(engine.reads.count == before + 1)
        }
        await desk.close()
    }

    // docs/decisions/0012
    @Test("A query runs on its event loop unless it takes long; that is tried again 64 times later")
    func queries() async throws {
        let (engine, responder) = Self.make(readsWait: false, events)
        let query = target("records/query", scope: "private", web: engine.webAuthToken)
        try await withServer(responder) { server in
            let client = try await server.client()
            _ = try await ask(client, target("users/caller", scope: "public", web: engine.webAuthToken))
            let passed = Array(repeating: (false, [.other]), count: 63) as [(Bool, [OneTenantEngine.Thread])]
            for (isLong, threads) in [(false, [.eventLoop]), (true, [.eventLoop, .other])] + passed + [
                (false, [.eventLoop]), (false, [.eventLoop]),
            ] {
                engine.makeReads(long: isLong)
                let before = engine.reads.count
                let answer = try await ask(client, query, #"{"query":{"recordType":"Note"}}"#)
                #expect(answer.status == 200, "\(answer.text)")
                #expect(Array(engine.reads[before...]) == threads)
            }
        }
    }

    // docs/decisions/0014
    @Test(
        "Feeds and look-ups run there too, unless there is much to read; what is moved to another thread can be canceled"
    )
    func feedsAndLookups() async throws {
        let (engine, responder) = Self.make(readsWait: false, events)
        let feed = target("changes/zone", scope: "private", web: engine.webAuthToken)
        let look = target("records/lookup", scope: "private", web: engine.webAuthToken)
        let zones =
            #"{"zones":[{"zoneID":{"zoneName":"a"},"desiredRecordTypes":["Note"]},{"zoneID":{"zoneName":"b"}}]}"#
        let records = #"{"records":[{"recordName":"a"},{"recordName":"b"}]}"#
        try await withServer(responder) { server in
            let client = try await server.client()
            _ = try await ask(client, target("users/caller", scope: "public", web: engine.webAuthToken))
            for (target, body) in [(feed, zones), (look, records)] {
                for (isLong, threads) in [(false, [.eventLoop]), (true, [.eventLoop, .other])]
                    as [(Bool, [OneTenantEngine.Thread])]
                {
                    engine.makeReads(long: isLong)
                    let before = (reads: engine.reads.count, ends: engine.canBeEnded.count)
                    let answer = try await ask(client, target, body)
                    #expect(answer.status == 200, "\(answer.text)")
                    #expect(!answer.text.contains("moreComing\":true") && !answer.text.contains("TRY_AGAIN"))
                    #expect(Array(engine.reads[before.reads...]) == threads)
                    #expect(Array(engine.canBeEnded[before.ends...]) == threads.map { $0 == .other })
                }
            }
        }
    }

    // docs/protocol.md E5
    @Test("An unreachable database is TRY_AGAIN_LATER, with the delay in header and body (S1-33)")
    func unreachable() async throws {
        let target = target("users/caller", scope: "public", web: engine.webAuthToken)
        let save = self.target("zones/modify", scope: "private", web: engine.webAuthToken)
        let zone = #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"z"}}}]}"#
        try await withServer(responder) { server in
            let client = try await server.client()
            #expect(try await ask(client, target).status == 200)
            engine.fail(with: .unavailable("no route to db.example.org"))
            for answer in [try await ask(client, target), try await ask(client, save, zone)] {
                #expect(answer.status == 503)
                #expect(try answer.code == "TRY_AGAIN_LATER")
                #expect(
                    try answer.reason
                        == "the database cannot be reached at the moment: try again; a save may have taken place, so look before you repeat it"
                )
                #expect(try answer.json["retryAfter"] as? Int == 1)
                #expect(answer.headers["retry-after"] == "1")
                #expect(!answer.text.contains("example.org"))
            }
            engine.fail(with: nil)
            #expect(try await ask(client, target).status == 200)
        }
        #expect(events.began == ["no route to db.example.org"], "told once")
        #expect(events.count == 2, "and that it is over")
    }
}
