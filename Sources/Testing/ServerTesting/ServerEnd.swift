import NephosTesting
import Synchronization

/// The end of a server in this process, which comes once: its store is closed, and what it leaves behind looked through for
/// secrets.
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

    /// Waits for it. For ``OwnThreads``.
    func wait() {
        if let body = take() { blocking(body) }
    }

    /// Begins it and does not wait: whoever lets go of a server may be on a thread that its tasks need.
    func begin() {
        if let body = take() { Task { await body() } }
    }
}
