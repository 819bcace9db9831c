import Synchronization

/// What ``BodyReader/next(_:)`` gives.
package enum BodyPiece: Sendable {
    /// Some bytes, up to a few hundred kilobytes; never none.
    case bytes(any RequestBytes)
    /// The body is there whole.
    case end
    /// The rest of the body will not come, and no answer is wanted any more.
    case broken(BodyReader.Ending)
}

/// Reads the body of one request piece by piece (``Reception/pieces(bytesMax:_:)``), and answers the request. Used from any
/// thread; never waits.
///
/// The owner sets the pace: before it asks for the first piece nothing is read of the body, and `100 Continue` is not
/// sent; between two pieces a little is read ahead, and then nothing until it asks again. So a client that is faster than
/// the owner waits. The owner has ``HTTPLimits/requestMilliseconds`` for each step: for asking first, for each piece, and
/// for its answer; after that the request is answered 503.
package final class BodyReader: Sendable {
    /// Why a body did not come to its end. The request is answered by the transport then, if anybody is there to read it.
    package enum Ending: Error, Sendable, Equatable {
        /// The client closed the connection, or its side of it, or the connection broke.
        case clientGone
        /// What came is not HTTP.
        case malformed
        /// The body became longer than it may be.
        case tooLarge
        /// The client sent too little for too long (``HTTPLimits/stalledReadMilliseconds``).
        case tooSlow
        /// There was no room for a piece (``HTTPLimits/bufferedBytesMax``).
        case noRoom
        /// The owner took too long, or has answered already.
        case tookTooLong
        /// The server stopped and could wait no longer.
        case serverStops
    }

    private struct State {
        var taker: (@Sendable (BodyPiece) -> Void)?
        /// Has the connection hand over the next piece. This and `deliver` are nil once the request is answered or given
        /// up, so that nothing of the connection is kept by this object.
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

    /// Asks for the next piece. The one before is taken for used up, and is no longer counted.
    ///
    /// Ask again only when the piece has come, and not behind the end.
    ///
    /// - Parameter taker: Called once, on any thread, where it must not wait; not at all if ``answer(_:)`` comes before.
    package func next(_ taker: @escaping @Sendable (BodyPiece) -> Void) {
        let (ask, ending) = state.withLock { state in
            if state.ask != nil { state.taker = taker }
            return (state.ask, state.ending)
        }
        if let ask { ask() } else { taker(.broken(ending)) }
    }

    /// Has the request answered with what `work` comes to. When the body is not there whole, the rest of it is thrown away
    /// and the connection closed behind the answer.
    ///
    /// - Returns: Whether this was the first answer and the request was not given up. If not, `work` is not carried out; an
    ///   answer in it is told that it was not sent.
    @discardableResult package func answer(_ work: Work) -> Bool {
        guard let deliver = finish(.tookTooLong).deliver else {
            work.discard()
            return false
        }
        deliver(work)
        return true
    }

    // MARK: For the connection

    /// Gives `piece` to whoever asked.
    package func hand(_ piece: BodyPiece) {
        let taker = state.withLock { state in
            defer { state.taker = nil }
            return state.taker
        }
        taker?(piece)
    }

    /// The request is given up.
    package func breakOff(_ ending: Ending) {
        finish(ending).taker?(.broken(ending))
    }

    private func finish(_ ending: Ending) -> State {
        // What the state held is let go of outside the lock, since a closure's end may run anything.
        state.withLock { state in
            let old = state
            if old.deliver != nil { state = State(ending: ending) }
            return old
        }
    }
}
