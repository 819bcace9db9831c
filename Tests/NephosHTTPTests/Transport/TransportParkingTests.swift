import NephosHTTP
import NephosRunner
import Testing

@Suite("Parked requests can wait long (docs/protocol.md, Limits)")
struct TransportParkingTests {
    private static let get = "GET /poll HTTP/1.1\r\n\r\n"

    @Test("A parked request is answered when its response is ready, and the requests after it then")
    func late() async throws {
        let work = ParkedWork()
        try await withServer(work) { server in
            let client = try await server.client()
            try await client.send(
                "POST /a HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcGET /plain HTTP/1.1\r\n\r\n" + Self.get)
            let first = try #require(await work.arrivals.next())
            #expect(first.target == "/a")
            #expect(work.arrivals.all.count == 1)
            first.answer("one")
            #expect(try await client.answer().text == "one")
            #expect(try await client.answer().text == "plain")
            try #require(await work.arrivals.next()).answer("two")
            #expect(try await client.answer().text == "two")
        }
        #expect(work.endings.all.isEmpty)
    }

    @Test("A parked request is not limited by the request timeout, and neither is writing its response")
    func exempt() async throws {
        let work = ParkedWork()
        try await withServer(work, limits: testLimits { $0.requestMilliseconds = 100 }) { server in
            let client = try await server.client(receiveBuffer: 4_096)
            try await client.send(Self.get)
            let arrival = try #require(await work.arrivals.next())
            for _ in 1...3 { #expect(try await server.outlastRequest() == 503) }
            let body = [UInt8](repeating: 32, count: 8 << 20)
            arrival.parking.answer(.answer(RawResponse(body: body)))
            #expect(try await server.outlastRequest() == 503)
            #expect(try await client.answer().body.count == body.count)
            try await client.send("GET /stuck HTTP/1.1\r\n\r\n")
            #expect(try await client.answer().status == 503, "the next request has its time as ever")
        }
    }

    @Test("Once a parked request is answered, the rest of its response has the request timeout")
    func workAfterParking() async throws {
        let work = ParkedWork()
        try await withServer(work, limits: testLimits { $0.requestMilliseconds = 100 }) { server in
            let client = try await server.client()
            try await client.send(Self.get)
            #expect(try #require(await work.arrivals.next()).parking.answer(.later { _ in }))
            let answer = try await client.answer()
            #expect(answer.status == 503)
            #expect(try answer.code == "TRY_AGAIN_LATER")
        }
    }

    @Test("A response can need other work first, or another wait, and is compressed like others")
    func workInParking() async throws {
        let work = ParkedWork()
        try await withServer(work) { server in
            let client = try await server.client()
            try await client.send("GET /poll HTTP/1.1\r\nAccept-Encoding: gzip\r\n\r\n")
            let first = try #require(await work.arrivals.next())
            first.parking.answer(
                .blocking { .parked { work.arrivals.record(ParkedWork.Arrival(target: "again", parking: $0)) } })
            let second = try #require(await work.arrivals.next())
            #expect(second.target == "again")
            #expect(!first.parking.answer(.failed(RawClient.Failure.timeout)))
            second.answer(String(repeating: "a", count: 5_000))
            #expect(try await client.answer().headers["content-encoding"] == "gzip")
        }
    }

    enum Leaving: CaseIterable { case close, reset, halfClose, closeBehindMore }

    @Test(
        "The owner of a parked request is notified once when its client disconnects; a response is then ignored",
        arguments: Leaving.allCases)
    func gone(_ leaving: Leaving) async throws {
        let work = ParkedWork()
        let sent = RecordedValues<Bool>()
        try await withServer(work) { server in
            var client: RawClient? = try await server.client()
            try await client?.send(Self.get + (leaving == .closeBehindMore ? Self.get : ""))
            let arrival = try #require(await work.arrivals.next())
            switch leaving {
            case .close, .closeBehindMore: break
            case .reset: client?.resetAtEnd()
            case .halfClose: try await client?.closeWriting()
            }
            if leaving != .halfClose { client = nil }
            #expect(await work.endings.next() == .clientGone)
            try await server.settle()
            #expect(!arrival.parking.answer(.answer(RawResponse(body: [], whenSent: { sent.record($0) }))))
            let late = RecordedValues<Parking.Ending>()
            arrival.parking.onEnding { late.record($0) }
            #expect(late.all == [.clientGone])
        }
        #expect(sent.all == [false])
        #expect(work.endings.all == [.clientGone])
        #expect(work.arrivals.all.count == 1)
    }

    @Test("A request whose client disconnects before it is parked is not parked")
    func goneBefore() async throws {
        let done = RecordedValues<@Sendable (Work) -> Void>()
        let responder = ClosureResponder { request in
            request.target == "/plain" ? .answer(RawResponse(body: [])) : .later { done.record($0) }
        }
        try await withServer(responder) { server in
            let client = try await server.client()
            try await client.send(Self.get)
            let finish = try #require(await done.next())
            try await client.closeWriting()
            // Two rounds of the event loop, so that it has seen the end.
            let other = try await server.client()
            for _ in 1...2 {
                try await other.send("GET /plain HTTP/1.1\r\n\r\n")
                #expect(try await other.answer().status == 200)
            }
            finish(.parked { _ in Issue.record("parked") })
            #expect(try await client.rest().isEmpty)
        }
    }

    @Test("When the server stops, parked requests are notified immediately, and their responses are the last")
    func stopping() async throws {
        let work = ParkedWork()
        let sent = RecordedValues<Bool>()
        try await withServer(work) { server in
            let client = try await server.client()
            try await client.send(Self.get + Self.get)
            let arrival = try #require(await work.arrivals.next())
            await server.stop()
            #expect(await work.endings.next() == .serverStops)
            arrival.answer("nothing new") { sent.record($0) }
            let answer = try await client.answer()
            #expect(answer.text == "nothing new")
            #expect(answer.headers["connection"] == "close")
            #expect(try await client.rest().isEmpty)
        }
        #expect(sent.all == [true])
        #expect(work.endings.all == [.serverStops])
    }

    @Test("A parked request without a response is cut off when the time to stop has passed, without further notice")
    func stoppingUnanswered() async throws {
        let work = ParkedWork()
        try await withServer(work, limits: testLimits { $0.shutdownMilliseconds = 50 }) { server in
            let client = try await server.client()
            try await client.send(Self.get)
            let arrival = try #require(await work.arrivals.next())
            await server.stop()
            #expect(try await client.rest().isEmpty)
            try await server.settle()
            #expect(!arrival.parking.answer(.answer(RawResponse(body: []))))
        }
        #expect(work.endings.all == [.serverStops])
    }

    @Test("HEAD and HTTP/1.0 get late responses like immediate ones")
    func otherKinds() async throws {
        let work = ParkedWork()
        try await withServer(work) { server in
            let client = try await server.client()
            try await client.send("HEAD /poll HTTP/1.1\r\n\r\nGET /poll HTTP/1.0\r\n\r\n")
            try #require(await work.arrivals.next()).answer("12345")
            let head = try await client.answer(toHEAD: true)
            #expect(head.headers["content-length"] == "5")
            try #require(await work.arrivals.next()).answer("old")
            let old = try await client.answer()
            #expect(old.text == "old")
            #expect(old.headers["connection"] == "close")
            #expect(try await client.rest().isEmpty)
        }
    }
}
