import Logging
import NIOCore
import NIOPosix
import NephosHTTP
import NephosNetwork
import NephosRunner
import Synchronization
import Testing

/// A listener in its own task.
struct Listening: Sendable {
    let port: Int
    let cancel: @Sendable () -> Void
}

/// Runs a listener without a service group, cancels it, and rethrows its error.
///
/// - Parameter loops: The transport's event loops; nil for those of the listener, as required.
func withListening(
    _ responder: any Responder = ClosureResponder.mirror, port: Int = 0,
    transport loops: MultiThreadedEventLoopGroup? = nil, log: RecordedLog = RecordedLog(),
    _ body: @Sendable (Listening) async throws -> Void
) async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let threads = NIOThreadPool(numberOfThreads: 1)
    threads.start()
    let transport = Transport(
        limits: testLimits(), responder: responder, observer: RecordingObserver(), threads: threads,
        group: loops ?? group)
    let ports = AsyncStream<Int>.makeStream()
    let listener = Listener(
        at: HostAndPort(host: "127.0.0.1", port: port), transport: transport, group: group,
        logger: Logger(label: "test") { _ in log }, onListening: { ports.continuation.yield($0) })
    let running = Task {
        defer { ports.continuation.finish() }
        try await listener.run()
    }
    for await port in ports.stream {
        try await body(Listening(port: port, cancel: { running.cancel() }))
        running.cancel()
    }
    let result = await running.result
    #expect(transport.connections == 0, "connections are still counted")
    try await threads.shutdownGracefully()
    try await loops?.shutdownGracefully()
    try await group.shutdownGracefully()
    try result.get()
}

/// The log, by line.
final class RecordedLog: LogHandler {
    private let told = Mutex<[String]>([])

    var lines: [String] { told.withLock(\.self) }
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    var logLevel: Logger.Level {
        get { .info }
        set {}
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) {
        told.withLock { $0.append("\(event.level): \(event.message) \(event.metadata ?? [:])") }
    }
}
