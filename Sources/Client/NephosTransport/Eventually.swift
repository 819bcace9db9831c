import Foundation

/// A value that is set once. One task can wait for it, before or after it is set.
package final class Eventually<Value: Sendable>: Sendable {
    private enum State {
        case nothing
        case waiting(CheckedContinuation<Value, Never>)
        case there(Value)
    }

    private let state = Locked(State.nothing)

    package init() {}

    /// Sets the value. Only the first one counts; later ones are ignored.
    package func set(_ value: Value) {
        let waiting: CheckedContinuation<Value, Never>? = state.withLock { state in
            switch state {
            case .nothing:
                state = .there(value)
                return nil
            case .waiting(let continuation):
                state = .there(value)
                return continuation
            case .there: return nil
            }
        }
        waiting?.resume(returning: value)
    }

    package func wait() async -> Value {
        await withCheckedContinuation { continuation in
            let value: Value? = state.withLock { state in
                if case .there(let value) = state { return value }
                state = .waiting(continuation)
                return nil
            }
            if let value { continuation.resume(returning: value) }
        }
    }
}
