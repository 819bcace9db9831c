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
            // A request of the proxy itself is like any other client's, and does not share with those it names.
            for (body, status) in [(body, 503), (String(body.prefix(30_000)), 200)] {
                let other = try await server.client()
                try await other.send(request(body))
                #expect(try await other.answer().status == status)
            }
        }
    }

    // docs/limits.md, "Networks".
    @Test("The networks of one IPv6 site have a limit together, and leave other sites theirs")
    func sites() async throws {
        let work = HeldWork()
        let limits = testLimits { $0.clientConnectionsMax = 1 }
        try await withServer(work, limits: limits, clients: proxied) { server in
            var clients: [RawClient] = []
            func send(_ address: String) async throws -> RawClient {
                let client = try await server.client()
                clients.append(client)
                try await client.send(request("", "X-Forwarded-For: \(address)"))
                return client
            }
            for number in 0..<16 {
                _ = try await send("2001:db8:0:\(number)::1")
                _ = await work.arrival()
            }
            #expect(try await send("2001:db8:0:0:1::1").answer().status == 503)
            #expect(try await send("2001:db8:0:99::1").answer().status == 503)
            let other = try await send("2001:db8:1::1")
            _ = await work.arrival()
            for _ in 0..<17 { work.finishFirst("done") }
            #expect(try await other.answer().text == "done")
        }
    }

    // docs/limits.md, "Networks".
    @Test(
        "What a proxy names is a client, however it spells the address; what is none counts as one client with all such, never as this machine",
        arguments: [
            ("203.0.113.7", "203.0.113.7"), ("203.0.113.7:4711", "203.0.113.7"), ("::ffff:203.0.113.7", "203.0.113.7"),
            (" 10.9.9.9 , 203.0.113.7", "203.0.113.7"), ("2001:db8:1:2::3", "2001:db8:1:2::/64"),
            ("[2001:db8:1:2::3]", "2001:db8:1:2::/64"), ("[2001:db8:1:2::3]:443", "2001:db8:1:2::/64"),
            // This machine, and other trusted proxies, do not escape limits either.
            ("127.0.0.1", "127.0.0.1"), ("127.0.0.5, 127.0.0.1", "127.0.0.5"),
            ("unknown", "unknown"), ("_hidden", "unknown"), ("203.0.113.7, unknown", "unknown"), ("", "unknown"),
            ("203.0.113.7,", "unknown"), ("localhost", "unknown"), ("[2001:db8::1", "unknown"), ("[::1]x", "unknown"),
            ("fe80::1%eth0", "unknown"), ("203.0.113", "unknown"), ("203.0.113.7:99999", "unknown"), ("::", "::/64"),
            ("::1", "::/64"),
            ("for=203.0.113.7", "unknown"), ("\u{e9}", "unknown"),
        ])
    func named(_ header: String, _ network: String) async throws {
        let seen = Mutex<ClientNetwork?>(nil)
        let responder = ClosureResponder { request in
            seen.withLock { $0 = request.network }
            return .answer(RawResponse(body: []))
        }
        try await withServer(responder, clients: proxied) { server in
            let client = try await server.client()
            try await client.send("GET /a HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: \(header)\r\n\r\n")
            #expect(try await client.answer().status == 200)
        }
        #expect(seen.withLock { $0 }?.description == network)
    }

    @Test("Clients whose address is not known share the limits of one")
    func unreadable() async throws {
        let work = HeldWork()
        let limits = testLimits { $0.clientConnectionsMax = 1 }
        try await withServer(work, limits: limits, clients: proxied) { server in
            let (one, two, own) = (
                try await server.client(), try await server.client(), try await server.client()
            )
            try await one.send(request("", "X-Forwarded-For: unknown"))
            _ = await work.arrival()
            try await two.send(request("", "X-Forwarded-For: _hidden"))
            #expect(try await two.answer().status == 503)
            try await own.send(request())
            _ = await work.arrival()
            for text in ["one", "own"] { work.finishFirst(text) }
            #expect(try await one.answer().text == "one")
            #expect(try await own.answer().text == "own")
        }
    }

    // docs/limits.md, "Networks".
    @Test("What a proxy on this machine passes on is counted even if nobody has named the proxy, which is noted once")
    func unnamedProxy() async throws {
        let notes = Mutex(0)
        var rules = ClientRules()
        rules.onUnnamedProxy = { notes.withLock { $0 += 1 } }
        let clients = rules
        let seen = Mutex<[String?]>([])
        let responder = ClosureResponder { request in
            seen.withLock { $0.append(request.network?.description) }
            return .answer(RawResponse(body: []))
        }
        let own = ["Host: localhost:8080", "Host: 127.0.0.1", "Host: [::1]:80", "Host: 127.1.2.3", "Host: a.localhost"]
        let proxied = [
            "Host: cloud.example.org", "Host: localhost.example.org", "Host: 10.0.0.7",
            "Host: localhost\r\nX-Forwarded-For: 203.0.113.7", "Host: localhost\r\nx-forwarded-host: localhost",
            "Host: localhost\r\nForwarded: for=203.0.113.7", "Host: localhost\r\nVia: 1.1 proxy",
            "Host: localhost\r\nX-Real-IP: 203.0.113.7",
        ]
        try await withServer(responder, clients: clients) { server in
            for header in own + proxied {
                let client = try await server.client()
                try await client.send("GET /a HTTP/1.1\r\n\(header)\r\n\r\n")
                #expect(try await client.answer().status == 200)
            }
        }
        let counted = seen.withLock { $0 }
        #expect(counted.prefix(own.count).allSatisfy { $0 == nil })
        #expect(counted.count == own.count + proxied.count)
        #expect(counted.dropFirst(own.count).allSatisfy { $0 == "127.0.0.1" })
        #expect(notes.withLock { $0 } == 1)
    }

    @Test("Scheme, host and client are accepted from a trusted proxy only, and only if valid")
    func origins() async throws {
        let seen = Mutex<[(origin: String, network: ClientNetwork?)]>([])
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
                // Clients on this machine have no individual limit, except those of its proxies.
                let isProxied = !clients.trustedProxies.isEmpty
                let said = headers == forwarded ? "203.0.113.7" : headers == strange ? "unknown" : "127.0.0.1"
                #expect(network?.description == (isProxied ? said : nil))
                let own = "http://127.0.0.1:\(server.port)"
                if clients.trustedProxies.isEmpty || headers == strange {
                    #expect(origin == own)
                } else {
                    #expect(origin == (headers.isEmpty ? "http://said.example.org" : "https://cloud.example.org"))
                }
            }
            let isProxied = !clients.trustedProxies.isEmpty
            let said = headers == forwarded ? "203.0.113.7" : headers == strange ? "unknown" : "127.0.0.1"
            #expect(observer.exchanges.first?.client == (isProxied ? said : "127.0.0.1"))
        }
    }
}
