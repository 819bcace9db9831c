import NIOHTTP1
import NephosHTTP
import NephosNetwork
import NephosRunner
import Synchronization
import Testing

/// The limits of one client, and when its stated address is trusted: docs/decisions/0017, docs/protocol.md, "Limits".
@Suite("Clients and proxies") struct TransportClientTests {
    /// The tests' own connections are from a proxy.
    private let proxied = ClientRules(trustedProxies: AddressBlock.loopback)

    private func request(_ body: String = "", _ headers: String...) -> String {
        "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.utf8.count)\r\n"
            + headers.map { "\($0)\r\n" }.joined() + "\r\n\(body)"
    }

    @Test("A client's connections are limited, independent of other clients'")
    func connections() async throws {
        let limits = testLimits { $0.clientConnectionsMax = 2 }
        try await withServer(limits: limits, clients: ClientRules(unlimited: [])) { server in
            let (first, second) = (try await server.client(), try await server.client())
            for client in [first, second] {
                try await client.send(request())
                #expect(try await client.answer().status == 200)
            }
            let third = try await server.client()
            let refusal = try await third.answer()
            #expect(refusal.status == 503)
            #expect(try refusal.code == "TRY_AGAIN_LATER" && refusal.reason?.contains("2 connections") == true)
            try await first.send(request())
            #expect(try await first.answer().status == 200)
        }
    }

    @Test("Behind a proxy each client has its own limit of concurrent requests")
    func proxiedRequests() async throws {
        let work = HeldWork()
        let limits = testLimits { $0.clientConnectionsMax = 1 }
        let observer = try await withServer(work, limits: limits, clients: proxied) { server in
            let clients = [try await server.client(), try await server.client(), try await server.client()]
            try await clients[0].send(request("", "X-Forwarded-For: 198.51.100.1, 203.0.113.7"))
            _ = await work.arrival()
            // Values before the last one are set by the client.
            try await clients[1].send(request("", "X-Forwarded-For: 198.51.100.2, 203.0.113.7"))
            #expect(try await clients[1].answer().status == 503)
            try await clients[2].send(request("", "X-Forwarded-For: 203.0.113.8"))
            _ = await work.arrival()
            work.finishFirst("one")
            work.finishFirst("two")
            #expect(try await clients[0].answer().text == "one")
            #expect(try await clients[2].answer().text == "two")
            // The first one is complete, and may send another request.
            try await clients[0].send(request("", "X-Forwarded-For: 203.0.113.7"))
            _ = await work.arrival()
            work.finishFirst("three")
            #expect(try await clients[0].answer().text == "three")
        }
        #expect(
            observer.exchanges.map(\.client).sorted() == ["203.0.113.7", "203.0.113.7", "203.0.113.7", "203.0.113.8"])
    }

    @Test("The memory of one client is bounded, and leaves others theirs")
    func bytes() async throws {
        let limits = testLimits { ($0.clientBufferedBytesMax, $0.bufferedBytesMax) = (40_000, 400_000) }
        try await withServer(ClosureResponder.mirror, limits: limits, clients: proxied) { server in
            let body = String(repeating: "x", count: 60_000)
            let client = try await server.client()
            try await client.send(request(body, "X-Forwarded-For: 203.0.113.7"))
            let refusal = try await client.answer()
            #expect(refusal.status == 503)
            #expect(try refusal.reason?.contains("40000 bytes of requests and answers of this client") == true)
            // A request of the proxy itself is limited only by the total.
            let other = try await server.client()
            try await other.send(request(body))
            #expect(try await other.answer().text == "POST /a 60000")
        }
    }

    @Test("Scheme, host and client are accepted from a trusted proxy only, and only if valid")
    func origins() async throws {
        let seen = Mutex<[(origin: String, network: NetworkAddress?)]>([])
        let responder = ClosureResponder { request in
            seen.withLock { $0.append((request.origin, request.network)) }
            return .answer(RawResponse(body: []))
        }
        let forwarded = [
            "X-Forwarded-Host: evil.example.org, cloud.example.org", "X-Forwarded-Proto: https",
            "X-Forwarded-For: 203.0.113.7",
        ]
        let strange = ["X-Forwarded-Host: a/b?c", "X-Forwarded-Proto: javascript", "X-Forwarded-For: nobody"]
        for (clients, headers) in [
            (proxied, forwarded), (proxied, strange), (proxied, []), (ClientRules(), forwarded), (ClientRules(), []),
        ] {
            let observer = try await withServer(responder, clients: clients) { server in
                let client = try await server.client()
                let lines = headers.map { "\($0)\r\n" }.joined()
                try await client.send("GET /a HTTP/1.1\r\nHost: said.example.org\r\n\(lines)\r\n")
                #expect(try await client.answer().status == 200)
                let (origin, network) = seen.withLock { $0.removeFirst() }
                // Clients on this machine have no individual limit.
                let isBelieved = !clients.trustedProxies.isEmpty && headers == forwarded
                #expect(network == (isBelieved ? NetworkAddress("203.0.113.7") : nil))
                let own = "http://127.0.0.1:\(server.port)"
                if clients.trustedProxies.isEmpty || headers == strange {
                    #expect(origin == own)
                } else {
                    #expect(origin == (headers.isEmpty ? "http://said.example.org" : "https://cloud.example.org"))
                }
            }
            let isProxied = !clients.trustedProxies.isEmpty && headers == forwarded
            #expect(observer.exchanges.first?.client == (isProxied ? "203.0.113.7" : "127.0.0.1"))
        }
    }
}
