import NIOCore
import NIOPosix
import NephosRunner

/// A file is read on threads that may block: one piece while the previous one is written to the socket, and no further.
extension Connection {
    /// Sends `answer`. Its head is sent with the first piece, so that an unreadable source gets a proper error response.
    func open(_ answer: FileAnswer) {
        uncount()
        guard traits?.isHEAD != true, answer.status != 304, answer.length > 0 else { return sendHead(of: answer) }
        let file = OpenFile(answer)
        guard count(file.pieceBytes) else {
            answer.whenSent?(false)
            return send(
                budget.refusal(forAnswer: true).answer(
                    id: id, retryAfter: limits.retryAfterSeconds, endpoint: answer.endpoint))
        }
        openFile = file
        if let whole = answer.whole, file.beginReading() != nil {
            take(.success(ByteBuffer(bytes: whole)), of: file)
        } else {
            read(file)
        }
    }

    private func sendHead(of answer: FileAnswer) {
        let closes = !keepsAlive
        let bytes = loop.encoder.encode(answer, id: id, traits: traits, closes: closes)
        report(status: answer.status, endpoint: answer.endpoint, bytes: bytes.readableBytes, at: .now())
        if hasWaited { answerDue = nil }
        write(bytes, closes: closes, whenSent: answer.whenSent)
    }

    /// Reads the next piece, if there is one and it is time.
    private func read(_ file: OpenFile) {
        guard let eventLoop = context?.eventLoop, let piece = file.beginReading() else { return }
        let bound = NIOLoopBound((connection: self, file: file), eventLoop: eventLoop)
        let source = file.answer.source
        transport.fileThreads.submit { _ in
            let bytes = Result { try source.piece(at: piece.offset, count: piece.count) }
            eventLoop.execute { bound.value.connection.take(bytes, of: bound.value.file) }
        }
        // If the client has accepted everything so far, the deadline applies to the read.
        if phase == .sending { answerDue = .now() + .milliseconds(limits.requestMilliseconds) }
    }

    private func take(_ bytes: Result<ByteBuffer, any Error>, of file: OpenFile) {
        file.endReading()
        guard openFile === file else { return }
        switch bytes {
        case .success(let bytes):
            if phase == .working { begin(file) }
            send(bytes, of: file)
        case .failure(let error):
            if !(error is FileAnswer.RightEnded) { transport.observer.failed(error, id: id) }
            if phase == .sending { return close() }
            abortFile()
            send(RawResponse.unforeseen(id: id))
        }
    }

    private func begin(_ file: OpenFile) {
        enter(.sending, at: .now())
        file.closes = !keepsAlive
        let head = loop.encoder.encode(file.answer, id: id, traits: traits, closes: file.closes)
        file.bytesOut = head.readableBytes
        unsent = head.readableBytes
        unsentSince = phaseStart
        context?.write(wrapOutboundOut(head), promise: nil)
    }

    private func send(_ bytes: ByteBuffer, of file: OpenFile) {
        answerDue = nil
        file.bytesOut += bytes.readableBytes
        if file.isReadWhole { return finish(file, bytes) }
        guard let context else { return }
        if untakenBytes == 0 {
            unsent = 0
            unsentSince = .now()
        }
        unsent += bytes.readableBytes
        file.piecesUnsent += 1
        let sent = context.eventLoop.makePromise(of: Void.self)
        sent.futureResult.assumeIsolated().whenComplete { result in
            switch result {
            case .success: self.pieceSent(of: file)
            case .failure: self.close()
            }
        }
        context.writeAndFlush(wrapOutboundOut(bytes), promise: sent)
        guard openFile === file else { return }
        // A second piece only improves speed, so it must not take room that others may need.
        if file.piecesMax == 1, !budget.isTight, count(file.pieceBytes) { file.piecesMax = 2 }
        read(file)
    }

    private func pieceSent(of file: OpenFile) {
        file.piecesUnsent -= 1
        if openFile === file { read(file) }
    }

    private func finish(_ file: OpenFile, _ bytes: ByteBuffer) {
        openFile = nil
        report(file)
        write(
            bytes, behind: untakenBytes ?? 0, closes: file.closes || !keepsAlive, whenSent: file.answer.whenSent)
    }

    /// Aborts the file that is being sent, if any.
    func abortFile() {
        guard let file = openFile else { return }
        openFile = nil
        if file.bytesOut > 0 { report(file) }
        file.abort()
    }

    private func report(_ file: OpenFile) {
        report(status: file.answer.status, endpoint: file.answer.endpoint, bytes: file.bytesOut, at: .now())
    }
}
