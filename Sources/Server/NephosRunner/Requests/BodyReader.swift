import Synchronization

/// The result of ``BodyReader/next(_:)``.
package enum BodyPiece: Sendable {
    /// Some bytes, up to a few hundred kilobytes; never empty.
    case bytes(any RequestBytes)
    /// The body is complete.
    case end
    /// The rest of the body will not arrive, and no answer is sent any more.
    case broken(BodyReader.Ending)
}

/// Reads the body of one request piece by piece (``RequestBodyMode/pieces(bytesMax:_:)``), and answers the request. Used from any
/// thread; never blocks.
///
/// The owner controls the flow: before it requests the first piece nothing of the body is read, and `100 Continue` is not sent;
/// between two pieces a little is read ahead, and then nothing until the next request. So a client that is faster than the owner
/// has to wait. The owner has ``HTTPLimits/requestMilliseconds`` for each step: for the first request, for each piece, and for
/// its answer; after that the request is answered with 503.
package final class BodyReader: Sendable {
    /// Why a body did not complete. The transport answers the request then, if a client is there to read the answer.
    package enum Ending: Error, Sendable, Equatable {
        /// The client closed the connection, or its side of it, or the connection broke.
        case clientGone
        /// What arrived is not HTTP.
        case malformed
        /// The body exceeded its maximum size.
        case tooLarge
        /// The client sent too little for too long (``HTTPLimits/stalledReadMilliseconds``).
        case tooSlow
        /// There was no room for a piece (``HTTPLimits/bufferedBytesMax``).
        case noRoom
        /// The owner took too long, or has already answered.
        case tookTooLong
        /// The server stopped and could not wait any longer.
        case serverStops
    }

    private struct State {
        var taker: (@Sendable (BodyPiece) -> Void)?
        /// Makes the connection hand over the next piece. This and `deliver` are nil once the request is answered or given up, so
        /// that this object retains nothing of the connection.
        var ask: (@Sendable () -> Void)?
        var deliver: (@Sendable (Work) -> Void)?
        var ending = Ending.tookTooLong
    }

    /// The request, without its body.
    package let request: RawRequest
    private let state: Mutex<State>

    package init(
        _ request: RawRequest, ask: @escaping @Sendable () -> Void, deliver: @escaping @Sendable (Work) -> Void
    ) {
        self.request = request
        state = Mutex(State(ask: ask, deliver: deliver))
    }

    /// Requests the next piece. The previous one is considered consumed, and is no longer counted.
    ///
    /// Request again only after the piece has arrived, and not after the end.
    ///
    /// - Parameter taker: Called once, on any thread, where blocking is not allowed; not at all if ``answer(_:)`` is called
    ///   first.
    package func next(_ taker: @escaping @Sendable (BodyPiece) -> Void) {
        let (ask, ending) = state.withLock { state in
            if state.ask != nil { state.taker = taker }
            return (state.ask, state.ending)
        }
        if let ask { ask() } else { taker(.broken(ending)) }
    }

    /// Answers the request with the result of `work`. If the body is not complete, the rest of it is discarded and the connection
    /// closed after the answer.
    ///
    /// - Returns: Whether this was the first answer and the request was not given up. If not, `work` is not carried out; an
    ///   answer in it is notified that it was not sent.
    @discardableResult package func answer(_ work: Work) -> Bool {
        guard let deliver = finish(.tookTooLong).deliver else {
            work.discard()
            return false
        }
        deliver(work)
        return true
    }

    // MARK: For the connection

    /// Passes `piece` to the owner's taker.
    package func hand(_ piece: BodyPiece) {
        let taker = state.withLock { state in
            defer { state.taker = nil }
            return state.taker
        }
        taker?(piece)
    }

    /// The request is given up.
    package func abort(_ ending: Ending) {
        finish(ending).taker?(.broken(ending))
    }

    private func finish(_ ending: Ending) -> State {
        // The old state is released outside the lock, because releasing a closure may run any code.
        state.withLock { state in
            let old = state
            if old.deliver != nil { state = State(ending: ending) }
            return old
        }
    }
}
