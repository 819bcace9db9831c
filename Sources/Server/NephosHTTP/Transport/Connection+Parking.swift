import NIOCore
import NephosRunner

extension Connection {
    /// Parks the current request. `begin` is not called if the client has already disconnected.
    func park(_ begin: @Sendable (Parking) -> Void) {
        guard let eventLoop = context?.eventLoop, !isAbandoned else { return close() }
        let connection = NIOLoopBound(self, eventLoop: eventLoop)
        let id = id
        let parking = Parking { work in
            if eventLoop.inEventLoop {
                connection.value.unpark(id, work)
            } else {
                eventLoop.execute { connection.value.unpark(id, work) }
            }
        }
        self.parking = parking
        wait(in: .parked)
        begin(parking)
        if stopsAt != nil { parking.end(.serverStops) }
    }

    /// The request with this id has its answer. If the connection is given up at this moment the work is still carried out, as it
    /// would be a moment later: the caller was promised that.
    private func unpark(_ id: RequestID, _ work: Work) {
        guard phase == .parked, self.id == id else {
            return transport.carryOut(work, acceptsGzip: false) { $0.discard() }
        }
        parking = nil
        enter(.working, at: .now())
        answerDue = phaseStart + .milliseconds(limits.requestMilliseconds)
        carryOut(work)
    }

    /// Enters a phase that may last for hours, and releases memory that is only needed in short ones.
    func wait(in phase: Phase) {
        enter(phase, at: .now())
        hasWaited = true
        answerDue = nil
        uncount()
        target = String(RawRequest.path(of: target))
    }

    /// The client has closed the connection or its side of it, which cannot be distinguished here until something is written.
    ///
    /// A client that closes its side after a request may still read the response, so short work continues. Long waits end:
    /// otherwise the server would keep the resources of disconnected clients for as long as the longest poll.
    func clientClosed() {
        isAbandoned = true
        if phase == .parked || phase == .streaming { close() }
    }

    /// Notifies everything that depends on the connection, which is gone.
    func notifyWaiters() {
        let (parking, stream) = (parking, stream)
        self.parking = nil
        self.stream = nil
        parking?.end(.clientGone)
        if let stream { abort(stream) }
        abortBody(.clientGone)
        abortFile()
    }
}
