import Synchronization

/// Writes an answer that is sent in pieces while it lives (``Work/stream(_:_:)``). Used from any thread; never waits.
package final class StreamWriter: Sendable {
    /// How a stream ended.
    package enum Ending: Sendable, Equatable {
        /// By ``close()``.
        case closed
        /// The client closed the connection, or its side of it, or the connection broke.
        case clientGone
        /// The client left too much untaken (``HTTPLimits/streamUnsentBytesMax``), took nothing for too long
        /// (``HTTPLimits/stalledWriteMilliseconds``), or there was no room (``HTTPLimits/bufferedBytesMax``). What it had not
        /// taken is lost; it sees an answer that breaks off.
        case fellBehind
        /// The server is stopping. The stream is ended as by ``close()``.
        case serverStops
    }

    private let state: Mutex<StreamState>
    private let budget: BodyBudget
    private let unsentMax: Int

    package init(budget: BodyBudget, unsentMax: Int, wake: @escaping @Sendable () -> Void) {
        self.budget = budget
        self.unsentMax = unsentMax
        state = Mutex(StreamState(wake: wake))
    }

    /// Sends `bytes` behind what was written before. Pieces written in a burst go out together. A piece that would leave
    /// more untaken than ``HTTPLimits/streamUnsentBytesMax`` is not sent and ends the stream: what is longer than a few
    /// kilobytes should be written piece by piece, the next when `whenSent` says so.
    ///
    /// - Parameter whenSent: Called once, on any thread, where it must not wait: with true when the socket has taken the
    ///   piece, else with false when the stream has ended.
    /// - Returns: Whether the stream has taken the piece.
    @discardableResult package func write(_ bytes: [UInt8], whenSent: (@Sendable (Bool) -> Void)? = nil) -> Bool {
        let piece = StreamPiece(bytes: bytes, whenSent: whenSent)
        let (isTaken, wake) = state.withLock { state in
            (state.take(piece, unsentMax: unsentMax, budget), state.wakeOnce())
        }
        wake?()
        if !isTaken { whenSent?(false) }
        return isTaken
    }

    /// Ends the stream behind what was written before.
    package func close() {
        let wake = state.withLock { state in
            state.seal(.closed)
            return state.wakeOnce()
        }
        wake?()
    }

    /// Calls `listener` once when the stream has ended, however it did: at once if it has already, else on the
    /// connection's event loop, where it must not wait. Call this method once at most.
    package func onEnding(_ listener: @escaping @Sendable (Ending) -> Void) {
        let ending: Ending? = state.withLock { state in
            if state.isTold { return state.ending }
            state.listener = listener
            return nil
        }
        if let ending { listener(ending) }
    }

    // MARK: For the connection

    /// The pieces that are to be sent next, and how the stream ends behind them, if it does.
    package func fetch() -> (pieces: [StreamPiece], ending: Ending?) {
        state.withLock { ($0.fetch(), $0.ending) }
    }

    /// The socket has taken the `pieces`, or never will.
    package func settle(_ pieces: [StreamPiece], sent: Bool) {
        let cost = pieces.reduce(0) { $0 + $1.cost }
        // In this order, so that a stream never holds more of the budget than it may leave untaken.
        budget.release(cost)
        state.withLock { $0.unsent -= cost }
        for piece in pieces { piece.whenSent?(sent) }
    }

    /// Takes no pieces any more. Without effect when the stream has an ending.
    package func seal(_ ending: Ending) {
        state.withLock { $0.seal(ending) }
    }

    /// The stream has ended as ``seal(_:)`` said. Whatever is not fetched will not be sent.
    package func end() {
        let rest = fetch()
        settle(rest.pieces, sent: false)
        let old = state.withLock { state in
            let old = state
            state.isTold = true
            state.listener = nil
            state.wake = nil
            return old
        }
        if !old.isTold, let ending = old.ending { old.listener?(ending) }
    }
}
