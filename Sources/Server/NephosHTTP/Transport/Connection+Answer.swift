import NIOCore
import NIOHTTP1
import NephosStorage

extension Connection {
    // MARK: Work

    /// Has `work` carried out and sends its answer. An answer that is there already is sent at once.
    func carryOut(_ work: Work) {
        let acceptsGzip = traits?.acceptsGzip == true
        if case .answer(let answer) = work, !(acceptsGzip && transport.isWorthCompressing(answer)) {
            return send(answer)
        }
        guard let eventLoop = context?.eventLoop else { return work.discard() }
        let connection = NIOLoopBound(self, eventLoop: eventLoop)
        let id = id
        transport.carryOut(work, acceptsGzip: acceptsGzip) { outcome in
            if eventLoop.inEventLoop {
                connection.value.finish(id, outcome)
            } else {
                eventLoop.execute { connection.value.finish(id, outcome) }
            }
        }
    }

    /// The work of request `id` is done. Too late when the connection has given it up.
    private func finish(_ id: RequestID, _ outcome: Outcome) {
        guard phase == .working, self.id == id else { return outcome.discard() }
        switch outcome {
        case .answer(let answer):
            send(answer)
        case .parked(let begin):
            park(begin)
        case .stream(let head, let begin):
            open(head, begin)
        case .file(let answer):
            open(answer)
        case .failed(let error):
            transport.observer.failed(error, id: id)
            send(TransportFailure.unforeseen.answer(id: id, retryAfter: limits.retryAfterSeconds))
        }
    }

    // MARK: Answers

    /// Answers with an error dictionary and closes.
    func fail(_ failure: TransportFailure) {
        switch phase {
        case .idle, .headers, .body, .receiving, .working: break
        case .parked, .streaming, .sending, .writing, .lingering, .closed: return
        }
        beginRequest()
        peer.abandonment?.abandon()
        body = []
        breakOffBody(ending(of: failure))
        breakOffFile()
        send(failure.answer(id: id, retryAfter: limits.retryAfterSeconds))
    }

    func send(_ answer: RawResponse) {
        uncount()
        if answer.body.count <= limits.smallAnswerBytesMax {
            budget.add(answer.body.count)
            bytesCounted = answer.body.count
            write(answer)
        } else if count(answer.body.count) {
            write(answer)
        } else {
            write(budget.refusal.answer(id: id, retryAfter: limits.retryAfterSeconds, endpoint: answer.endpoint))
            answer.whenSent?(false)
        }
    }

    private func write(_ answer: RawResponse) {
        guard let context else {
            answer.whenSent?(false)
            return
        }
        let now = NIODeadline.now()
        let closes = answer.closesConnection || !keepsAlive
        let bytes = loop.encoder.encode(
            answer, id: id, traits: traits, closes: closes, allocator: context.channel.allocator)
        report(status: answer.status, endpoint: answer.endpoint, bytes: bytes.readableBytes, at: now)
        if hasWaited { answerDue = nil }
        write(bytes, at: now, closes: closes, whenSent: answer.whenSent)
    }

    /// Writes the end of an answer, which may be all of it.
    ///
    /// - Parameter untaken: Bytes before them that the socket has not taken yet.
    func write(
        _ bytes: ByteBuffer, behind untaken: Int = 0, at now: NIODeadline = .now(), closes: Bool,
        whenSent: (@Sendable (Bool) -> Void)? = nil
    ) {
        guard let context else {
            whenSent?(false)
            return
        }
        enter(.writing, at: now)
        unsent = untaken + bytes.readableBytes
        unsentSince = now
        let sent = context.eventLoop.makePromise(of: Void.self)
        sent.futureResult.assumeIsolated().whenComplete { result in
            switch result {
            case .success:
                whenSent?(true)
                self.answerSent(closes: closes)
            case .failure:
                whenSent?(false)
                self.close()
            }
        }
        context.writeAndFlush(wrapOutboundOut(bytes), promise: sent)
    }

    func report(status: Int, endpoint: String, bytes: Int, at now: NIODeadline) {
        let exchange = Exchange(
            id: id, client: client.text, method: method?.rawValue ?? "",
            path: AssetPath.withoutName(RawRequest.path(of: target)),
            status: status,
            endpoint: endpoint, nanoseconds: (now - requestStart).nanoseconds, bytesIn: bytesIn, bytesOut: bytes)
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
