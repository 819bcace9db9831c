import NIOCore
import NIOHTTP1
import NephosRunner
import NephosStorage

/// The request body mode, which the responder chooses when the head has arrived.
extension Connection {
    /// Continues a request whose head has arrived, in the mode that the responder chose.
    func take(_ request: RawRequest, _ bodyMode: RequestBodyMode) {
        switch bodyMode {
        case .whole:
            takeWhole()
        case .pieces(let bytesMax, let begin):
            self.request = nil
            receive(request, bytesMax: bytesMax, begin)
        case .unread(let answer):
            self.request = nil
            // It is not known how much would have to be read before the next request.
            traits?.keepsAlive = false
            gate?.requestLineEnded = false
            phase = .working
            carryOut(answer(request))
        case .blocking, .later:
            decide(request, bodyMode)
        }
    }

    /// Leaves the body in the socket until the responder has chosen a mode.
    private func decide(_ request: RawRequest, _ bodyMode: RequestBodyMode) {
        guard let eventLoop = context?.eventLoop else { return close() }
        let connection = NIOLoopBound(self, eventLoop: eventLoop)
        isUndecided = true
        // Always later, so that the code that feeds this connection completes first.
        transport.decide(bodyMode) { bodyMode in
            eventLoop.execute { connection.value.decided(request, bodyMode) }
        }
    }

    private func decided(_ request: RawRequest, _ bodyMode: RequestBodyMode) {
        guard isUndecided, id == request.id else { return }
        isUndecided = false
        guard phase == .body else { return }
        phaseStart = .now()
        take(request, bodyMode)
        takeDecodedParts()
        gate?.proceed()
    }

    private func takeWhole() {
        guard let traits else { return }
        if let length = traits.contentLength, length > limits.bodyBytesMax {
            return fail(.bodyTooLarge(bytesMax: limits.bodyBytesMax))
        }
        if traits.expectsContinue, !traits.isHTTP10 { inviteBody() }
    }

    /// Whether to ask the responder for the body mode: for methods without a body, only if one is announced.
    func mayHaveOwner(_ request: RawRequest, _ traits: RequestTraits) -> Bool {
        switch request.method {
        case .get, .head, .options: (traits.contentLength ?? 0) > 0 || request.headers.contains(.transferEncoding)
        default: true
        }
    }

    func inviteBody() {
        guard let context else { return }
        let invitation = context.channel.allocator.buffer(staticString: "HTTP/1.1 100 Continue\r\n\r\n")
        context.writeAndFlush(wrapOutboundOut(invitation), promise: nil)
    }
}
