import Foundation
import NephosTesting
import Testing

@testable import NephosKit
@testable import NephosTransport

/// Responses beyond the size limit are errors, and leave nothing behind.
@Suite(.serialized) struct HugeAnswerTests {
    private static let chunk = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20)
    private static let long = 64 << 20
    /// A separate one, so that concurrent tests are not delayed.
    private static let transport = RealTransport()

    private func fault(_ request: TransportRequest) async -> TransportFault? {
        do throws(TransportFault) {
            _ = try await Self.transport.send(request)
            return nil
        } catch {
            return error
        }
    }

    private func request(_ server: ScriptedServer, _ sink: TransportRequest.Sink) -> TransportRequest {
        var request = TransportRequest(method: "GET", url: server.url)
        request.sink = sink
        return request
    }

    @Test(arguments: ["", "Content-Length: 67108864\r\n"]) func aLongAnswerIsCutOff(length: String) async throws {
        let server = try ScriptedServer(
            .text("HTTP/1.1 200 OK\r\n\(length)\r\n"), .flood(Self.chunk, Self.long), .close)
        defer { server.stop() }
        let fault = await fault(request(server, .memory(limit: 1 << 20)))
        #expect(fault?.kind == .unusable)
        #expect(fault?.message.contains("1048576") == true)
    }

    @Test func anAnswerOfJustTheLimitIsTaken() async throws {
        let server = try ScriptedServer(
            .text("HTTP/1.1 200 OK\r\nContent-Length: 1048576\r\n\r\n"), .send(Self.chunk))
        defer { server.stop() }
        let answer = try await Self.transport.send(request(server, .memory(limit: 1 << 20)))
        #expect(answer.body.count == 1 << 20)
        #expect(await fault(request(server, .memory(limit: 1 << 20 - 1)))?.kind == .unusable)
    }

    @Test func aSmallAnswerThatGrowsIsCutOff() async throws {
        let server = try ScriptedServer(
            .text("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"), .send(Self.zeros.head),
            .flood(Self.zeros.rest, 1 << 20), .close)
        defer { server.stop() }
        #expect(await fault(request(server, .memory(limit: 1 << 20)))?.kind == .unusable)
    }

    @Test func aWholeFunctionEndsWithAnError() async throws {
        let server = try BrokenConnectionTests.server([
            .text("HTTP/1.1 200 OK\r\n\r\n"), .flood(Self.chunk, 65 << 20), .close,
        ])
        defer { server.stop() }
        var configuration = NephosConfiguration.test
        configuration.serverURL = server.url
        // The limit of a response is 64 MB.
        for question in [Question.fetch, .save] {
            #expect(await question.outcome(.test(Self.transport, configuration)) == question.unreadable)
        }
    }

    // MARK: Time

    /// Each piece arrives in time, the whole never.
    @Test(
        "A response that arrives a byte at a time is cut off",
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 9000000\r\n\r\n", "HTTP/1.1 200 OK\r\nA: b",
            "HTTP/1.1 103 Hint\r\n\r\n",
        ])
    func aSlowAnswerIsCutOff(head: String) async throws {
        let piece = head.contains("103") ? "HTTP/1.1 103 Hint\r\n\r\n" : "x"
        let server = try ScriptedServer(.text(head), .drip(Array(piece.utf8)))
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let file = URL(fileURLWithPath: folder.path).appendingPathComponent("file")
        // The size that a server announces gives it no more time.
        let files = [100, 10 << 30].map { TransportRequest.Sink.file(file, limit: $0) }
        for sink in [TransportRequest.Sink.memory(limit: 1 << 20)] + files {
            var request = request(server, sink)
            request.patience = 0.5
            let fault = await fault(request)
            #expect(fault?.kind == .lost && fault?.message.contains("not complete after") == true, "\(fault as Any)")
        }
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test("A body and a file have a second more for each KB that was transferred; a stream has no end")
    func patience() throws {
        var request = TransportRequest(method: "GET", url: try #require(URL(string: "http://a.test")))
        #expect(request.longest(sent: 0, received: 0) == 900 && request.longest(sent: 2_048, received: 4_096) == 902)
        request.sink = .file(URL(fileURLWithPath: "/x"), limit: 10 << 30)
        #expect(request.longest(sent: 0, received: 0) == 900 && request.longest(sent: 1_024, received: 10_240) == 911)
        request.sink = .pieces { _ in }
        #expect(request.longest(sent: 1_024, received: 1_024) == nil)
    }

    // MARK: Files

    @Test(arguments: [200, 404]) func aLongFileIsCutOffAndRemoved(status: Int) async throws {
        let folder = try TemporaryFolder()
        let file = URL(fileURLWithPath: folder.path).appendingPathComponent("file")
        let server = try ScriptedServer(
            .text("HTTP/1.1 \(status) Whatever\r\n\r\n"), .flood(Self.chunk, Self.long), .close)
        defer { server.stop() }
        #expect(await fault(request(server, .file(file, limit: 3 << 20)))?.kind == .unusable)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func anAnswerThatIsNoFileIsNotTakenForOne() async throws {
        let folder = try TemporaryFolder()
        let file = URL(fileURLWithPath: folder.path).appendingPathComponent("file")
        let server = try ScriptedServer(.answer(404, #"{"serverErrorCode":"NOT_FOUND","reason":"gone"}"#))
        defer { server.stop() }
        let answer = try await Self.transport.send(request(server, .file(file, limit: 3 << 20)))
        #expect(CKError(answer, isChange: false).code == .unknownItem)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    /// A gzip stream of zeros: a head, and a part that may be repeated forever. Each byte expands to 159.
    private static let zeros: (head: [UInt8], rest: [UInt8]) = {
        // One block with fixed codes, a zero, and "repeat the previous byte 258 times", from the lowest bit up.
        var bits: [UInt8] = [1, 1, 0] + [0, 0, 1, 1, 0, 0, 0, 0]
        for _ in 0..<16_000 { bits += [1, 1, 0, 0, 0, 1, 0, 1] + [0, 0, 0, 0, 0] }
        let bytes = stride(from: 0, to: bits.count - 8, by: 8).map { start in
            (0..<8).reduce(UInt8(0)) { $0 | bits[start + $1] << UInt8($1) }
        }
        // Thirteen bits each: the bytes repeat after thirteen of them.
        return ([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + bytes[..<2], Array(bytes[2..<2 + 13 * 1_900]))
    }()
}
