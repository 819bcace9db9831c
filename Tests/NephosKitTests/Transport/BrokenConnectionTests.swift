import Foundation
import NephosTesting
import Testing

@testable import NephosKit
@testable import NephosTransport

/// Connections that break and servers that do not speak HTTP, over real sockets: a program's result for a read and for a change.
/// (Errors/CKError+Transport.swift)
@Suite struct BrokenConnectionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var steps: [ScriptedServer.Step]
        /// For a read; a change gets `serverResponseLost`.
        var code: CKError.Code
        var isSilent: Bool { if case .hang = steps.last { true } else { false } }
        var testDescription: String { name }
    }

    private static func row(
        _ name: String, _ code: CKError.Code, _ steps: ScriptedServer.Step...
    ) -> Row { Row(name: name, steps: steps, code: code) }

    private static let head = "HTTP/1.1 200 OK\r\n"

    static let rows: [Row] = [
        row("closes without an answer", .networkFailure, .close),
        row("breaks off without an answer", .networkFailure, .reset),
        row("closes within the status line", .networkFailure, .text("HTTP/1."), .close),
        row("closes after the status line", .internalError, .text(head), .close),
        row("closes within a header", .internalError, .text(head + "Content-Le"), .close),
        row("breaks off after the status line", .networkFailure, .text(head), .reset),
        row("closes after an interim answer", .networkFailure, .text("HTTP/1.1 100 Continue\r\n\r\n"), .close),
        row("closes in the middle", .networkFailure, .text(head + "Content-Length: 500\r\n\r\n{\"records\":["), .close),
        row("breaks off in the middle", .networkFailure, .text(head + "Content-Length: 500\r\n\r\n{"), .reset),
        row(
            "closes between chunks", .networkFailure, .text(head + "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"),
            .close),
        row(
            "a chunk of no length", .networkFailure, .text(head + "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}"), .close),
        row(
            "a length without end", .networkFailure, .text(head + "Content-Length: 9223372036854775807\r\n\r\n{"),
            .close),
        row(
            "a length beyond all numbers", .internalError,
            .text(head + "Content-Length: 99999999999999999999999\r\n\r\n{"), .close),
        row("two lengths", .networkFailure, .text(head + "Content-Length: 9\r\nContent-Length: 12\r\n\r\n{}"), .close),
        row("a negative length", .networkFailure, .text(head + "Content-Length: -2\r\n\r\n{}"), .close),
        row("no gzip", .networkFailure, .answer(200, "{}", "Content-Encoding: gzip")),
        row("an unknown encoding", .networkFailure, .answer(200, "{}", "Content-Encoding: secret")),
        row(
            "headers without end", .networkFailure, .text(head),
            .flood(Array("A: \(String(repeating: "b", count: 500))\r\n".utf8), 1 << 30)),
        row("a header without end", .networkFailure, .text(head + "A: "), .flood(Array("bcdefgh".utf8), 1 << 30)),
        row(
            "interim answers without end", .networkFailure,
            .flood(Array("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n".utf8), 1 << 30)),
        row(
            "interim answers without fields", .networkFailure, .flood(Array("HTTP/1.1 100 \r\n\r\n".utf8), 1 << 30)),
        row("says nothing", .networkFailure, .hang),
        row("says nothing more", .networkFailure, .text(head + "Content-Length: 500\r\n\r\n{"), .hang),
        row("another protocol", .internalError, .text("220 mail.example.org ESMTP\r\n"), .close),
        row("bytes of a TLS server", .internalError, .send([0x15, 3, 1, 0, 2, 2, 0x46, 13, 10]), .close),
        row("HTTP of the future", .internalError, .text("HTTP/9.9 200 OK\r\nContent-Length: 2\r\n\r\n{}"), .close),
        row("a status that is none", .internalError, .text("HTTP/1.1 yes\r\nContent-Length: 2\r\n\r\n{}"), .close),
    ]

    @Test(arguments: rows) func aBrokenAnswerIsAnError(_ row: Row) async throws {
        // A busy machine may not send a request before a short timeout: then it gets a longer one.
        let timeouts = row.isSilent ? [0.9, 6, 40] : [60]
        for timeout in timeouts {
            let server = try Self.server(row.steps)
            defer { server.stop() }
            var outcomes: [(question: Question, outcome: Outcome)] = []
            for question in [Question.fetch, .save] {
                outcomes.append((question, await Self.outcome(question, server.url, timeout: timeout)))
            }
            let bodies = server.requests.filter { $0.line.contains("/records/") }
            guard bodies.count >= 2 || timeout == timeouts.last else { continue }
            for (question, outcome) in outcomes {
                #expect(outcome == .error(question.isChange ? .serverResponseLost : row.code), "\(question.name)")
            }
            // Each was sent once.
            #expect(bodies.count == 2)
            return
        }
    }

    /// A connection that breaks before a change is sent does not affect the change.
    @Test func whatWasNotSentWasNotDone() async throws {
        let server = try ScriptedServer(.close)
        defer { server.stop() }
        #expect(await Question.save.outcome(Self.container(server.url)) == .error(.networkFailure))
        #expect(server.requests.allSatisfy { $0.line.contains("/users/caller") })
    }

    @Test func aRefusedConnectionIsAnError() async throws {
        let server = try Self.server([.answer(200, Question.fetch.good.description)])
        let container = Self.container(server.url)
        #expect(await Question.fetch.outcome(container).isResult)
        server.stop()
        // The user is known by now, so the change itself is rejected.
        #expect(await Question.save.outcome(container) == .error(.networkFailure))
        #expect(await Question.fetch.outcome(container) == .error(.networkFailure))
    }

    @Test func anUnknownHostIsAnError() async throws {
        let url = try #require(URL(string: "http://nowhere.invalid"))
        for question in [Question.fetch, .save, .account] {
            #expect(await Self.outcome(question, url) == .error(.networkUnavailable))
        }
    }

    @Test(arguments: ["ftp://127.0.0.1", "file:///etc", "data:,", "http:relative", "nothing"])
    func anAddressThatIsNoneIsAnError(address: String) async throws {
        let url = try #require(URL(string: address))
        #expect(await Self.outcome(.account, url) == .error(.missingEntitlement))
    }

    /// Responses that URL loaders tend to handle themselves.
    @Test(
        arguments: [
            (401, "WWW-Authenticate: Basic realm=\"x\""), (401, "WWW-Authenticate: Digest realm=\"x\", nonce=\"y\""),
            (401, "WWW-Authenticate: Bearer"), (401, "WWW-Authenticate: Basic"), (401, "X: y"),
            (407, "Proxy-Authenticate: Basic realm=\"x\""), (417, "X: y"), (426, "Upgrade: TLS/1.2"), (999, "X: y"),
        ])
    func noAnswerIsWaitedForTwice(status: Int, header: String) async throws {
        let server = try Self.server([.answer(status, "<html>no</html>", header)])
        defer { server.stop() }
        let expected: CKError.Code = status == 999 ? .serviceUnavailable : .serverRejectedRequest
        #expect(await Self.outcome(.fetch, server.url) == .error(expected))
        #expect(server.requests.count == 2)
    }

    @Test func interimAnswersArePassedOver() async throws {
        let good = Question.fetch.good.description
        let server = try Self.server([
            .text("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"), .answer(200, good),
        ])
        defer { server.stop() }
        #expect(await Self.outcome(.fetch, server.url) == Question.fetch.goodOutcome)
    }
}

extension BrokenConnectionTests {
    /// A server that returns the signed-in user, and answers everything else with these steps.
    static func server(_ steps: [ScriptedServer.Step]) throws -> ScriptedServer {
        try ScriptedServer { request in
            request.line.contains("/users/caller") ? [.answer(200, #"{"userRecordName":"_me"}"#)] : steps
        }
    }

    static func container(_ url: URL) -> CKContainer {
        var configuration = NephosConfiguration.test
        configuration.serverURL = url
        return .test(RealTransport.shared, configuration)
    }

    static func outcome(_ question: Question, _ url: URL, timeout seconds: TimeInterval = 60) async -> Outcome {
        let configuration = CKOperation.Configuration()
        configuration.timeoutIntervalForRequest = seconds
        let container = container(url)
        // The signed-in user is fetched first, without a time limit.
        if question.name != Question.account.name { _ = try? await container.userRecordID() }
        return await container.configuredWith(configuration: configuration) { await question.outcome($0) }
    }
}
