import NIOCore
import NIOHTTP1
import NIOPosix
import NephosHTTP
import NephosRunner
import Synchronization

/// Passes the bodies of requests for `/up…` to the test, piece by piece; `/plain` is answered immediately, `/stuck` never.
final class OwnedBodies: Responder {
    let arrivals = RecordedValues<BodyReader>()
    let bytesMax: Int64

    init(bytesMax: Int64 = 1 << 40) { self.bytesMax = bytesMax }

    func bodyMode(of head: RawRequest, bodyBytes: Int?) -> RequestBodyMode {
        guard head.target.hasPrefix("/up") else { return .whole }
        return .pieces(bytesMax: bytesMax) { self.arrivals.record($0) }
    }

    func respond(to request: RawRequest) -> Work {
        request.target == "/stuck" ? .later { _ in } : .answer(RawResponse(body: Array("plain".utf8)))
    }
}

extension BodyReader {
    /// The next piece.
    func next() async -> BodyPiece {
        await withCheckedContinuation { continuation in next { continuation.resume(returning: $0) } }
    }

    /// The bytes of the next piece, empty at the end.
    func nextBytes() async throws -> [UInt8] {
        switch await next() {
        case .bytes(let bytes): bytes.withBytes { Array($0) }
        case .end: []
        case .broken(let ending): throw ending
        }
    }

    /// Everything up to the end.
    func rest() async throws -> [UInt8] {
        var all: [UInt8] = []
        while true {
            let bytes = try await nextBytes()
            if bytes.isEmpty { return all }
            all += bytes
        }
    }

    /// How the body is aborted, after anything that still arrives; nil if it is not.
    func ending() async -> Ending? {
        while true {
            switch await next() {
            case .bytes: break
            case .end: return nil
            case .broken(let ending): return ending
            }
        }
    }

    func answer(_ text: String, status: Int = 200) {
        answer(.answer(RawResponse(status: status, body: Array(text.utf8))))
    }
}

/// Checks bodies against ``Pattern`` on a pool, and responds with the number of received bytes.
final class PatternTaker: Responder {
    private struct State {
        var bytes = 0
        var mostCounted = 0
    }

    let threads: NIOThreadPool
    let endings = RecordedValues<String>()
    private let state = Mutex(State())
    private let budget = Mutex<BodyBudget?>(nil)

    init(threads: NIOThreadPool) { self.threads = threads }

    /// The maximum of the budget's count when a piece was consumed.
    var mostCounted: Int { state.withLock { $0.mostCounted } }

    func watch(_ budget: BodyBudget) { self.budget.withLock { $0 = budget } }

    func bodyMode(of head: RawRequest, bodyBytes: Int?) -> RequestBodyMode {
        .pieces(bytesMax: 1 << 40) { reader in
            self.state.withLock { $0.bytes = 0 }
            reader.forEach(on: self.threads, consume: self.consume) { result in
                self.endings.record("\(result)")
                let bytes = self.state.withLock { $0.bytes }
                return .blocking { .answer(RawResponse(body: Array("\(bytes)".utf8))) }
            }
        }
    }

    func respond(to request: RawRequest) -> Work { .answer(RawResponse(body: Array("plain".utf8))) }

    struct Different: Error {}

    private func consume(_ bytes: any RequestBytes) throws {
        let counted = budget.withLock { $0?.bytes ?? 0 }
        let at = state.withLock { state in
            defer { state.bytes += bytes.withBytes { $0.count } }
            state.mostCounted = max(state.mostCounted, counted)
            return state.bytes
        }
        guard bytes.withBytes({ Pattern.matches($0, at: at) }) else { throw Different() }
    }
}

/// Runs `body` with a started pool.
func withThreads(_ body: (NIOThreadPool) async throws -> Void) async throws {
    let threads = NIOThreadPool(numberOfThreads: 2)
    threads.start()
    try await body(threads)
    try await threads.shutdownGracefully()
}
