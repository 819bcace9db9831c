import NIOCore
import NIOHTTP1
import NephosStorage

/// How the body of a request is taken, which the responder says when the head is there.
extension Connection {
    /// Goes on with a request whose head is there, as the responder says.
    func take(_ head: HTTPRequestHead, _ reception: Reception) {
        switch reception {
        case .whole:
            takeWhole()
        case .pieces(let bytesMax, let begin):
            self.head = nil
            receive(head, bytesMax: bytesMax, begin)
        case .unread(let answer):
            self.head = nil
            // Nobody knows how much would have to be read before the next request.
            traits?.keepsAlive = false
            gate?.requestLineEnded = false
            phase = .working
            carryOut(answer(request(head, body: [])))
        case .blocking, .later:
            decide(head, reception)
        }
    }

    /// Leaves the body where it is until the responder knows how to take it.
    private func decide(_ head: HTTPRequestHead, _ reception: Reception) {
        guard let eventLoop = context?.eventLoop else { return close() }
        let connection = NIOLoopBound(self, eventLoop: eventLoop)
        let id = id
        isUndecided = true
        // Always a moment later, so that whoever feeds this connection comes to an end first.
        transport.decide(reception) { reception in
            eventLoop.execute { connection.value.decided(id, head, reception) }
        }
    }

    private func decided(_ id: RequestID, _ head: HTTPRequestHead, _ reception: Reception) {
        guard isUndecided, self.id == id else { return }
        isUndecided = false
        guard phase == .body else { return }
        phaseStart = .now()
        take(head, reception)
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
    func mayHaveOwner(_ head: HTTPRequestHead, _ traits: RequestTraits) -> Bool {
        switch head.method {
        case .GET, .HEAD, .OPTIONS: (traits.contentLength ?? 0) > 0 || head.headers.contains(name: "Transfer-Encoding")
        default: true
        }
    }

    func inviteBody() {
        guard let context else { return }
        let invitation = context.channel.allocator.buffer(staticString: "HTTP/1.1 100 Continue\r\n\r\n")
        context.writeAndFlush(wrapOutboundOut(invitation), promise: nil)
    }
}
