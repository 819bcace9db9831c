import Foundation
import NephosTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends bodies over one connection, and parses only the change token of a feed in the responses.
final class SocketLoop {
    private let cloud: BenchCloud
    private let client: CloudKitClient
    private(set) var received = 0

    init(_ cloud: BenchCloud) {
        self.cloud = cloud
        client = cloud.client
    }

    func post(_ endpoint: String, _ bodies: [[UInt8]]) throws {
        for body in bodies { _ = try send(endpoint, body) }
    }

    func follow(_ zone: String) throws {
        received = 0
        var body = FeedRequest.body(zone, nil)
        while true {
            let answer = try send("changes/zone", body)
            received += answer.count
            guard let token = FeedRequest.next(answer) else { return }
            body = FeedRequest.body(zone, token)
        }
    }

    private func send(_ endpoint: String, _ body: [UInt8]) throws -> [UInt8] {
        let answer = try client.send("POST", client.path(endpoint, .private), body: body)
        guard answer.status == 200 else { throw Wrk.Failure(description: "\(endpoint): \(answer.status)") }
        return answer.body
    }
}

/// The same with Foundation's `URLSession`, as in programs without a library.
final class URLSessionLoop: @unchecked Sendable {
    private let cloud: BenchCloud
    private let session = URLSession(configuration: .ephemeral)

    init(_ cloud: BenchCloud) { self.cloud = cloud }

    func post(_ endpoint: String, _ bodies: [[UInt8]]) async throws {
        for body in bodies { _ = try await send(endpoint, body) }
    }

    func follow(_ zone: String) async throws {
        var body = FeedRequest.body(zone, nil)
        while true {
            guard let token = FeedRequest.next(try await send("changes/zone", body)) else { return }
            body = FeedRequest.body(zone, token)
        }
    }

    private func send(_ endpoint: String, _ body: [UInt8]) async throws -> [UInt8] {
        guard let url = URL(string: "http://127.0.0.1:\(cloud.server.port)\(cloud.target(endpoint))") else {
            throw Wrk.Failure(description: "no address")
        }
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        let (data, response) = try await session.upload(for: request, from: Data(body))
        guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw Wrk.Failure(description: endpoint) }
        return Array(data)
    }
}

/// Requests for a feed, and the token at the end of its responses.
private enum FeedRequest {
    static func body(_ zone: String, _ token: String?) -> [UInt8] {
        let since = token.map { ",\"syncToken\":\"\($0)\"" } ?? ""
        return Array("{\"zones\":[{\"zoneID\":{\"zoneName\":\"\(zone)\"}\(since)}]}".utf8)
    }

    /// Nil if nothing more is coming.
    static func next(_ answer: [UInt8]) -> String? {
        let tail = String(decoding: answer.suffix(400), as: UTF8.self)
        guard tail.contains("\"moreComing\":true"), let start = tail.range(of: "\"syncToken\":\"") else { return nil }
        return String(tail[start.upperBound...].prefix { $0 != "\"" })
    }
}
