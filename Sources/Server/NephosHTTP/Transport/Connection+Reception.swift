import NIOCore
import NIOHTTP1
import NephosRunner
import NephosStorage

/// How the body of a request is taken, which the responder says when the head is there.
extension Connection {
    /// Goes on with a request whose head is there, as the responder says.
    func take(_ request: RawRequest, _ reception: Reception) {
        switch reception {
        case .whole:
            takeWhole()
        case .pieces(let bytesMax, let begin):
            self.request = nil
            receive(request, bytesMax: bytesMax, begin)
        case .unread(let answer):
            self.request = nil
            // Nobody knows how much would have to be read before the next request.
            traits?.keepsAlive = false
            gate?.requestLineEnded = false
            phase = .working
            carryOut(answer(request))
        case .blocking, .later:
            decide(request, reception)
        }
    }

    /// Leaves the body where it is until the responder knows how to take it.
    private func decide(_ request: RawRequest, _ reception: Reception) {
        guard let eventLoop = context?.eventLoop else { return close() }
        let connection = NIOLoopBound(self, eventLoop: eventLoop)
        isUndecided = true
        // Always a moment later, so that whoever feeds this connection comes to an end first.
        transport.decide(reception) { reception in
            eventLoop.execute { connection.value.decided(request, reception) }
        }
    }

    private func decided(_ request: RawRequest, _ reception: Reception) {
        guard isUndecided, id == request.id else { return }
        isUndecided = false
        guard phase == .body else { return }
        phaseStart = .now()
        take(request, reception)
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

    /// Whether the responder is asked how to take the body: of methods that have none, only where one is announced.
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
