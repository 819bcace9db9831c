import NIOCore
import NephosRunner

/// A stream is the last response on its connection, so that there is one way for it to end; what the client sends meanwhile is
/// discarded.
extension Connection {
    /// Sends the head of a stream and passes its writer to `begin`, which is not called if the client has already disconnected or
    /// sent a HEAD request.
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
        // Always later, even on the event loop: pieces written in a burst are sent together.
        return StreamWriter(budget: budget, unsentMax: limits.streamUnsentBytesMax) {
            eventLoop.execute { connection.value.flush() }
        }
    }

    /// Ends the stream now, after what was written.
    func end(_ stream: OpenStream?, _ ending: StreamWriter.Ending) {
        stream?.writer.seal(ending)
        flush()
    }

    /// Sends what was written since the last time, and ends the stream if it must end.
    private func flush() {
        guard phase == .streaming, let stream else { return }
        let (pieces, ending) = stream.writer.fetch()
        if !pieces.isEmpty { send(pieces, of: stream) }
        guard phase == .streaming else { return }
        switch ending {
        case nil: break
        case .closed, .serverStops: finish(stream)
        // What the socket accepts right now was written above, so that a client that reconnects has progressed further.
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

    /// Ends the stream properly, and the connection after it.
    private func finish(_ stream: OpenStream) {
        self.stream = nil
        let last = stream.lastBytes
        stream.wrote(last.readableBytes, at: .now())
        report(stream)
        write(last, behind: untakenBytes ?? 0, closes: true)
        stream.writer.end()
    }

    /// The connection is gone, and with it the stream.
    func abort(_ stream: OpenStream) {
        report(stream)
        stream.writer.seal(.clientGone)
        stream.writer.end()
    }

    private func report(_ stream: OpenStream) {
        report(status: stream.head.status, endpoint: stream.head.endpoint, bytes: stream.bytesOut, at: .now())
    }

    /// Gives up a client that reads nothing, and sends a heartbeat to an idle one. Called by the sweep.
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
        // Not counted, because a server without room should not lose its idle streams: each has at most one such piece.
        send(stream.encode([StreamPiece(bytes: stream.head.heartbeat)]), of: stream)
    }
}
