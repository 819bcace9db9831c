import Foundation
import NephosTesting
import Testing

@testable import NephosKit
@testable import NephosTransport

/// Properties of the transport besides responses: cancellation, reused connections, files, concurrency.
@Suite struct TransportTests {
    private let transport = RealTransport.shared
    private func result(
        _ request: TransportRequest, over transport: RealTransport = .shared
    ) async -> Result<TransportAnswer, TransportFault> {
        do throws(TransportFault) {
            return .success(try await transport.send(request))
        } catch {
            return .failure(error)
        }
    }

    private func post(_ server: ScriptedServer, _ body: String) -> TransportRequest {
        TransportRequest(method: "POST", url: server.url, body: .bytes(Data(body.utf8)))
    }

    private func text(_ result: Result<TransportAnswer, TransportFault>) -> String? {
        (try? result.get()).map { String(decoding: $0.body, as: UTF8.self) }
    }

    // MARK: Cancelling

    @Test func whatWasCancelledBeforeItBeganEnds() async throws {
        let server = try ScriptedServer(.hang)
        defer { server.stop() }
        let request = post(server, "x")
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await result(request)
        }
        #expect(await task.value.failure?.kind == .cancelled)
    }

    @Test(
        arguments: [
            [.hang], [.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .hang],
            [.text("HTTP/1.1 200 OK\r\nA:"), .hang],
        ] as [[ScriptedServer.Step]])
    func whatIsUnderWayEndsWhenItIsCancelled(steps: [ScriptedServer.Step]) async throws {
        let folder = try TemporaryFolder()
        let asked = Eventually<Void>()
        let server = try ScriptedServer { _ in
            asked.set(())
            return steps
        }
        defer { server.stop() }
        var request = post(server, "x")
        let file = URL(fileURLWithPath: folder.path).appendingPathComponent("file")
        request.sink = .file(file, limit: 9)
        let task = Task { [request] in await result(request) }
        await asked.wait()
        task.cancel()
        #expect(await task.value.failure?.kind == .cancelled)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    /// An endless response does not block cancellation or other requests.
    @Test func anAnswerWithoutEndEndsWhenItIsCancelled() async throws {
        let folder = try TemporaryFolder()
        let asked = Eventually<Void>()
        let endless = try ScriptedServer { _ in
            asked.set(())
            return [.text("HTTP/1.1 200 OK\r\n\r\n"), .flood([UInt8](repeating: 0, count: 1 << 10), .max)]
        }
        let other = try ScriptedServer(.answer(200, "well"))
        defer {
            endless.stop()
            other.stop()
        }
        var request = TransportRequest(method: "GET", url: endless.url)
        request.sink = .file(URL(fileURLWithPath: "\(folder.path)/file"), limit: .max)
        let task = Task { [request] in await result(request) }
        await asked.wait()
        #expect(text(await result(post(other, "x"))) == "well")
        task.cancel()
        #expect(await task.value.failure?.kind == .cancelled)
    }

    /// A name look-up cannot be aborted, and nobody waits for it.
    @Test func aLookUpEndsWhenItIsCancelled() async throws {
        let other = try ScriptedServer(.answer(200, "well"))
        defer { other.stop() }
        let url = try #require(URL(string: "http://nowhere.invalid"))
        for round in 0..<20 {
            let task = Task { await result(TransportRequest(method: "GET", url: url)) }
            for _ in 0..<round { await Task.yield() }
            task.cancel()
            let kind = await task.value.failure?.kind
            #expect(kind == .cancelled || kind == .noNetwork)
            #expect(text(await result(post(other, "x"))) == "well")
        }
    }

    /// Whichever comes first, the response or the cancellation.
    @Test(arguments: [200, 302, 401, 503]) func cancellingAtAnyTimeEndsIt(status: Int) async throws {
        let header = status == 401 ? "WWW-Authenticate: Basic realm=\"x\"" : "Location: /elsewhere"
        let server = try ScriptedServer(.answer(status, "{}", header))
        defer { server.stop() }
        for round in 0..<100 {
            let request = post(server, "x")
            let task = Task { await result(request) }
            for _ in 0..<round { await Task.yield() }
            task.cancel()
            switch await task.value {
            case .success(let answer): #expect(answer.status == status)
            case .failure(let fault): #expect(fault.kind == .cancelled)
            }
        }
    }

    // MARK: Connections

    @Test func aConnectionIsUsedAgain() async throws {
        let server = try ScriptedServer { [.answer(200, String(decoding: $0.body, as: UTF8.self))] }
        defer { server.stop() }
        // A separate one, so that its connections are known.
        let own = RealTransport()
        for number in 0..<5 { #expect(text(await result(post(server, "\(number)"), over: own)) == "\(number)") }
        #expect(server.connections == 1)
    }

    /// A server that stops between a request and its response may have executed it: it is not sent again automatically.
    @Test(arguments: [ScriptedServer.Step.close, .reset]) func aRequestIsSentOnce(end: ScriptedServer.Step) async throws
    {
        let server = try ScriptedServer { request in request.body == Array("1".utf8) ? [end] : [.answer(200, "well")] }
        defer { server.stop() }
        let own = RealTransport()
        #expect(text(await result(post(server, "0"), over: own)) == "well")
        #expect(await result(post(server, "1"), over: own).failure?.kind == .lost)
        #expect(text(await result(post(server, "2"), over: own)) == "well")
        #expect(server.requests.map { String(decoding: $0.body, as: UTF8.self) } == ["0", "1", "2"])
        #expect(server.requests.map(\.connection).prefix(2) == [0, 0])
    }

    @Test func anAnswerThatNobodyAskedForIsNobodys() async throws {
        let server = try ScriptedServer { request in
            let body = String(decoding: request.body, as: UTF8.self)
            let poison = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison"
            return [.text("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)\(poison)")]
        }
        defer { server.stop() }
        for number in 0..<3 { #expect(text(await result(post(server, "\(number)"))) == "\(number)") }
    }

    @Test func manyAtOnceGetTheirOwnAnswers() async throws {
        let server = try ScriptedServer { [.answer(200, String(decoding: $0.body, as: UTF8.self))] }
        defer { server.stop() }
        await withTaskGroup(of: (Int, String?).self) { group in
            for number in 0..<60 { group.addTask { (number, text(await result(post(server, "\(number)")))) } }
            for await (number, answer) in group { #expect(answer == "\(number)") }
        }
        // The requests sent before the first response arrived; on a busy machine all of them.
        let connections = server.connections
        #expect(connections <= 60)
        for number in 0..<60 { #expect(text(await result(post(server, "\(number)"))) == "\(number)") }
        #expect(server.connections < connections + 5, "those that come one after the other go over what is there")
    }

    /// However many requests wait for a response, one that is ready is received.
    @Test func thoseThatWaitKeepNobodyWaiting() async throws {
        let asked = LockedBox(0)
        let all = Eventually<Void>()
        let silent = try ScriptedServer { _ in
            if asked.withLock({
                $0 += 1; return $0
            }) == 40 {
                all.set(())
            }
            return [.hang]
        }
        let other = try ScriptedServer(.answer(200, "well"))
        defer {
            silent.stop()
            other.stop()
        }
        var poll = TransportRequest(method: "GET", url: silent.url)
        poll.waits = true
        let tasks = (0..<40).map { _ in Task { [poll] in await result(poll) } }
        await all.wait()
        #expect(text(await result(post(other, "x"))) == "well")
        for task in tasks { task.cancel() }
        for task in tasks { #expect(await task.value.failure?.kind == .cancelled) }
    }

    /// A value that would form two headers is invalid; nothing is sent.
    @Test(arguments: ["a\r\nX-Other: b", "a\nb", "a\0b"]) func aHeaderHasOneLine(value: String) async throws {
        let server = try ScriptedServer(.answer(200, "well"))
        defer { server.stop() }
        var request = post(server, "x")
        request.headers["X-Own"] = value
        #expect(await result(request).failure?.kind == .local)
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: [0.2, 0.75, 1]) func itWaitsAsLongAsItWasTold(seconds: Double) async throws {
        let server = try ScriptedServer(.hang)
        defer { server.stop() }
        var request = TransportRequest(method: "GET", url: server.url)
        request.timeout = seconds
        let fault = await result(request).failure
        #expect(fault?.kind == .lost && fault?.message.contains("\(seconds.formatted())") == true)
    }

    @Test(arguments: [.infinity, .greatestFiniteMagnitude, 1e12]) func aTimeWithoutEndIsTaken(seconds: Double)
        async throws
    {
        let server = try ScriptedServer(.answer(200, "well"))
        defer { server.stop() }
        var request = post(server, "x")
        request.timeout = seconds
        #expect(text(await result(request)) == "well")
    }

    // MARK: Files

    @Test func aFileIsSentAndAnotherFetched() async throws {
        let folder = try TemporaryFolder()
        let (source, target) = ("\(folder.path)/source", "\(folder.path)/target")
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        try writeFile(source, bytes)
        let server = try ScriptedServer {
            [.text("HTTP/1.1 200 OK\r\nContent-Length: \($0.body.count)\r\n\r\n"), .send($0.body)]
        }
        defer { server.stop() }
        var request = TransportRequest(method: "POST", url: server.url, body: .file(URL(fileURLWithPath: source)))
        request.sink = .file(URL(fileURLWithPath: target), limit: 300_000)
        let shares = LockedBox<[Double]>([])
        request.progress = { share in shares.withLock { $0.append(share) } }
        let answer = try await transport.send(request)
        #expect(answer.status == 200 && answer.body.isEmpty)
        #expect(try readFile(target) == bytes)
        #expect(try mode(target) == 0o600)
        #expect(shares.value.allSatisfy { 0...1 ~= $0 } && shares.value.last == 1)
    }

    @Test func aFileThatIsNotThereIsAFault() async throws {
        let folder = try TemporaryFolder()
        let server = try ScriptedServer(.answer(200, "well"))
        defer { server.stop() }
        var request = post(server, "x")
        request.body = .file(URL(fileURLWithPath: "\(folder.path)/nothing"))
        #expect(await result(request).failure?.kind == .local)
        request.body = .none
        request.sink = .file(URL(fileURLWithPath: "\(folder.path)/no/such/folder"), limit: 9)
        #expect(await result(request).failure?.kind == .local)
        #expect(server.requests.isEmpty)
    }

    /// An existing file is not overwritten, and still exists afterwards.
    @Test func aFileThatIsThereStays() async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/file"
        try writeFile(path, Array("old".utf8))
        let server = try ScriptedServer(.answer(200, "new"))
        defer { server.stop() }
        var request = post(server, "x")
        request.sink = .file(URL(fileURLWithPath: path), limit: 9)
        #expect(await result(request).failure?.kind == .local)
        #expect(try readFile(path) == Array("old".utf8))
    }

    @Test(arguments: ["ftp://127.0.0.1:1/x", "file:///etc/passwd", "data:text/plain,x", "http:///x", "about:blank"])
    func onlyServersOfTheWebAreAsked(address: String) async throws {
        let request = TransportRequest(method: "GET", url: try #require(URL(string: address)))
        #expect(await result(request).failure?.kind == .unusable)
    }
}
