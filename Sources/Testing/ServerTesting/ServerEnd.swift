import NephosTesting
import Synchronization

/// Ends a server in this process once: closes its store, and searches what it leaves behind for secrets.
final class ServerEnd: Sendable {
    private let body: Mutex<(@Sendable () async -> Void)?>

    /// - Parameter body: Ends the server and closes its store.
    init(_ log: TestLog, port: Int, _ command: NephosCommand, _ body: @escaping @Sendable () async -> Void) {
        self.body = Mutex {
            await body()
            IssuedSecrets.look(log: log.text, port: port, store: command.store, data: command.data)
        }
    }

    private func take() -> (@Sendable () async -> Void)? {
        body.withLock { body in
            defer { body = nil }
            return body
        }
    }

    /// Blocks until the server has ended. Call it on ``OwnThreads``.
    func wait() {
        if let body = take() { blocking(body) }
    }

    /// Begins without waiting: the last reference may be released on a thread that the server's tasks need.
    func begin() {
        if let body = take() { Task { await body() } }
    }
}
