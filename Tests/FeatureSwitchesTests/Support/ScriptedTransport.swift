import Foundation
import NephosTesting
import NephosTransport

/// Answers requests from a script, and records them. Nothing leaves the process.
final class ScriptedTransport: Transport {
    typealias Script = @Sendable (TransportRequest) async -> Result<TransportAnswer, TransportFault>

    private let script: Script
    private let seen = LockedBox<[TransportRequest]>([])

    init(_ script: @escaping Script) { self.script = script }

    var requests: [TransportRequest] { seen.value }

    func send(_ request: TransportRequest) async throws(TransportFault) -> TransportAnswer {
        seen.withLock { $0.append(request) }
        return try await script(request).get()
    }
}

extension TransportRequest {
    var text: String { if case .bytes(let bytes) = body { String(decoding: bytes, as: UTF8.self) } else { "" } }
}

extension Result where Success == TransportAnswer, Failure == TransportFault {
    static func answer(_ status: Int, _ body: String, _ headers: [String: String] = [:]) -> Self {
        .success(TransportAnswer(status: status, headers: headers, body: Data(body.utf8)))
    }
}
