import Synchronization

/// Those of whom nothing is known yet: neither their container, nor an API token or a key of it. Anybody on the internet can be
/// one, so that what is done to find out is bounded, however many there are.
///
/// The first request to a container that is not open yet looks the same, and waits in the same line.
package final class Strangers: Sendable {
    /// Threads that wait for the storage on behalf of strangers.
    static let threadsMax = 2
    /// Requests that wait for one of these threads.
    static let waitingMax = 1_000
    /// How long it is remembered that something is not there.
    static let memory = Duration.seconds(1)
    /// Past this many, all are forgotten and looked for again.
    private static let rememberedMax = 10_000

    private typealias Turn = @Sendable (Bool) -> Void

    private struct State {
        var running = 0
        var waiting = [Turn]()
        /// What was not there, by hash, and until when that is believed. A hash needs little memory however long a name is.
        var absent: [Int: ContinuousClock.Instant] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    // MARK: Threads

    /// Calls `turn` when there is a thread for this stranger, at once or later: with true, after which ``leave()`` must be
    /// called once; with false when too many wait.
    package func enter(_ turn: @escaping @Sendable (Bool) -> Void) {
        let answer = state.withLock { state -> Bool? in
            if state.running < Self.threadsMax {
                state.running += 1
                return true
            }
            guard state.waiting.count < Self.waitingMax else { return false }
            state.waiting.append(turn)
            return nil
        }
        if let answer { turn(answer) }
    }

    package func leave() {
        let next = state.withLock { state -> Turn? in
            if !state.waiting.isEmpty { return state.waiting.removeFirst() }
            state.running -= 1
            return nil
        }
        next?(true)
    }

    // MARK: Memory

    /// Whether this was looked for within the last second and not found.
    package func areKnownToLack(_ thing: some Hashable) -> Bool {
        let hash = thing.hashValue
        return state.withLock { state in
            guard let until = state.absent[hash] else { return false }
            if until > .now { return true }
            state.absent[hash] = nil
            return false
        }
    }

    package func note(lackOf thing: some Hashable) {
        let hash = thing.hashValue
        state.withLock { state in
            if state.absent.count >= Self.rememberedMax { state.absent = [:] }
            state.absent[hash] = .now + Self.memory
        }
    }
}
