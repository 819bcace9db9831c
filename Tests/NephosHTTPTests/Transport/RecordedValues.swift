import Synchronization

/// The values passed to callbacks, in order: all of them, and one after the other for callers that wait.
final class RecordedValues<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])
    private let channel = AsyncStream<Value>.makeStream()

    var all: [Value] { values.withLock { $0 } }

    func record(_ value: Value) {
        values.withLock { $0.append(value) }
        channel.continuation.yield(value)
    }

    /// The next value that was not returned yet. Only one caller may wait at a time.
    func next() async -> Value? {
        for await value in channel.stream { return value }
        return nil
    }
}
