import Foundation
import NephosRunner
import NephosTesting
package import NephosTransport
package import RequestTesting

/// Passes the requests of a kit to a server in this process, and records them.
package final class CloudTransport: Transport {
    private static let threads = OwnThreads(count: 4)
    private let cloud: SmallCloud
    private let seen = LockedBox<[TransportRequest]>([])
    private let isDown = LockedBox(false)

    package init(_ cloud: SmallCloud) { self.cloud = cloud }

    /// The recorded requests: the path without everything before the type or the endpoint, and the status of the response.
    private let answers = LockedBox<[(path: String, status: Int)]>([])

    package var requests: [TransportRequest] { seen.value }
    package var paths: [String] { answers.value.map { "\($0.path) \($0.status)" } }

    package func forget() {
        seen.withLock { $0 = [] }
        answers.withLock { $0 = [] }
    }

    /// Makes the server unreachable from now on.
    package func setDown(_ isSo: Bool) { isDown.withLock { $0 = isSo } }

    package func send(_ request: TransportRequest) async throws(TransportFault) -> TransportAnswer {
        seen.withLock { $0.append(request) }
        if isDown.value { throw TransportFault(kind: .unreachable, message: "nobody answers") }
        let response: Result<HTTPResponse, any Error> = await withCheckedContinuation { continuation in
            Self.threads.add { [self] in continuation.resume(returning: Result { try exchange(request) }) }
        }
        guard case .success(let response) = response else {
            throw TransportFault(kind: .lost, message: "\(response)")
        }
        answers.withLock { $0.append((request.shortPath, response.status)) }
        return try deliver(response, request)
    }

    private func exchange(_ request: TransportRequest) throws -> HTTPResponse {
        let parts = URLComponents(url: request.url, resolvingAgainstBaseURL: false)
        let query = (parts?.percentEncodedQuery).map { "?\($0)" } ?? ""
        let raw = cloud.request(
            request.method, (parts?.percentEncodedPath ?? "/") + query,
            headers: request.headers.map { ($0.key, $0.value) }, body: try request.bytes, as: .stranger)
        let exchange = cloud.begin(raw) { _, _ in }
        var response = try exchange.head()
        while let piece = try exchange.piece() { response.body += piece }
        return response
    }

    /// Delivers the body to the destination given in the request.
    private func deliver(
        _ response: HTTPResponse, _ request: TransportRequest
    ) throws(TransportFault) -> TransportAnswer {
        let headers = Dictionary(response.headers.map { ($0.name.lowercased(), $0.value) }) { first, _ in first }
        var answer = TransportAnswer(status: response.status, headers: headers, body: Data(response.body))
        switch request.sink {
        case .memory(let limit) where response.body.count > limit:
            throw TransportFault(kind: .unusable, message: "an answer of more than \(limit) bytes")
        case .file(let url, let limit) where response.status == 200:
            guard response.body.count <= limit else {
                throw TransportFault(kind: .unusable, message: "a file of more than \(limit) bytes")
            }
            do { try answer.body.write(to: url, options: .withoutOverwriting) } catch {
                throw TransportFault(kind: .local, message: "\(error)")
            }
            answer.body = Data()
        default: break
        }
        return answer
    }
}

extension TransportRequest {
    package var bytes: [UInt8] {
        get throws {
            switch body {
            case .none: []
            case .bytes(let bytes): [UInt8](bytes)
            case .file(let url): [UInt8](try Data(contentsOf: url))
            }
        }
    }

    /// `pick`, `records/lookup`, `asset`.
    var shortPath: String {
        let parts = url.pathComponents
        if parts.contains("asset") { return "asset" }
        return parts.contains("content") ? parts.last ?? "" : parts.suffix(2).joined(separator: "/")
    }
}
