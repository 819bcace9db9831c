import NephosStorage
import Synchronization

/// The current outage of the storage, as observed by requests and background work: the database is unreachable, or the disk is
/// full. Reports changes, not each failure.
package final class StorageOutage: Sendable {
    package enum Event: Sendable, Equatable {
        /// The engine's error text. It is for the log, never for a client.
        case began(String)
        case ended(after: Duration)
        /// The disk is full.
        case filled
        /// A save succeeded again.
        case hasRoom(after: Duration)
    }

    private struct State {
        var listener: @Sendable (Event) -> Void = { _ in }
        var unreachable = Trouble()
        var full = Trouble()
    }

    /// The minimum interval between reports of trouble that comes and goes.
    static let reportInterval = Duration.seconds(10)

    /// Whether there is an outage that a success would end.
    private let hasTrouble = Atomic<Bool>(false)
    private let state = Mutex(State())

    /// Whether an outage is known.
    var isOut: Bool { hasTrouble.load(ordering: .relaxed) }

    /// The disk is full, as far as is known: something could not be saved, and nothing was since.
    package var isFull: Bool { isOut && state.withLock { $0.full.isOn } }

    package init() {}

    /// Calls `listener` with every change from now on. It must not block.
    package func listen(_ listener: @escaping @Sendable (Event) -> Void) {
        state.withLock { $0.listener = listener }
    }

    /// An operation failed because the database is unreachable.
    package func noteFailure(_ text: String, at now: ContinuousClock.Instant = .now) {
        report { state in
            hasTrouble.store(true, ordering: .relaxed)
            return state.unreachable.begins(at: now) ? [.began(text)] : []
        }
    }

    /// A save failed because the disk is full. So the database is reachable.
    package func noteFull(at now: ContinuousClock.Instant = .now) {
        report { state in
            hasTrouble.store(true, ordering: .relaxed)
            let ended = state.unreachable.ends(at: now).map(Event.ended)
            return [ended, state.full.begins(at: now) ? .filled : nil].compactMap(\.self)
        }
    }

    /// An operation succeeded. Costs next to nothing as long as there is no outage.
    ///
    /// - Parameter saved: Whether something was saved, so that there must have been room.
    package func noteSuccess(saved: Bool = false, at now: @autoclosure () -> ContinuousClock.Instant = .now) {
        guard isOut else { return }
        let now = now()
        report { state in
            let hasRoom = saved ? state.full.ends(at: now).map(Event.hasRoom) : nil
            hasTrouble.store(state.full.isOn, ordering: .relaxed)
            return [state.unreachable.ends(at: now).map(Event.ended), hasRoom].compactMap(\.self)
        }
    }

    /// Runs code that uses the storage, and notes the result.
    package func watching(_ body: () throws -> Void) throws {
        do { try body() } catch {
            note(error)
            throw error
        }
        noteSuccess()
    }

    /// Notes `error` if it is a storage outage.
    func note(_ error: any Error) {
        switch error {
        case StorageError.unavailable(let text): noteFailure(text)
        case StorageError.full: noteFull()
        default: break
        }
    }

    private func report(_ change: (inout State) -> [Event]) {
        let (listener, events) = state.withLock { state in
            let events = change(&state)
            return (state.listener, events)
        }
        for event in events { listener(event) }
    }
}

/// One kind of outage: its start, and what was reported of it.
private struct Trouble {
    private var since: ContinuousClock.Instant?
    private var isReported = false
    private var lastReport: ContinuousClock.Instant?

    var isOn: Bool { since != nil }

    /// - Returns: Whether to report it.
    mutating func begins(at now: ContinuousClock.Instant) -> Bool {
        if since == nil { (since, isReported) = (now, false) }
        if isReported { return false }
        if let lastReport, now - lastReport < StorageOutage.reportInterval { return false }
        (isReported, lastReport) = (true, now)
        return true
    }

    /// - Returns: Its duration, if that is to be reported.
    mutating func ends(at now: ContinuousClock.Instant) -> Duration? {
        defer { since = nil }
        guard let since, isReported else { return nil }
        return now - since
    }
}
