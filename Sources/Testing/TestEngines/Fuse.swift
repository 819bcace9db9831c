package import NephosStorage
import Synchronization

/// Ends a process at one of its steps: no call to the store succeeds from then on.
package final class Fuse: Sendable {
    /// Whether the step at which the process dies is executed: either its result is lost, or the step itself.
    package enum CrashPoint: String, Sendable, CaseIterable { case before, after }

    private struct State {
        var steps = 0
        var isBlown = false
    }

    private let last: Int
    private let blow: CrashPoint
    private let state = Mutex(State())

    /// - Parameter last: The step at which the process dies, counted from 1.
    package init(at last: Int, _ blow: CrashPoint) {
        self.last = last
        self.blow = blow
    }

    package var isBlown: Bool { state.withLock(\.isBlown) }

    /// Whether the next step may be executed, and whether it is the last one.
    private func next() -> (mayRun: Bool, isLast: Bool) {
        state.withLock { state in
            if state.isBlown { return (false, false) }
            state.steps += 1
            guard state.steps == last else { return (true, false) }
            state.isBlown = true
            return (blow == .after, true)
        }
    }

    /// Executes a step. - Throws: ``StorageError/closed`` if the process is dead.
    package func step<Answer>(_ body: () throws(StorageError) -> Answer) throws(StorageError) -> Answer {
        let (mayRun, isLast) = next()
        guard mayRun else { throw .closed }
        let answer = try body()
        if isLast { throw .closed }
        return answer
    }

    /// Executes a step with a completion handler.
    package func step<Answer>(
        completion: @escaping @Sendable (Result<Answer, any Error>) -> Void,
        _ body: (@escaping @Sendable (Result<Answer, any Error>) -> Void) -> Void
    ) {
        let (mayRun, isLast) = next()
        guard mayRun else { return completion(.failure(StorageError.closed)) }
        body { completion(isLast ? .failure(StorageError.closed) : $0) }
    }
}
