import Logging
import NIOCore
import NIOPosix
import NephosHTTP
import NephosNetwork
import NephosRunner
import NephosTesting
import ServiceLifecycle
import Synchronization
import Testing

/// Answers with a closure.
struct ClosureResponder: Responder {
    let body: @Sendable (RawRequest) -> Work
    init(_ body: @escaping @Sendable (RawRequest) -> Work) { self.body = body }
    func respond(to request: RawRequest) -> Work { body(request) }

    /// Returns the body.
    static let echo = ClosureResponder { .answer(RawResponse(body: $0.body, endpoint: "echo")) }
    /// Returns the method, target and length of the body.
    static let mirror = ClosureResponder { request in
        .answer(RawResponse(body: Array("\(request.method) \(request.target) \(request.body.count)".utf8)))
    }
}

/// Records the notifications of the transport.
final class RecordingObserver: TransportObserver {
    private let told = Mutex<(exchanges: [Exchange], failures: [String: String])>(([], [:]))

    var exchanges: [Exchange] { told.withLock { $0.exchanges } }
    /// Error messages by request ID.
    var failures: [String: String] { told.withLock { $0.failures } }

    func answered(_ exchange: Exchange) { told.withLock { $0.exchanges.append(exchange) } }
    func failed(_ error: any Error, id: RequestID) { told.withLock { $0.failures[id.text] = "\(error)" } }
}

/// Keeps requests pending until the test determines their results.
final class HeldWork: Responder {
    private typealias Done = @Sendable (Work) -> Void
    private let held = Mutex<[Done]>([])
    private let arrivals = AsyncStream<RawRequest>.makeStream()

    func respond(to request: RawRequest) -> Work {
        .later { done in
            self.held.withLock { $0.append(done) }
            self.arrivals.continuation.yield(request)
        }
    }

    /// The next arrived request.
    func arrival() async -> RawRequest? {
        for await request in arrivals.stream { return request }
        return nil
    }

    /// Completes the request that arrived first, on the test's thread.
    func finishFirst(_ text: String) {
        let done = held.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        done?(.answer(RawResponse(body: Array(text.utf8))))
    }
}

/// A running transport, with real sockets.
struct TestServer: Sendable {
    let port: Int
    let transport: Transport
    let observer: RecordingObserver
    /// Begins the graceful shutdown, like SIGTERM.
    let stop: @Sendable () async -> Void

    func client(receiveBuffer: Int32? = nil) async throws -> RawClient {
        try await RawClient(port: port, receiveBuffer: receiveBuffer)
    }
}

/// In milliseconds: far beyond the time that a busy machine takes.
let patience = Int64(2_000 * Patience.seconds)

/// Limits for tests: sweeps are frequent enough for short timeouts, and only timeouts set by a test are short.
func testLimits(_ change: (inout HTTPLimits) -> Void = { _ in }) -> HTTPLimits {
    var limits = HTTPLimits()
    (limits.headersMilliseconds, limits.bodyMilliseconds, limits.requestMilliseconds) = (patience, patience, patience)
    (limits.stalledReadMilliseconds, limits.stalledWriteMilliseconds) = (patience, patience)
    (limits.speedGraceMilliseconds, limits.idleMilliseconds) = (patience, patience)
    limits.sweepMilliseconds = 5
    limits.lingerMilliseconds = 200
    change(&limits)
    return limits
}

/// Runs `body` with a server, stops it, and checks that it counts no bytes and no connections any more.
///
/// On threads that other tests cannot occupy, because much here is timed.
///
/// - Returns: The transport's notifications in that time.
@discardableResult
func withServer(
    _ responder: any Responder = ClosureResponder.mirror, limits: HTTPLimits = testLimits(),
    clients: ClientRules = ClientRules(), port: Int = 0, _ body: @Sendable (TestServer) async throws -> Void
) async throws -> RecordingObserver {
    try await withTaskExecutorPreference(OwnThreads.ofTests) {
        try await serve(responder, limits, clients, port, body)
    }
}

private func serve(
    _ responder: any Responder, _ limits: HTTPLimits, _ clients: ClientRules, _ port: Int,
    _ body: @Sendable (TestServer) async throws -> Void
) async throws -> RecordingObserver {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let threads = NIOThreadPool(numberOfThreads: 2)
    threads.start()
    let observer = RecordingObserver()
    let transport = Transport(
        limits: limits, responder: responder, observer: observer, threads: threads, group: group,
        clients: clients)
    let ports = AsyncStream<Int>.makeStream()
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let listener = Listener(
        at: HostAndPort(host: "127.0.0.1", port: port), transport: transport, group: group, logger: logger,
        onListening: { ports.continuation.yield($0) })
    let services = ServiceGroup(configuration: ServiceGroupConfiguration(services: [listener], logger: logger))
    try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask { try await services.run() }
        for await port in ports.stream {
            try await body(
                TestServer(
                    port: port, transport: transport, observer: observer,
                    stop: { await services.triggerGracefulShutdown() }))
            break
        }
        await services.triggerGracefulShutdown()
        try await tasks.waitForAll()
    }
    #expect(transport.budget.bytes == 0, "bytes are still counted")
    #expect(transport.connections == 0, "connections are still counted")
    #expect(transport.countedClients == 0, "clients are still counted")
    try await threads.shutdownGracefully()
    try await group.shutdownGracefully()
    return observer
}
