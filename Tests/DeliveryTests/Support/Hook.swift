import DeliveryTesting
import NephosPost
import NephosTesting
import Testing

/// A webhook created by `nephos webhook create`, with its output.
struct Hook: Sendable {
    let container: TestContainer
    let id: String
    let secret: [UInt8]
    let user: String

    /// - Parameter arguments: Those after the URL.
    init(_ url: String, _ container: TestContainer, _ arguments: String...) throws {
        self.container = container
        let result = try container.cloud.server.command.run(
            ["webhook", "create", container.id, "--environment", "development", "--url", url] + arguments)
        try #require(result.status == 0, "\(result)")
        var words: [String: String] = [:]
        for line in result.output.split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
            guard parts.count == 2 else { continue }
            words[String(parts[0])] = parts[1].trimmingPrefix { $0 == " " }.description
        }
        id = try #require(words["id"])
        user = try #require(words["user"])
        let digits = Array(try #require(words["secret"]))
        secret = stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0..<$0 + 2]), radix: 16) }
        #expect(secret.count == 32)
    }

    /// Runs `nephos webhook …` for its container.
    static func run(_ action: String, _ container: TestContainer, _ arguments: String...) throws -> CommandResult {
        try container.cloud.server.command.run(
            ["webhook", action, container.id] + arguments + ["--environment", "development"])
    }

    /// Expects that a call is valid: signed with its secret, current, and JSON. - Returns: Its content.
    @discardableResult
    func expect(_ call: RecordedRequest, sourceLocation: SourceLocation = #_sourceLocation) throws -> JSON {
        #expect(
            call.method == "POST" && call.header("content-type") == "application/json", sourceLocation: sourceLocation)
        let signature = try #require(call.header(WebhookSignature.headerName), sourceLocation: sourceLocation)
        #expect(
            WebhookSignature.isValid(signature, body: call.body, secret: secret, now: SystemClock.now()),
            sourceLocation: sourceLocation)
        #expect(
            call.header("nephos-delivery")?.wholeMatch(of: /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/) != nil,
            sourceLocation: sourceLocation)
        return try call.json
    }
}
