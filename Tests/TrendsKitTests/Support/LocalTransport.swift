import Foundation
import NephosTesting
import NephosTransport

/// Sends the requests of the client library to a server inside this process, and stores them.
final class LocalTransport: Transport {
    /// Called with each request before it is sent; an error that it throws becomes the request's result.
    typealias Watch = @Sendable (TransportRequest) async throws(TransportFault) -> Void

    private static let threads = OwnThreads(count: 8)
    private let port: Int
    private let seen = LockedBox<[Exchange]>([])
    private let watch = LockedBox<Watch?>(nil)

    /// A request with its response.
    struct Exchange: Sendable {
        /// The part after the database: `records/query`.
        let path: String
        let body: String
        let answer: String
    }

    init(port: Int) { self.port = port }

    var exchanges: [Exchange] { seen.value }

    func exchanges(_ path: String) -> [Exchange] { exchanges.filter { $0.path == path } }

    func forget() { seen.withLock { $0 = [] } }

    func onRequest(_ body: Watch?) { watch.withLock { $0 = body } }

    func send(_ request: TransportRequest) async throws(TransportFault) -> TransportAnswer {
        if let watch = watch.value { try await watch(request) }
        let response = await exchange(request)
        guard case .success(let response) = response else {
            throw TransportFault(kind: .unreachable, message: "the server is not there")
        }
        let answer = String(decoding: response.body, as: UTF8.self)
        seen.withLock { $0.append(Exchange(path: request.path, body: request.text, answer: answer)) }
        return TransportAnswer(
            status: response.status,
            headers: Dictionary(response.headers.map { ($0.name.lowercased(), $0.value) }) { first, _ in first },
            body: Data(response.body))
    }

    private func exchange(_ request: TransportRequest) async -> Result<HTTPResponse, any Error> {
        let parts = URLComponents(url: request.url, resolvingAgainstBaseURL: false)
        let query = (parts?.percentEncodedQuery).map { "?\($0)" } ?? ""
        let asked = HTTPRequest(
            request.method, (parts?.percentEncodedPath ?? "/") + query,
            headers: request.headers.map { HTTPHeader($0.key, $0.value) }, body: Array(request.text.utf8))
        return await withCheckedContinuation { continuation in
            Self.threads.add { [port] in
                continuation.resume(returning: Result { try HTTPConnection(port: port).exchange(asked) })
            }
        }
    }
}

extension TransportRequest {
    var text: String { if case .bytes(let bytes) = body { String(decoding: bytes, as: UTF8.self) } else { "" } }
    /// Its last two components.
    var path: String { url.pathComponents.suffix(2).joined(separator: "/") }
}
