import NephosDomain
import NephosHTTP
import NephosRunner
import NephosStorage
import Testing

/// Limits for unauthenticated callers: docs/security.md.
@Suite("Callers without a valid token") struct StrangerTests {
    private let absent = "iCloud.absent"

    private func target(_ token: String, _ container: String = "iCloud.test") -> String {
        "/database/1/\(container)/development/public/records/query?ckAPIToken=\(token)"
    }

    private func post(_ target: String, _ body: String) -> String {
        "POST \(target) HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    @Test(
        "A missing container or token is looked up once in a while, however often it is requested",
        arguments: [true, false])
    func memory(ofContainer: Bool) async throws {
        let engine = OneTenantEngine(readsWait: true, absent: [absent])
        try await withServer(EndpointResponder.cloudKit(Runner(engine: engine))) { server in
            let client = try await server.client()
            try await client.send(post(target(OneTenantEngine.apiToken), "{}"))
            _ = try await client.answer()
            let before = engine.reads.count
            let bad = ofContainer ? target(OneTenantEngine.apiToken, absent) : target("bad")
            for _ in 0..<20 {
                try await client.send(post(bad, "{}"))
                let answer = try await client.answer()
                #expect(answer.status == 401)
                #expect(try answer.reason?.contains("unknown ckAPIToken") == true)
            }
            // On a busy machine, 20 responses may take longer than the second of the cache.
            #expect(engine.reads.count - before <= 10)
        }
    }

    @Test(
        "A body is received for a known API token; otherwise the response is sent without reading it",
        arguments: [true, false])
    func bodies(readsWait: Bool) async throws {
        let engine = OneTenantEngine(readsWait: readsWait, absent: [absent])
        try await withServer(EndpointResponder.cloudKit(Runner(engine: engine))) { server in
            // The container is not open yet, and is opened first.
            let body = #"{"query":{"recordType":"Note"},"padding":""# + String(repeating: "x", count: 100_000) + "\"}"
            let app = try await server.client()
            try await app.send(post(target(OneTenantEngine.apiToken), body))
            #expect(try await app.answer().status != 401)
            for bad in [target("bad"), target("bad", absent), "/database/1/nothing", "/unknown"] {
                let stranger = try await server.client()
                try await stranger.send(
                    "POST \(bad) HTTP/1.1\r\nHost: x\r\nContent-Length: 10000000\r\n\r\n{")
                let answer = try await stranger.answer()
                #expect([401, 404].contains(answer.status), "\(answer)")
                #expect(answer.headers["connection"] == "close")
                #expect(try answer.json["uuid"] as? String == answer.headers["x-apple-request-uuid"])
            }
        }
    }
}
