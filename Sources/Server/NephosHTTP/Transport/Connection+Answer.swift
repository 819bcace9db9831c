import NIOCore
import NIOHTTP1
import NephosRunner
import NephosStorage

extension Connection {
    // MARK: Work

    /// Carries out `work` and sends its response. A response that is already available is sent immediately.
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

    /// The work of request `id` is done. Discarded if the connection has given it up.
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
            send(RawResponse.unforeseen(id: id))
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
        abortBody(ending(of: failure))
        abortFile()
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
            write(
                budget.refusal(forAnswer: true).answer(
                    id: id, retryAfter: limits.retryAfterSeconds, endpoint: answer.endpoint))
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
            answer, id: id, traits: traits, closes: closes, bytesMax: Self.pieceBytes,
            allocator: context.channel.allocator)
        let rest = traits?.isHEAD == true ? [] : answer.body.dropFirst(Self.pieceBytes)
        report(status: answer.status, endpoint: answer.endpoint, bytes: bytes.readableBytes + rest.count, at: now)
        if hasWaited { answerDue = nil }
        write(bytes, rest, at: now, closes: closes, whenSent: answer.whenSent)
    }

    /// Writes the end of a response, which may be all of it.
    ///
    /// - Parameters:
    ///   - rest: The bytes after `bytes`.
    ///   - untaken: Bytes before `bytes` that the socket has not accepted yet.
    func write(
        _ bytes: ByteBuffer, _ rest: ArraySlice<UInt8> = [], behind untaken: Int = 0, at now: NIODeadline = .now(),
        closes: Bool, whenSent: (@Sendable (Bool) -> Void)? = nil
    ) {
        enter(.writing, at: now)
        unsent = untaken + bytes.readableBytes + rest.count
        unsentSince = now
        give(bytes, rest, closes: closes, whenSent: whenSent)
    }

    /// Writes one piece to the socket, and the next when that is accepted, so that a long response does not block the event loop:
    /// NIO would copy all of it at once.
    private func give(
        _ bytes: ByteBuffer, _ rest: ArraySlice<UInt8>, closes: Bool, whenSent: (@Sendable (Bool) -> Void)?
    ) {
        guard let context, phase == .writing else {
            whenSent?(false)
            return
        }
        unwritten = rest.count
        let sent = context.eventLoop.makePromise(of: Void.self)
        sent.futureResult.assumeIsolated().whenComplete { result in
            switch result {
            case .success where rest.isEmpty:
                whenSent?(true)
                self.answerSent(closes: closes)
            case .success:
                // Even if the socket accepts it immediately, the rest waits for its turn.
                context.eventLoop.assumeIsolated().execute {
                    let piece = context.channel.allocator.buffer(bytes: rest.prefix(Self.pieceBytes))
                    self.give(piece, rest.dropFirst(Self.pieceBytes), closes: closes, whenSent: whenSent)
                }
            case .failure:
                whenSent?(false)
                self.close()
            }
        }
        context.writeAndFlush(wrapOutboundOut(bytes), promise: sent)
    }

    /// How many bytes of a response an event loop copies at a time.
    private static let pieceBytes = 256 << 10

    func report(status: Int, endpoint: String, bytes: Int, at now: NIODeadline) {
        let exchange = Exchange(
            id: id, client: client.text, method: method?.rawValue ?? "",
            path: FilePath.withoutName(RawRequest.path(of: target)),
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
            proceed(at: .now())
        }
    }

    /// Closes our side and waits a moment for the client to close its own. Closing immediately would make the kernel answer
    /// further data of the client with a reset, which may overtake the response.
    private func linger() {
        enter(.lingering, at: .now())
        context?.close(mode: .output, promise: nil)
        gate?.proceed()
        closeIfFinished()
    }
}
