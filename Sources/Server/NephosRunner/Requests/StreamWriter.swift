import Synchronization

/// Writes a response in pieces while it is open (``Work/stream(_:_:)``). Used from any thread; never blocks.
package final class StreamWriter: Sendable {
    /// How a stream ended.
    package enum Ending: Sendable, Equatable {
        /// By ``close()``.
        case closed
        /// The client closed the connection, or its side of it, or the connection broke.
        case clientGone
        /// The client left too much unread (``HTTPLimits/streamUnsentBytesMax``), read nothing for too long
        /// (``HTTPLimits/stalledWriteMilliseconds``), or there was no room (``HTTPLimits/bufferedBytesMax``). What it had not
        /// read is lost; it sees an aborted response.
        case fellBehind
        /// The server is stopping. The stream ends as with ``close()``.
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

    /// Appends `bytes` to the stream. Pieces written in a burst are sent together. A piece that would leave more unread than
    /// ``HTTPLimits/streamUnsentBytesMax`` is not sent and ends the stream: write anything longer than a few kilobytes piece by
    /// piece, the next when `whenSent` is called.
    ///
    /// - Parameter whenSent: Called once, on any thread, where blocking is not allowed: with true when the socket has accepted
    ///   the piece, otherwise with false when the stream has ended.
    /// - Returns: Whether the stream has accepted the piece.
    @discardableResult package func write(_ bytes: [UInt8], whenSent: (@Sendable (Bool) -> Void)? = nil) -> Bool {
        let piece = StreamPiece(bytes: bytes, whenSent: whenSent)
        let (isTaken, wake) = state.withLock { state in
            (state.take(piece, unsentMax: unsentMax, budget), state.wakeOnce())
        }
        wake?()
        if !isTaken { whenSent?(false) }
        return isTaken
    }

    /// Ends the stream after the pieces already written.
    package func close() {
        let wake = state.withLock { state in
            state.seal(.closed)
            return state.wakeOnce()
        }
        wake?()
    }

    /// Calls `listener` once when the stream has ended, for whatever reason: immediately if it already has, otherwise on the
    /// connection's event loop, where blocking is not allowed. Call this method at most once.
    package func onEnding(_ listener: @escaping @Sendable (Ending) -> Void) {
        let ending: Ending? = state.withLock { state in
            if state.wasNotified { return state.ending }
            state.listener = listener
            return nil
        }
        if let ending { listener(ending) }
    }

    // MARK: For the connection

    /// The pieces to send next, and how the stream ends after them, if it does.
    package func fetch() -> (pieces: [StreamPiece], ending: Ending?) {
        state.withLock { ($0.fetch(), $0.ending) }
    }

    /// The socket has accepted the `pieces`, or never will.
    package func settle(_ pieces: [StreamPiece], sent: Bool) {
        let cost = pieces.reduce(0) { $0 + $1.cost }
        // In this order, so that a stream never holds more of the budget than its limit of unsent bytes.
        budget.release(cost)
        state.withLock { $0.unsent -= cost }
        for piece in pieces { piece.whenSent?(sent) }
    }

    /// Accepts no more pieces. No effect if the stream already has an ending.
    package func seal(_ ending: Ending) {
        state.withLock { $0.seal(ending) }
    }

    /// The stream has ended as set with ``seal(_:)``. What is not fetched will not be sent.
    package func end() {
        let rest = fetch()
        settle(rest.pieces, sent: false)
        let old = state.withLock { state in
            let old = state
            state.wasNotified = true
            state.listener = nil
            state.wake = nil
            return old
        }
        if !old.wasNotified, let ending = old.ending { old.listener?(ending) }
    }
}
