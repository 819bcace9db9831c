package import NephosNetwork
import Synchronization

/// Callers of whom nothing is known yet: neither their container, nor an API token or a key of it. Anybody on the internet can be
/// one, so the work for identifying them is limited, however many there are.
///
/// The first request to a container that is not open yet looks the same, and waits in the same queue.
package final class Strangers: Sendable {
    /// The maximum number of threads that wait for the storage for strangers.
    static let threadsMax = 2
    /// The maximum number of requests that wait for one of these threads; networks take turns (``FairQueue``).
    static let waitingMax = 1_000
    /// The maximum number of these from one network.
    static let waitingMaxOfNetwork = 125
    /// How long something that does not exist is assumed to be missing.
    static let missingFor = Duration.seconds(1)
    /// Above this count, all are forgotten and looked up again.
    private static let rememberedMax = 10_000

    private typealias Turn = @Sendable (Bool) -> Void

    private struct State {
        var running = 0
        var waiting = FairQueue<Turn>(most: waitingMax, mostOfNetwork: waitingMaxOfNetwork)
        /// Things that did not exist, by hash, and until when to assume that. A hash needs little memory however long a name is.
        var absent: [Int: ContinuousClock.Instant] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    // MARK: Threads

    /// Calls `turn` when there is a thread for this stranger, immediately or later: with true, after which ``leave()`` must be
    /// called once; with false if too many are waiting, in all or from this network, now or later.
    ///
    /// - Parameter network: Of the client; nil if it is not counted.
    package func enter(of network: ClientNetwork?, _ turn: @escaping @Sendable (Bool) -> Void) {
        let called = state.withLock { state -> (turn: Turn, isIn: Bool)? in
            if state.running < Self.threadsMax {
                state.running += 1
                return (turn, true)
            }
            switch state.waiting.append(turn, of: network) {
            case .added: return nil
            case .displaced(let other): return (other, false)
            case .refused: return (turn, false)
            }
        }
        if let called { called.turn(called.isIn) }
    }

    package func leave() {
        let next = state.withLock { state -> Turn? in
            if let next = state.waiting.popFirst() { return next }
            state.running -= 1
            return nil
        }
        next?(true)
    }

    // MARK: What is missing

    /// Whether this was looked up within the last second and not found.
    package func isKnownMissing(_ thing: some Hashable) -> Bool {
        let hash = thing.hashValue
        return state.withLock { state in
            guard let until = state.absent[hash] else { return false }
            if until > .now { return true }
            state.absent[hash] = nil
            return false
        }
    }

    package func note(missing thing: some Hashable) {
        let hash = thing.hashValue
        state.withLock { state in
            if state.absent.count >= Self.rememberedMax { state.absent = [:] }
            state.absent[hash] = .now + Self.missingFor
        }
    }
}
