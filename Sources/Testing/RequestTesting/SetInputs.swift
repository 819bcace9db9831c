package import NephosRunner
package import NephosStorage
import NephosTesting
import Synchronization

/// The time and the randomness of a ``SmallCloud``: the time stands still until it is set, and a seed determines the random values.
package final class SetInputs: Sendable {
    private struct State {
        var now: Milliseconds
        var generator: SeededGenerator
    }

    private let state: Mutex<State>

    init(now: Milliseconds, seed: UInt64) {
        state = Mutex(State(now: now, generator: SeededGenerator(seed: seed)))
    }

    /// Milliseconds since 1970.
    package var now: Milliseconds {
        get { state.withLock { $0.now } }
        set { state.withLock { $0.now = newValue } }
    }

    /// Reseeds the random generator.
    package func begin(seed: UInt64) { state.withLock { $0.generator = SeededGenerator(seed: seed) } }

    var clock: @Sendable () -> Milliseconds { { self.now } }

    /// For IDs created by requests.
    var randomSource: RandomSource {
        RandomSource(newID: { RequestID(high: self.next(), low: self.next()) }, bits: { self.next() })
    }

    /// For values created by an operator.
    package var ofOperator: Inputs {
        Inputs(
            now: clock,
            randomBytes: { count in
                self.state.withLock { state in
                    (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &state.generator) }
                }
            })
    }

    private func next() -> UInt64 { state.withLock { $0.generator.next() } }
}
