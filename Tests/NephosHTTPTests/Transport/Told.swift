import Synchronization

/// What callbacks told, in order: all of it, and one after the other for who waits.
final class Told<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])
    private let channel = AsyncStream<Value>.makeStream()

    var all: [Value] { values.withLock { $0 } }

    func tell(_ value: Value) {
        values.withLock { $0.append(value) }
        channel.continuation.yield(value)
    }

    /// The next value that nobody has waited for yet. One waits at a time.
    func next() async -> Value? {
        for await value in channel.stream { return value }
        return nil
    }
}
