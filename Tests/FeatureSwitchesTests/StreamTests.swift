import FeatureSwitches
import Foundation
import NephosTesting
import Testing

/// docs/switches.md, "Refreshing": the stream of an OFREP server, over the network.
@Suite("The stream of changes") struct StreamTests {
    private let clock = ManualClock()

    /// A server whose flag is on after this many requests; `NUMBER` in its stream's URL is their count.
    private func server(
        on count: Int, stream: String = "/stream?k=1", _ events: @escaping @Sendable (Int) -> [ScriptedServer.Step]
    ) throws -> ScriptedServer {
        let (asked, streams) = (LockedBox(0), LockedBox(0))
        return try ScriptedServer { request in
            if request.line.hasPrefix("GET /stream") {
                return events(
                    streams.withLock { count in
                        count += 1
                        return count
                    })
            }
            let number = asked.withLock { count in
                count += 1
                return count
            }
            return [
                .answer(
                    200,
                    #"{"flags":[{"key":"tipJar","value":\#(number >= count)}],"eventStreams":[{"type":"push","url":"/x"},"#
                        + #"{"type":"sse","url":"\#(stream.replacing("NUMBER", with: "\(number)"))"}]}"#,
                    #"ETag: "e\#(number)""#)
            ]
        }
    }

    private static let head = ScriptedServer.Step.text(
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")

    private static func chunk(_ text: String) -> ScriptedServer.Step {
        .text("\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n")
    }

    private static func event(_ tag: String) -> String {
        #"data: {"type":"refetchEvaluation","etag":"\#(tag)"}"# + "\n\n"
    }

    private func switches(_ server: ScriptedServer, _ file: URL? = nil) -> FeatureSwitches {
        let provider = OFREPProvider(
            base: server.url.appending(path: "nephos/1/c/development/flags"), credentials: .init(token: "api"))
        return FeatureSwitches(provider, file: file, clock: clock.clock)
    }

    private func until(_ switches: FeatureSwitches, _ body: () -> Bool) async {
        let updates = switches.updates
        if body() { return }
        for await _ in updates where body() { return }
    }

    @Test("A stream that announces changes without end triggers ten fetches a minute")
    func endlessNews() async throws {
        let event = Self.event("x")
        let chunk = Array("\(String(event.utf8.count, radix: 16))\r\n\(event)\r\n".utf8)
        // Ten a second: parsing all that a connection can carry would only delay the fetches.
        let server = try server(on: 1) { _ in [Self.head, .drip(chunk)] }
        defer { server.stop() }
        let switches = switches(server)
        switches.start()
        // For the next regular refresh, and for the stream.
        await clock.waiting(2)
        #expect(clock.waits.contains(60))
        let fetches = server.requests.filter { $0.line.hasPrefix("POST ") }.count
        #expect(fetches == 11)
        switches.stop()
    }

    @Test("An event about values other than ours triggers a fetch, and one about ours does not")
    func events() async throws {
        let server = try server(on: 3) { _ in
            // The stream's first bytes cause a fetch of what was missed, which is e2; then it announces that, and another change.
            [
                Self.head, Self.chunk(": hello\n\n"), Self.chunk(Self.event("e2")), Self.chunk(Self.event("later")),
                .hang,
            ]
        }
        defer { server.stop() }
        let switches = switches(server)
        switches.start()
        await until(switches) { switches.isFeatureEnabled(.tipJar) }
        #expect(switches.state.isStreaming)
        let stream = try #require(server.requests.first { $0.line.hasPrefix("GET /stream") })
        #expect(stream.line == "GET /stream?k=1 HTTP/1.1" && stream.headers["authorization"] == "Bearer api")
        #expect(stream.headers["accept"] == "text/event-stream")
        switches.stop()
    }

    @Test("A stream that ends is reopened, and missed changes are fetched")
    func again() async throws {
        let server = try server(on: 3) { number in
            number == 1
                ? [Self.head, Self.chunk(": hello\n\n"), .close] : [Self.head, Self.chunk(": hello again\n\n"), .hang]
        }
        defer { server.stop() }
        let switches = switches(server)
        switches.start()
        // The next poll, and the delay before reconnecting.
        await until(switches) { !switches.state.isStreaming && switches.state.streamFault != nil }
        await clock.waiting(2)
        #expect(clock.waits.first == 5)
        clock.passShortest()
        await until(switches) { switches.isFeatureEnabled(.tipJar) }
        #expect(switches.state.streamFault == nil)
        switches.stop()
    }

    @Test("An open stream stays, whatever address later responses name")
    func renamed() async throws {
        let server = try server(on: 2, stream: "/stream?k=NUMBER") { _ in [Self.head, Self.chunk(": hello\n\n"), .hang]
        }
        defer { server.stop() }
        let switches = switches(server)
        switches.start()
        await until(switches) { switches.isFeatureEnabled(.tipJar) && switches.state.isStreaming }
        for _ in 1...3 { await switches.refresh() }
        #expect(switches.state.isStreaming)
        #expect(server.requests.filter { $0.line.hasPrefix("GET /stream") }.map(\.line) == ["GET /stream?k=1 HTTP/1.1"])
        switches.stop()
    }

    @Test("If a stream is rejected, polling continues and the problem is visible", arguments: [404, 503])
    func refused(status: Int) async throws {
        let server = try server(on: 2) { _ in [.answer(status, #"{"reason":"too many streams"}"#)] }
        defer { server.stop() }
        let switches = switches(server)
        switches.start()
        await until(switches) { switches.state.streamFault != nil }
        #expect(switches.state.streamFault?.message.contains("too many streams") == true)
        #expect(switches.state.failure == nil && !switches.isFeatureEnabled(.tipJar))
        await switches.refresh()
        #expect(switches.isFeatureEnabled(.tipJar))
        // The stream's URL may have changed, so a full response is requested.
        #expect(server.requests.last { $0.line.hasPrefix("POST") }?.headers["if-none-match"] == nil)
        switches.stop()
    }

    @Test("After a restart the stream is opened, although no response names it anew")
    func restarted() async throws {
        let keeping = try Keeping()
        let server = try ScriptedServer { request in
            if request.line.hasPrefix("GET /stream") { return [Self.head, Self.chunk(": hello\n\n"), .hang] }
            if request.headers["if-none-match"] != nil { return [.text("HTTP/1.1 304 Same\r\n\r\n")] }
            return [.answer(200, #"{"flags":[],"eventStreams":[{"type":"sse","url":"/stream"}]}"#, #"ETag: "e1""#)]
        }
        defer { server.stop() }
        await switches(server, keeping.file).refresh()
        let next = switches(server, keeping.file)
        next.start()
        await until(next) { next.state.isStreaming }
        #expect(server.requests.filter { $0.headers["if-none-match"] == #""e1""# }.count >= 1)
        next.stop()
    }

    @Test("An endless event ends the stream and uses little memory")
    func endless() async throws {
        let server = try server(on: 9) { _ in
            [Self.head, .flood(Array("2710\r\n\(String(repeating: "x", count: 10_000))\r\n".utf8), 1 << 24), .hang]
        }
        defer { server.stop() }
        let switches = switches(server)
        switches.start()
        await until(switches) { switches.state.streamFault != nil }
        #expect(switches.state.streamFault?.kind == .unreadable)
        switches.stop()
    }

    @Test("Tokens are sent to the server itself only, whatever host a stream's address names")
    func otherServer() async throws {
        let other = try ScriptedServer(Self.head, Self.chunk(": hello\n\n"), .hang)
        defer { other.stop() }
        let server = try server(on: 2, stream: "\(other.url)/stream") { _ in [.close] }
        defer { server.stop() }
        let switches = switches(server)
        switches.start()
        await until(switches) { switches.isFeatureEnabled(.tipJar) }
        let stream = try #require(other.requests.first)
        #expect(stream.headers["authorization"] == nil && !stream.line.contains("ckWebAuthToken"))
        switches.stop()
    }

    @Test("Without a stream flags are polled")
    func noStream() async throws {
        let server = try ScriptedServer(.answer(200, #"{"flags":[{"key":"tipJar","value":true}]}"#))
        defer { server.stop() }
        let switches = switches(server)
        switches.start()
        await clock.waiting()
        #expect(switches.isFeatureEnabled(.tipJar) && clock.waits == [990])
        clock.passShortest()
        await clock.waiting()
        #expect(server.requests.count == 2)
        switches.stop()
    }
}
