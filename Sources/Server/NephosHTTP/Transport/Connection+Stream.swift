import NIOCore
import NephosRunner

/// A stream is the last answer on its connection, so that there is one way for it to end; what the client sends meanwhile
/// is thrown away.
extension Connection {
    /// Sends the head of a stream and hands its writer to `begin`, which is not called when the client is gone already or
    /// asked for the head alone.
    func open(_ head: StreamHead, _ begin: @Sendable (StreamWriter) -> Void) {
        guard let context, !isAbandoned else { return close() }
        let bytes = loop.encoder.encode(head, id: id, traits: traits, allocator: context.channel.allocator)
        if traits?.isHEAD == true {
            uncount()
            report(status: head.status, endpoint: head.endpoint, bytes: bytes.readableBytes, at: .now())
            return write(bytes, closes: true)
        }
        wait(in: .streaming)
        let writer = makeWriter(context.eventLoop)
        stream = OpenStream(
            head, writer, isChunked: traits?.isHTTP10 != true, headBytes: bytes.readableBytes, at: phaseStart)
        context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
        guard phase == .streaming else { return }
        begin(writer)
        forgetInput()
        if stopsAt != nil { end(stream, .serverStops) }
    }

    private func makeWriter(_ eventLoop: any EventLoop) -> StreamWriter {
        let connection = NIOLoopBound(self, eventLoop: eventLoop)
        // Always a moment later, also on the event loop: what is written in the same moment goes out together.
        return StreamWriter(budget: budget, unsentMax: limits.streamUnsentBytesMax) {
            eventLoop.execute { connection.value.flush() }
        }
    }

    /// Ends the stream at once, behind what was written.
    func end(_ stream: OpenStream?, _ ending: StreamWriter.Ending) {
        stream?.writer.seal(ending)
        flush()
    }

    /// Sends what was written since the last time, and ends the stream if it is to end.
    private func flush() {
        guard phase == .streaming, let stream else { return }
        let (pieces, ending) = stream.writer.fetch()
        if !pieces.isEmpty { send(pieces, of: stream) }
        guard phase == .streaming else { return }
        switch ending {
        case nil: break
        case .closed, .serverStops: finish(stream)
        // What the socket takes right now it has got above, so that a client that comes again has come further.
        case .fellBehind, .clientGone: close()
        }
    }

    private func send(_ pieces: [StreamPiece], of stream: OpenStream) {
        guard let sent = context?.eventLoop.makePromise(of: Void.self) else { return }
        sent.futureResult.assumeIsolated().whenComplete { result in
            switch result {
            case .success:
                stream.writer.settle(pieces, sent: true)
            case .failure:
                stream.writer.settle(pieces, sent: false)
                self.close()
            }
        }
        send(stream.encode(pieces), of: stream, promise: sent)
    }

    private func send(_ bytes: ByteBuffer, of stream: OpenStream, promise: EventLoopPromise<Void>? = nil) {
        stream.wrote(bytes.readableBytes, at: .now())
        context?.writeAndFlush(wrapOutboundOut(bytes), promise: promise)
    }

    /// Ends the stream as it should end, and the connection behind it.
    private func finish(_ stream: OpenStream) {
        self.stream = nil
        let last = stream.lastBytes
        stream.wrote(last.readableBytes, at: .now())
        report(stream)
        write(last, behind: untakenBytes ?? 0, closes: true)
        stream.writer.end()
    }

    /// The connection is gone, and the stream with it.
    func breakOff(_ stream: OpenStream) {
        report(stream)
        stream.writer.seal(.clientGone)
        stream.writer.end()
    }

    private func report(_ stream: OpenStream) {
        report(status: stream.head.status, endpoint: stream.head.endpoint, bytes: stream.bytesOut, at: .now())
    }

    /// Gives up a client that takes nothing, and lets one that hears nothing hear something. Called by the sweep.
    func check(_ stream: OpenStream, at now: NIODeadline) {
        let left = untakenBytes ?? 0
        if let since = stream.stalledSince(left: left, at: now) {
            guard now - since > .milliseconds(limits.stalledWriteMilliseconds) else { return }
            stream.writer.seal(.fellBehind)
            return close()
        }
        guard left == 0, !stream.head.heartbeat.isEmpty,
            stream.isSilent(at: now, for: .milliseconds(limits.heartbeatMilliseconds))
        else { return }
        // Not counted, since a server that is full should not lose its idle streams: each has one such piece at most.
        send(stream.encode([StreamPiece(bytes: stream.head.heartbeat)]), of: stream)
    }
}
