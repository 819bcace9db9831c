import NIOCore
import NephosRunner

/// The connections of one event loop. Used only on that loop.
///
/// Deadlines are checked by one sweep per second over all connections instead of a scheduled task for each request: a request
/// then costs one store instruction, and an idle server no wake-ups.
final class ConnectionLoop {
    private(set) var encoder = AnswerEncoder()
    private let eventLoop: any EventLoop
    private let sweepEvery: TimeAmount
    private var connections: [ObjectIdentifier: Connection] = [:]
    private var sweeps: RepeatedTask?

    init(_ eventLoop: any EventLoop, sweepEvery: TimeAmount) {
        self.eventLoop = eventLoop
        self.sweepEvery = sweepEvery
    }

    func add(_ connection: Connection) {
        connections[ObjectIdentifier(connection)] = connection
        guard sweeps == nil else { return }
        encoder.tick(milliseconds: WallClock.now())
        let loop = NIOLoopBound(self, eventLoop: eventLoop)
        sweeps = eventLoop.scheduleRepeatedTask(initialDelay: sweepEvery, delay: sweepEvery) { _ in
            loop.value.sweep()
        }
    }

    func remove(_ connection: Connection) {
        connections[ObjectIdentifier(connection)] = nil
        guard connections.isEmpty else { return }
        sweeps?.cancel()
        sweeps = nil
    }

    private func sweep() {
        encoder.tick(milliseconds: WallClock.now())
        let now = NIODeadline.now()
        // A copy, because a check may close and so remove a connection.
        for connection in Array(connections.values) { connection.check(at: now) }
    }
}
