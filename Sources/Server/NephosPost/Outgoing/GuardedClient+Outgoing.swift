import NIOHTTP1
import NephosDelivery
package import NephosRunner

/// Requests of features.
extension GuardedClient: OutgoingHTTP {
    package func send(_ request: OutgoingRequest) async throws(OutgoingFailure) -> OutgoingAnswer {
        guard request.body.count <= OutgoingRequest.bodyBytesMax else {
            throw OutgoingFailure(.impossible, "the body has more than \(OutgoingRequest.bodyBytesMax) bytes")
        }
        let (url, host) = try Self.target(of: request.url)
        var message = Poster.Message(url: url, headers: request.headers.map { ($0.name, $0.value) }, body: request.body)
        message.method = request.method.rawValue
        // One byte more than accepted, so that a longer response is detected.
        message.answerBytesMax = request.answerBytesMax + 1
        let answer: PostAnswer
        do throws(PostFailure) {
            answer = try await exchange(message, host: host, timeout: request.deadline)
        } catch {
            throw OutgoingFailure(error)
        }
        guard answer.body.count <= request.answerBytesMax else {
            throw OutgoingFailure(.impossible, "the answer has more than \(request.answerBytesMax) bytes")
        }
        guard answer.isComplete else { throw OutgoingFailure(.passing, "the connection was lost during the answer") }
        return OutgoingAnswer(
            status: answer.status, headers: answer.headers.map { ($0.name, $0.value) }, body: answer.body)
    }

    package var warning: String? { addressGuard.own.warning }

    /// Errors of closing connections are irrelevant.
    package func close() async { try? await shutdown() }

    /// Validated like URLs of webhooks, which must be unambiguous; but `http` is allowed for any host.
    private static func target(of text: String) throws(OutgoingFailure) -> (url: String, host: String) {
        let isPlain = text.prefix(7).lowercased() == "http://"
        do throws(WebhookAddressError) {
            let address = try WebhookAddress(isPlain ? "https://\(text.dropFirst(7))" : text)
            return (isPlain ? "http\(address.url.dropFirst(5))" : address.url, address.host)
        } catch {
            throw OutgoingFailure(.impossible, "the URL is not allowed")
        }
    }
}

extension OutgoingFailure {
    init(_ failure: PostFailure) {
        let kind: Kind = if case .notPublic = failure { .privateAddress } else { .passing }
        self.init(kind, failure.reason)
    }
}
