import NephosStorage
import Synchronization

/// Whether the database can be reached, as requests and background work find out. It is told when that changes, and not
/// once for each of them.
package final class StorageOutage: Sendable {
    package enum Event: Sendable, Equatable {
        /// What the engine says. It is for the log, never for a client.
        case began(String)
        case ended(after: Duration)
    }

    private struct State {
        var listener: @Sendable (Event) -> Void = { _ in }
        var since: ContinuousClock.Instant?
        var isTold = false
        var lastTold: ContinuousClock.Instant?
    }

    /// A connection that breaks again and again is told this often at most.
    static let tellEvery = Duration.seconds(10)

    private let isOut = Atomic<Bool>(false)
    private let state = Mutex(State())

    package init() {}

    /// Has `listener` called with every change from now on. It must not wait.
    package func listen(_ listener: @escaping @Sendable (Event) -> Void) {
        state.withLock { $0.listener = listener }
    }

    /// Something failed because the database cannot be reached.
    package func noteFailure(_ text: String) { noteFailure(text, at: .now) }

    func noteFailure(_ text: String, at now: ContinuousClock.Instant) {
        let listener = state.withLock { state -> (@Sendable (Event) -> Void)? in
            isOut.store(true, ordering: .relaxed)
            if state.since == nil { (state.since, state.isTold) = (now, false) }
            if state.isTold { return nil }
            if let last = state.lastTold, now - last < Self.tellEvery { return nil }
            (state.isTold, state.lastTold) = (true, now)
            return state.listener
        }
        listener?(.began(text))
    }

    /// Something succeeded. Costs next to nothing as long as all goes well.
    package func noteSuccess() { noteSuccess(at: .now) }

    func noteSuccess(at now: @autoclosure () -> ContinuousClock.Instant) {
        guard isOut.load(ordering: .relaxed) else { return }
        let now = now()
        let told = state.withLock { state -> (listener: @Sendable (Event) -> Void, length: Duration)? in
            isOut.store(false, ordering: .relaxed)
            defer { state.since = nil }
            guard let since = state.since, state.isTold else { return nil }
            return (state.listener, now - since)
        }
        if let told { told.listener(.ended(after: told.length)) }
    }

    /// Does what asks the storage, and notes how that ends.
    package func watching<Answer>(_ body: () throws -> Answer) throws -> Answer {
        do {
            let answer = try body()
            noteSuccess()
            return answer
        } catch StorageError.unavailable(let text) {
            noteFailure(text)
            throw StorageError.unavailable(text)
        }
    }
}
