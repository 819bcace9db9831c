import NIOCore
import NIOHTTP1
import NephosRunner

/// A body that is received piece by piece is buffered here until its owner asks for it; beyond that, it is left in the socket.
extension Connection {
    /// Switches to passing the body to the owner that gets the reader from `begin`.
    func receive(_ request: RawRequest, bytesMax: Int64, _ begin: @Sendable (BodyReader) -> Void) {
        guard let eventLoop = context?.eventLoop else { return close() }
        let length = traits?.contentLength
        if let length, length > bytesMax { return fail(.bodyTooLarge(bytesMax: Int(bytesMax))) }
        let connection = NIOLoopBound(self, eventLoop: eventLoop)
        let id = id
        // Both always run later, even on the event loop: the owner may call them during its own call.
        let reader = BodyReader(
            request, ask: { eventLoop.execute { connection.value.ownerAsks(id) } },
            deliver: { work in eventLoop.execute { connection.value.ownerAnswers(id, work) } })
        openBody = OpenBody(reader, bytesMax: bytesMax, contentLength: length, budget: budget)
        enter(.receiving, at: .now())
        giveTurn()
        begin(reader)
    }

    func gather(_ bytes: ByteBuffer) {
        guard let openBody else { return }
        guard openBody.hasRoom(for: bytes.readableBytes) else {
            return fail(.bodyTooLarge(bytesMax: Int(openBody.bytesMax)))
        }
        guard count(bytes.readableBytes) else { return fail(budget.refusal) }
        openBody.gather(bytes)
        bytesIn += bytes.readableBytes
        deliver()
    }

    func endBody() {
        gate?.requestLineEnded = false
        openBody?.end()
        deliver()
    }

    private func ownerAsks(_ id: RequestID) {
        guard phase == .receiving, self.id == id, let openBody else { return }
        let expectsContinue = traits?.expectsContinue == true && traits?.isHTTP10 == false
        if expectsContinue, !openBody.isWanted, bytesIn == 0, !openBody.isWhole { inviteBody() }
        uncount(openBody.bytesHanded)
        openBody.ask(at: .now())
        answerDue = nil
        deliver()
        gate?.proceed()
    }

    /// Passes the owner the piece that it requested, if some bytes are available.
    private func deliver() {
        let now = NIODeadline.now()
        guard let openBody, let piece = openBody.nextPiece(at: now) else { return }
        giveTurn()
        if case .end = piece { enter(.working, at: now) }
        openBody.reader.hand(piece)
    }

    /// From here on the owner has a deadline.
    private func giveTurn() { answerDue = .now() + .milliseconds(limits.requestMilliseconds) }

    /// The owner of request `id` has its answer. As with a parked request, the work is carried out in any case.
    private func ownerAnswers(_ id: RequestID, _ work: Work) {
        guard self.id == id, let openBody else {
            return transport.carryOut(work, acceptsGzip: false) { $0.discard() }
        }
        self.openBody = nil
        uncount()
        // It is not known how much would have to be read before the next request.
        if !openBody.isWhole { traits?.keepsAlive = false }
        enter(.working, at: .now())
        giveTurn()
        carryOut(work)
    }

    /// The body that is being received, if any, will not be completed.
    func abortBody(_ ending: BodyReader.Ending) {
        let broken = openBody
        openBody = nil
        broken?.reader.abort(ending)
    }

    /// The ending of a body that `failure` aborts.
    func ending(of failure: TransportFailure) -> BodyReader.Ending {
        switch failure {
        case .bodyTooLarge: .tooLarge
        case .bodyEncoded: .malformed
        case .bodyTooSlow, .bodyStalled, .headersTooSlow: .tooSlow
        case .noRoom, .tooManyConnections, .tooManyOfClient: .noRoom
        case .tookTooLong: .tookTooLong
        // The decoder reports a body that ends early as malformed.
        case .malformed: isAbandoned || context?.channel.isActive != true ? .clientGone : .malformed
        case .targetTooLong, .headersTooLarge: .malformed
        }
    }
}
