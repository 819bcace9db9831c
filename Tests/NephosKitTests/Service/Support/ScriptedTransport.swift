import Foundation
import NephosTesting

@testable import NephosKit
@testable import NephosTransport

/// Answers requests from a script, and records them. Nothing leaves the process.
final class ScriptedTransport: Transport {
    typealias Script = @Sendable (TransportRequest) async -> Result<TransportAnswer, TransportFault>

    private let script: Script
    private let seen = LockedBox<[TransportRequest]>([])

    init(_ script: @escaping Script) { self.script = script }

    /// Returns the signed-in user, and passes all other requests to the script.
    static func signedIn(_ script: @escaping Script) -> ScriptedTransport {
        ScriptedTransport { request in
            if request.path == "users/caller" { return .json(#"{"userRecordName":"_me"}"#) }
            return await script(request)
        }
    }

    /// All requests, in order.
    var requests: [TransportRequest] { seen.value }
    func requests(_ path: String) -> [TransportRequest] { requests.filter { $0.path == path } }

    func send(_ request: TransportRequest) async throws(TransportFault) -> TransportAnswer {
        seen.withLock { $0.append(request) }
        return try await script(request).get()
    }
}

/// Blocks until the task is cancelled. - Throws: The cancellation.
@Sendable
func untilCancelled() async throws {
    let (nothing, source) = AsyncStream<Void>.makeStream()
    for await _ in nothing {}
    withExtendedLifetime(source) {}
    try Task.checkCancellation()
}

extension TransportRequest {
    /// Entity and action: `records/modify`.
    var path: String { url.path.split(separator: "/").suffix(2).joined(separator: "/") }

    /// The value of a query parameter, decoded.
    func parameter(_ name: String) -> String? {
        URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems?.first { $0.name == name }?.value
    }

    var bytes: Data { if case .bytes(let bytes) = body { bytes } else { Data() } }
}

extension Result where Success == TransportAnswer, Failure == TransportFault {
    static func answer(_ status: Int, _ body: some Collection<UInt8>, _ headers: [String: String] = [:]) -> Self {
        .success(TransportAnswer(status: status, headers: headers, body: Data(body)))
    }

    static func json(_ body: String, status: Int = 200, _ headers: [String: String] = [:]) -> Self {
        answer(status, body.utf8, headers)
    }

    static func fault(_ kind: TransportFault.Kind) -> Self {
        .failure(TransportFault(kind: kind, message: "the test says so"))
    }
}

extension CKContainer {
    /// A container with a signed-in user. Its server has one endpoint, and always gives the same response.
    static func answering(_ path: String, _ answer: JSON) -> CKContainer {
        let text = answer.description
        return .test(ScriptedTransport.signedIn { $0.path == path ? .json(text) : .answer(404, []) })
    }

    /// A separate container that uses `transport`.
    static func test(
        _ transport: any Transport,
        _ configuration: NephosConfiguration = .test,
        credentials: CredentialsFile? = nil, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        pause: @escaping @Sendable (Double) async throws -> Void = { _ in },
        countdown: @escaping @Sendable (Double) async throws -> Void = { _ in try await untilCancelled() }
    ) -> CKContainer {
        let service = Service(
            container: "iCloud.org.example.Test", configuration: .success(configuration), transport: transport,
            credentials: credentials, pause: pause, now: now, countdown: countdown)
        return CKContainer(ContainerCore(service), OperationDefaults())
    }
}

extension NephosConfiguration {
    /// A signed-in user on a server to which nothing is sent.
    static var test: NephosConfiguration {
        NephosConfiguration(
            serverURL: URL(string: "http://cloud.test"), apiToken: "api", webAuthToken: "first",
            cacheFolder: FileManager.default.temporaryDirectory.appendingPathComponent("nephos-test-cache"))
    }
}

extension CKDatabase {
    /// The private database of ``CKContainer/answering(_:_:)``.
    static func answering(_ path: String, _ answer: JSON) -> CKDatabase {
        CKContainer.answering(path, answer).privateCloudDatabase
    }
}
