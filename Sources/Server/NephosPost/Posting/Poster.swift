import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// Sends requests, each with one deadline over all of it: resolving, connecting, sending, the answer's last byte.
struct Poster: Sendable {
    /// What is sent.
    struct Message: Sendable {
        var method = "POST"
        let url: String
        let headers: [(String, String)]
        let body: [UInt8]
        /// More of an answer's body is not read; its stream or connection is closed instead.
        var answerBytesMax = 4_096

        init(url: String, headers: [(String, String)], body: [UInt8]) {
            (self.url, self.headers, self.body) = (url, headers, body)
        }
    }

    /// How many connections may turn out to be closed before one request is given up.
    private static let staleConnectionsMax = 3

    /// Lends a client, and does it again for the next address of the host where one is not to be reached.
    ///
    /// - Parameter: How many addresses were tried in vain. nil where there is no other.
    typealias Route = @Sendable (Int) async throws -> PinnedClients.Loan?

    let timeout: Duration
    /// Returns after the time it is given, or when its task is cancelled.
    let wait: @Sendable (Duration) async -> Void

    /// - Throws: ``PostFailure`` when there was no answer. An answer is one as soon as its status came in.
    func send(_ message: Message, by route: @escaping Route) async throws(PostFailure) -> PostAnswer {
        var request = HTTPClientRequest(url: message.url)
        request.method = HTTPMethod(rawValue: message.method)
        for (name, value) in message.headers { request.headers.add(name: name, value: value) }
        if request.method == .POST || !message.body.isEmpty { request.body = .bytes(ByteBuffer(bytes: message.body)) }
        return try await inTime(Exchange(request: request, bytesMax: message.answerBytesMax), route).get()
    }

    /// A message as the client takes it.
    private struct Exchange: Sendable {
        let request: HTTPClientRequest
        let bytesMax: Int
    }

    /// The client's own deadline ends with the answer's head, and a body can go on for ever. So a timer runs beside the
    /// whole exchange and cancels it.
    private func inTime(_ exchange: Exchange, _ route: @escaping Route) async -> Result<PostAnswer, PostFailure> {
        await withTaskGroup(of: Result<PostAnswer, PostFailure>?.self) { group in
            group.addTask { await self.attempt(exchange, route) }
            group.addTask {
                await self.wait(self.timeout)
                return nil
            }
            var isLate = false
            while let ended = await group.next() {
                group.cancelAll()
                guard let result = ended else {
                    isLate = !Task.isCancelled
                    continue
                }
                if case .failure(.cancelled) = result, isLate { return .failure(.noAnswer(within: timeout)) }
                return result
            }
            return .failure(.cancelled)
        }
    }

    private func attempt(_ exchange: Exchange, _ route: Route) async -> Result<PostAnswer, PostFailure> {
        var result: Result<PostAnswer, PostFailure> = .failure(.cannotConnect)
        do {
            for tried in 0... {
                guard let loan = try await route(tried) else { break }
                defer { loan.end() }
                result = await attempt(exchange, loan.client)
                guard case .failure(.cannotConnect) = result else { break }
            }
            return result
        } catch {
            return .failure(PostFailure(error, timeout: timeout))
        }
    }

    /// A pool learns a moment late that a connection was closed. What it then sends into that never left this machine,
    /// and goes into the next connection at once.
    private func attempt(_ exchange: Exchange, _ client: HTTPClient) async -> Result<PostAnswer, PostFailure> {
        for _ in 1..<Self.staleConnectionsMax {
            let result = await run(exchange, client)
            guard case .failure(.staleConnection) = result else { return result }
        }
        return await run(exchange, client)
    }

    private func run(_ exchange: Exchange, _ client: HTTPClient) async -> Result<PostAnswer, PostFailure> {
        do {
            let response = try await client.execute(exchange.request, deadline: .now() + TimeAmount(timeout))
            let (body, isComplete) = await read(response.body, atMost: exchange.bytesMax)
            return .success(
                PostAnswer(
                    status: Int(response.status.code), isHTTP2: response.version.major == 2,
                    retryAfter: RetryAfter.parse(response.headers["retry-after"]), headers: response.headers,
                    body: body,
                    isComplete: isComplete))
        } catch {
            let failure = PostFailure(error, timeout: timeout)
            // The client calls cancelled, too, what it gave to a connection that was just being closed.
            return .failure(failure == .cancelled && !Task.isCancelled ? .staleConnection : failure)
        }
    }

    private func read(_ body: HTTPClientResponse.Body, atMost bytesMax: Int) async -> (bytes: [UInt8], isComplete: Bool)
    {
        var bytes: [UInt8] = []
        do {
            for try await part in body {
                bytes += part.readableBytesView.prefix(bytesMax - bytes.count)
                if bytes.count == bytesMax { break }
            }
            return (bytes, true)
        } catch {
            // The status is known, and often it says enough. Whoever needs the body looks at `isComplete`.
            return (bytes, false)
        }
    }
}
