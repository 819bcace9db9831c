import Synchronization

/// A request that waits for its answer for long, as a long poll does (``Work/parked(_:)``).
///
/// It waits as long as whoever parked it wants: ``HTTPLimits/requestMilliseconds`` begins when it is answered, and holds for
/// the work that the answer still needs, not for its writing. There the least speed of all answers holds
/// (``HTTPLimits/stalledWriteMilliseconds``).
package final class Parking: Sendable {
    /// Why a parked request need wait no longer.
    package enum Ending: Sendable, Equatable {
        /// The client closed the connection, or its side of it, or the connection broke; an answer would reach nobody.
        case clientGone
        /// The server is stopping. The request takes its answer for another ``HTTPLimits/shutdownMilliseconds``; it is the
        /// last on its connection.
        case serverStops
    }

    private enum Stage { case waiting, stopping, gone, answered }

    private struct State {
        var stage = Stage.waiting
        var listener: (@Sendable (Ending) -> Void)?
        /// nil once the request takes no answer any more, so that nothing of the connection is kept by this object.
        var deliver: (@Sendable (Work) -> Void)?
    }

    private let state: Mutex<State>

    package init(deliver: @escaping @Sendable (Work) -> Void) { state = Mutex(State(deliver: deliver)) }

    /// Has the request answered with what `work` comes to. From any thread; never waits.
    ///
    /// - Returns: Whether this was the first answer and the client was there. If not, `work` is not carried out; an answer
    ///   in it is told that it was not sent (``RawResponse/whenSent``).
    @discardableResult package func answer(_ work: Work) -> Bool {
        let old = state.withLock { state in
            let old = state
            if state.deliver != nil { state = State(stage: .answered) }
            return old
        }
        guard let deliver = old.deliver else {
            work.discard()
            return false
        }
        deliver(work)
        return true
    }

    /// Calls `listener` once when the request need wait no longer: at once if that is so already, else on the connection's
    /// event loop, where it must not wait. Never once ``answer(_:)`` has been called. Call this method once at most.
    package func onEnding(_ listener: @escaping @Sendable (Ending) -> Void) {
        let ending: Ending? = state.withLock { state in
            switch state.stage {
            case .waiting: state.listener = listener
            case .stopping: return .serverStops
            case .gone: return .clientGone
            case .answered: break
            }
            return nil
        }
        if let ending { listener(ending) }
    }

    /// Tells the listener, unless it was told something before.
    package func end(_ ending: Ending) {
        // What the state held is let go of outside the lock, since a closure's end may run anything.
        let old = state.withLock { state in
            let old = state
            switch (old.stage, ending) {
            case (.waiting, .serverStops): state = State(stage: .stopping, deliver: old.deliver)
            case (.waiting, .clientGone), (.stopping, .clientGone): state = State(stage: .gone)
            case (.stopping, .serverStops), (.gone, _), (.answered, _): break
            }
            return old
        }
        if old.stage == .waiting { old.listener?(ending) }
    }
}
