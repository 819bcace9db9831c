import NIOCore
import NephosRunner

extension Connection {
    /// Lets the request at hand wait. `begin` is not called when the client is gone already.
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

    /// The request of this id has its answer. When the connection was given up in this moment the work is still carried
    /// out, as it is when that happens a moment later: whoever answered was told that it would be.
    private func unpark(_ id: RequestID, _ work: Work) {
        guard phase == .parked, self.id == id else {
            return transport.carryOut(work, acceptsGzip: false) { $0.discard() }
        }
        parking = nil
        enter(.working, at: .now())
        answerDue = phaseStart + .milliseconds(limits.requestMilliseconds)
        carryOut(work)
    }

    /// Goes over to a phase that may last for hours, and lets go of what only short ones are worth.
    func wait(in phase: Phase) {
        enter(phase, at: .now())
        hasWaited = true
        answerDue = nil
        uncount()
        target = String(RawRequest.path(of: target))
    }

    /// The client has closed the connection or its side of it, which look alike from here until something is written.
    ///
    /// Who asks and closes its side may still read the answer, so work that ends soon goes on. What waits for long ends:
    /// else the server would keep, for as long as the longest poll, what belongs to clients that are gone.
    func clientClosed() {
        isAbandoned = true
        if phase == .parked || phase == .streaming { close() }
    }

    /// The connection is gone, and with it whatever waited, came or was sent.
    func tellWhoeverWaits() {
        let (parking, stream) = (parking, stream)
        self.parking = nil
        self.stream = nil
        parking?.end(.clientGone)
        if let stream { breakOff(stream) }
        breakOffBody(.clientGone)
        breakOffFile()
    }
}
