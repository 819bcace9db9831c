import NephosStorage
import Synchronization

/// What keeps the storage from its work for a while, as requests and background work find out: that the database cannot
/// be reached, that the disk is full. It is told when that changes, and not once for each of them.
package final class StorageOutage: Sendable {
    package enum Event: Sendable, Equatable {
        /// What the engine says. It is for the log, never for a client.
        case began(String)
        case ended(after: Duration)
        /// The disk is full.
        case filled
        /// Something was saved again.
        case hasRoom(after: Duration)
    }

    private struct State {
        var listener: @Sendable (Event) -> Void = { _ in }
        var unreachable = Trouble()
        var full = Trouble()
    }

    /// What comes and goes again and again is told this often at most.
    static let tellEvery = Duration.seconds(10)

    /// Whether there is anything that a success would end.
    private let hasTrouble = Atomic<Bool>(false)
    private let state = Mutex(State())

    /// Something is out of order, as far as is known.
    var isOut: Bool { hasTrouble.load(ordering: .relaxed) }

    /// The disk is full, as far as is known: something could not be saved, and nothing was since.
    package var isFull: Bool { isOut && state.withLock { $0.full.isOn } }

    package init() {}

    /// Has `listener` called with every change from now on. It must not wait.
    package func listen(_ listener: @escaping @Sendable (Event) -> Void) {
        state.withLock { $0.listener = listener }
    }

    /// Something failed because the database cannot be reached.
    package func noteFailure(_ text: String, at now: ContinuousClock.Instant = .now) {
        tell { state in
            hasTrouble.store(true, ordering: .relaxed)
            return state.unreachable.begins(at: now) ? [.began(text)] : []
        }
    }

    /// Something could not be saved because the disk is full. So the database can be reached.
    package func noteFull(at now: ContinuousClock.Instant = .now) {
        tell { state in
            hasTrouble.store(true, ordering: .relaxed)
            let ended = state.unreachable.ends(at: now).map(Event.ended)
            return [ended, state.full.begins(at: now) ? .filled : nil].compactMap(\.self)
        }
    }

    /// Something succeeded. Costs next to nothing as long as all goes well.
    ///
    /// - Parameter saved: Whether something was saved, for which there must have been room.
    package func noteSuccess(saved: Bool = false, at now: @autoclosure () -> ContinuousClock.Instant = .now) {
        guard isOut else { return }
        let now = now()
        tell { state in
            let hasRoom = saved ? state.full.ends(at: now).map(Event.hasRoom) : nil
            hasTrouble.store(state.full.isOn, ordering: .relaxed)
            return [state.unreachable.ends(at: now).map(Event.ended), hasRoom].compactMap(\.self)
        }
    }

    /// Does what asks the storage, and notes how that ends.
    package func watching(_ body: () throws -> Void) throws {
        do { try body() } catch {
            note(error)
            throw error
        }
        noteSuccess()
    }

    /// Notes what `error` says of the storage, if it says anything.
    func note(_ error: any Error) {
        switch error {
        case StorageError.unavailable(let text): noteFailure(text)
        case StorageError.full: noteFull()
        default: break
        }
    }

    private func tell(_ change: (inout State) -> [Event]) {
        let (listener, events) = state.withLock { state in
            let events = change(&state)
            return (state.listener, events)
        }
        for event in events { listener(event) }
    }
}

/// One kind of trouble: since when, and what was told of it.
private struct Trouble {
    private var since: ContinuousClock.Instant?
    private var isTold = false
    private var lastTold: ContinuousClock.Instant?

    var isOn: Bool { since != nil }

    /// - Returns: Whether that is to be told.
    mutating func begins(at now: ContinuousClock.Instant) -> Bool {
        if since == nil { (since, isTold) = (now, false) }
        if isTold { return false }
        if let lastTold, now - lastTold < StorageOutage.tellEvery { return false }
        (isTold, lastTold) = (true, now)
        return true
    }

    /// - Returns: How long it lasted, where that is to be told.
    mutating func ends(at now: ContinuousClock.Instant) -> Duration? {
        defer { since = nil }
        guard let since, isTold else { return nil }
        return now - since
    }
}
