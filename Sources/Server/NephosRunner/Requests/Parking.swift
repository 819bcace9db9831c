import Synchronization

/// A request that waits long for its answer, such as a long poll (``Work/parked(_:)``).
///
/// It waits as long as its owner wants: ``HTTPLimits/requestMilliseconds`` starts when it is answered, and applies to the work
/// that the answer still needs, not to writing it. For writing, the minimum speed of all responses applies
/// (``HTTPLimits/stalledWriteMilliseconds``).
package final class Parking: Sendable {
    /// Why a parked request need not wait any longer.
    package enum Ending: Sendable, Equatable {
        /// The client closed the connection, or its side of it, or the connection broke; nobody would receive an answer.
        case clientGone
        /// The server is stopping. The request accepts its answer for another ``HTTPLimits/shutdownMilliseconds``; it is the last
        /// on its connection.
        case serverStops
    }

    private enum Stage { case waiting, stopping, gone, answered }

    private struct State {
        var stage = Stage.waiting
        var listener: (@Sendable (Ending) -> Void)?
        /// nil once the request accepts no answer any more, so that this object retains nothing of the connection.
        var deliver: (@Sendable (Work) -> Void)?
    }

    private let state: Mutex<State>

    package init(deliver: @escaping @Sendable (Work) -> Void) { state = Mutex(State(deliver: deliver)) }

    /// Answers the request with the result of `work`. From any thread; never blocks.
    ///
    /// - Returns: Whether this was the first answer and the client was connected. If not, `work` is not carried out; an answer in
    ///   it is notified that it was not sent (``RawResponse/whenSent``).
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

    /// Calls `listener` once when the request need not wait any longer: immediately if that is already so, otherwise on the
    /// connection's event loop, where blocking is not allowed. Never after ``answer(_:)``. Call this method at most once.
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

    /// Notifies the listener, unless it was notified before.
    package func end(_ ending: Ending) {
        // The old state is released outside the lock, because releasing a closure may run any code.
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
