import NIOCore
import NIOHTTP1

extension Connection {
    // MARK: Work

    /// Has `work` carried out and sends its answer. An answer that is there already is sent at once.
    func carryOut(_ work: Work) {
        let acceptsGzip = traits?.acceptsGzip == true
        if case .answer(let answer) = work, !(acceptsGzip && transport.isWorthCompressing(answer)) {
            return send(answer)
        }
        guard let eventLoop = context?.eventLoop else { return }
        let connection = NIOLoopBound(self, eventLoop: eventLoop)
        let id = id
        transport.carryOut(work, acceptsGzip: acceptsGzip) { result in
            if eventLoop.inEventLoop {
                connection.value.finish(id, result)
            } else {
                eventLoop.execute { connection.value.finish(id, result) }
            }
        }
    }

    /// The work of request `id` is done. Too late when the connection has given it up.
    private func finish(_ id: RequestID, _ result: Result<RawResponse, any Error>) {
        guard phase == .working, self.id == id else { return }
        switch result {
        case .success(let answer):
            send(answer)
        case .failure(let error):
            transport.observer.failed(error, id: id)
            send(TransportFailure.unforeseen.answer(id: id, retryAfter: limits.retryAfterSeconds))
        }
    }

    // MARK: Answers

    /// Answers with an error dictionary and closes.
    func fail(_ failure: TransportFailure) {
        guard phase != .lingering, phase != .closed, phase != .writing else { return }
        beginRequest()
        body = []
        send(failure.answer(id: id, retryAfter: limits.retryAfterSeconds))
    }

    private func send(_ answer: RawResponse) {
        uncount()
        if answer.body.count <= limits.smallAnswerBytesMax {
            budget.add(answer.body.count)
            bytesCounted = answer.body.count
            write(answer)
        } else if count(answer.body.count) {
            write(answer)
        } else {
            let noRoom = TransportFailure.noRoom(bytesMax: budget.bytesMax)
            write(noRoom.answer(id: id, retryAfter: limits.retryAfterSeconds, endpoint: answer.endpoint))
        }
    }

    private func write(_ answer: RawResponse) {
        guard let context else { return }
        let now = NIODeadline.now()
        let closes = answer.closesConnection || !keepsAlive
        let bytes = loop.encoder.encode(
            answer, id: id, traits: traits, closes: closes, allocator: context.channel.allocator)
        report(answer, bytes: bytes.readableBytes, at: now)
        enter(.writing, at: now)
        unsent = bytes.readableBytes
        unsentSince = now
        let sent = context.eventLoop.makePromise(of: Void.self)
        sent.futureResult.assumeIsolated().whenComplete { result in
            switch result {
            case .success: self.answerSent(closes: closes)
            case .failure: self.close()
            }
        }
        context.writeAndFlush(wrapOutboundOut(bytes), promise: sent)
    }

    private func report(_ answer: RawResponse, bytes: Int, at now: NIODeadline) {
        let exchange = Exchange(
            id: id, method: head?.method.rawValue ?? "", path: head.map { RawRequest.path(of: $0.uri) } ?? "",
            status: answer.status,
            endpoint: answer.endpoint, nanoseconds: (now - requestStart).nanoseconds, bytesIn: bytesIn, bytesOut: bytes)
        transport.observer.answered(exchange)
    }

    private func answerSent(closes: Bool) {
        guard phase == .writing else { return }
        uncount()
        if closes {
            linger()
        } else {
            goOn(at: .now())
        }
    }

    /// Ends our side and waits a moment for the client to end its own. Closing at once would make the kernel answer what
    /// the client still sends with a reset, and a reset may overtake the answer.
    private func linger() {
        enter(.lingering, at: .now())
        context?.close(mode: .output, promise: nil)
        gate?.proceed()
        closeIfFinished()
    }
}
