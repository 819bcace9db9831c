import CLibPQ
import Dispatch
import NephosStorage
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Receives notifications of other processes, on its own connection and thread. While it is not connected, notifications are
/// lost without an error: news are hints.
final class NewsConnection: Sendable {
    private let target: ConnectionTarget
    private let onNotification: @Sendable (String) -> Void
    private let isClosed = Atomic<Bool>(false)
    /// How long it listens before it checks whether it was closed.
    private static let checkIntervalMilliseconds: Int32 = 500

    init(_ target: ConnectionTarget, onNotification: @escaping @Sendable (String) -> Void) {
        self.target = target
        self.onNotification = onNotification
        DispatchQueue(label: "nephos.postgres.news").async { self.run() }
    }

    func close() { isClosed.store(true, ordering: .relaxed) }

    private func run() {
        while !isClosed.load(ordering: .relaxed) {
            listen()
            if !isClosed.load(ordering: .relaxed) { sleep(1) }
        }
    }

    /// Listens until the connection is lost or closed.
    private func listen() {
        guard let raw = target.connect() else { return }
        defer { PQfinish(raw) }
        guard PQstatus(raw) == CONNECTION_OK, let answer = PQexec(raw, "LISTEN \(target.channel)") else { return }
        defer { PQclear(answer) }
        guard PQresultStatus(answer) == PGRES_COMMAND_OK else { return }
        while !isClosed.load(ordering: .relaxed) {
            var socket = pollfd(fd: PQsocket(raw), events: Int16(POLLIN), revents: 0)
            let ready = poll(&socket, 1, Self.checkIntervalMilliseconds)
            if ready < 0, errno != EINTR { return }
            guard ready > 0 else { continue }
            guard PQconsumeInput(raw) == 1 else { return }
            while let notification = PQnotifies(raw) {
                onNotification(String(cString: notification.pointee.extra))
                PQfreemem(notification)
            }
        }
    }
}

extension ConnectionTarget {
    /// The channel on which the processes of one store notify each other, as an SQL identifier.
    var channel: String { #""nephos_\#(schema)""# }
    /// The same as text.
    var channelName: String { "nephos_\(schema)" }
}
