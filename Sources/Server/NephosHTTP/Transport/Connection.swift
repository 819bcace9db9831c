import NIOCore
import NIOHTTP1
import NephosRunner
import NephosStorage

/// One connection: separates requests, answers them one after the other, and enforces the limits.
///
/// Runs on its event loop. ``RequestGate`` in front of the decoder checks ``input`` before it passes bytes on.
final class Connection: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = ByteBuffer

    /// The state of a connection. In all states after `idle` there is exactly one request.
    enum Phase {
        /// Between requests.
        case idle
        /// Some bytes of a request have arrived, its headers are not complete.
        case headers
        case body
        /// The body is passed to its owner piece by piece (``openBody``).
        case receiving
        /// The responder has the request.
        case working
        /// The request is parked (``parking``).
        case parked
        /// A stream is sent (``stream``).
        case streaming
        /// A file is being sent (``openFile``), not including its last piece.
        case sending
        /// The socket has not accepted the whole response yet.
        case writing
        /// The last response is sent; what the client still sends is discarded until it closes.
        case lingering
        case closed
    }

    /// What ``RequestGate`` may do with the client's bytes.
    enum Input: Equatable {
        /// Decode them; `bodyBytes` of them are known to belong to the current request.
        case take(bodyBytes: Int)
        case hold
        case discard
    }

    let transport: Transport
    let loop: ConnectionLoop
    weak var gate: RequestGate?
    /// Known once the connection is open, as is ``host``.
    var peer = Peer.none
    /// The connected client; it may be a proxy.
    var host: Client
    /// The last `Host` of a request that was found to be this machine: clients send the same one each time.
    var localHost: String?
    /// The client of the current request: the host, or one for which it forwards.
    var client: Client
    var context: ChannelHandlerContext?

    var phase = Phase.idle
    var phaseStart = NIODeadline.now()
    var requestStart = NIODeadline.now()
    var id = RequestID.next()
    /// When the request must be answered and its response accepted completely; nil if it may take longer.
    var answerDue: NIODeadline?
    /// Without its body, until it is passed to the responder.
    var request: RawRequest?
    var method: RequestMethod?
    /// Path and query; only the path while the request waits.
    var target = ""
    var traits: RequestTraits?
    var body: [UInt8] = []
    /// The length of the body received so far.
    var bytesIn = 0
    /// Bytes of the request, or of its response, that ``budget`` counts for this connection.
    var bytesCounted = 0
    /// How many bytes of the response the socket had not accepted at the last sweep, and since when it is that slow.
    var unsent = 0
    /// The part of a response not yet written to the socket.
    var unwritten = 0
    var unsentSince = NIODeadline.now()
    /// How many bytes of this connection the client's system had received at ``unsentSince``; nil if this system does not report it.
    var acknowledged: (since: NIODeadline, bytes: UInt64)?
    var parking: Parking?
    var stream: OpenStream?
    /// Set until its owner answers.
    var openBody: OpenBody?
    /// Set until the last piece is written to the socket.
    var openFile: OpenFile?
    /// Whether the current request was parked or is streamed.
    var hasWaited = false
    /// Whether the client has closed its side. Requests that arrived before may be left.
    var isAbandoned = false

    /// Later requests that the decoder produced from the same piece.
    private var decoded = CircularBuffer<HTTPServerRequestPart>(initialCapacity: 0)
    private var failure: TransportFailure?
    private var isTaking = false
    /// Whether the body mode of the current request is not decided yet. The body is left in the socket meanwhile.
    var isUndecided = false
    /// Whether the server has room for one more connection.
    var isAdmitted = true
    private var inputEnded = false
    /// Set when the server stops; the current response is the last.
    private(set) var stopsAt: NIODeadline?
    private(set) var hasServed = false

    init(transport: Transport, loop: ConnectionLoop) {
        self.transport = transport
        self.loop = loop
        host = transport.clients.unmet
        client = host
    }

    var budget: BodyBudget { client.budget }
    var limits: HTTPLimits { transport.limits }

    var input: Input {
        switch phase {
        // What follows a stream is never answered.
        case .streaming, .lingering, .closed: .discard
        case .working, .parked, .sending, .writing: .hold
        case .receiving: openBody?.input ?? .hold
        case .idle where !decoded.isEmpty, .headers where !decoded.isEmpty, .body where !decoded.isEmpty: .hold
        case .body where isUndecided: .hold
        case .idle, .headers: .take(bodyBytes: 0)
        case .body: .take(bodyBytes: (traits?.contentLength ?? body.count) - body.count)
        }
    }

    /// Whether the next read may be started although nothing can be decoded yet: it is free while the client waits for its
    /// response, whereas canceling and restarting it costs two system calls per request.
    var readsAhead: Bool { phase == .working && decoded.isEmpty && failure == nil }

    /// Whether the decoder's next part belongs to the current request, or begins the next one.
    private var isTakingRequest: Bool {
        switch phase {
        case .idle, .headers: true
        case .body: !isUndecided
        case .receiving: openBody?.isWhole == false
        case .working, .parked, .streaming, .sending, .writing, .lingering, .closed: false
        }
    }

    // MARK: From the channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        loop.add(self)
        isAdmitted = transport.opened()
    }

    func channelActive(context: ChannelHandlerContext) {
        meet(context.channel)
        context.fireChannelActive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        leave()
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    /// The next request has begun, unless it already had.
    func beginRequest() {
        guard phase == .idle else { return }
        id = .next()
        bytesIn = 0
        requestStart = .now()
        answerDue = requestStart + .milliseconds(limits.requestMilliseconds)
        hasWaited = false
        method = nil
        target = ""
        enter(.headers, at: requestStart)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        if isTakingRequest, decoded.isEmpty {
            take(part)
        } else if input == .hold {
            decoded.append(part)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case HTTPParserError.headerOverflow where gate?.requestLineEnded == false:
            failLater(.targetTooLong(bytesMax: limits.targetBytesMax))
        case HTTPParserError.headerOverflow:
            failLater(.headersTooLarge(bytesMax: limits.headerBytesMax, countMax: limits.headerCountMax))
        case is HTTPParserError:
            failLater(.malformed)
        default:
            // The socket broke; there is no client to answer.
            close()
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case let event as ChannelEvent where event == .inputClosed:
            inputEnded = true
            closeIfFinished()
        case is ChannelShouldQuiesceEvent:
            stopsAt = .now() + .milliseconds(limits.shutdownMilliseconds)
            parking?.end(.serverStops)
            end(stream, .serverStops)
            closeIfFinished()
        default:
            context.fireUserInboundEventTriggered(event)
        }
    }

    // MARK: Taking requests

    /// Processes what the decoder has already produced, as long as responses are immediate.
    func takeDecodedParts() {
        guard !isTaking else { return }
        isTaking = true
        defer { isTaking = false }
        while isTakingRequest {
            if let part = decoded.popFirst() {
                take(part)
            } else if let failure {
                self.failure = nil
                fail(failure)
            } else {
                break
            }
        }
        closeIfFinished()
    }

    private func take(_ part: HTTPServerRequestPart) {
        switch part {
        case .head(let head): begin(head)
        case .body(let bytes): openBody == nil ? collect(bytes) : gather(bytes)
        case .end: openBody == nil ? start() : endBody()
        }
    }

    private func begin(_ head: HTTPRequestHead) {
        beginRequest()
        let traits = RequestTraits(head)
        var request = RawRequest(head, id: id, peer: peer)
        if let url = transport.publicURL { request.target = url.ownTarget(of: request.target) }
        request.network = client.network
        self.request = request
        method = request.method
        target = request.target
        self.traits = traits
        enter(.body, at: .now())
        if head.uri.utf8.count > limits.targetBytesMax {
            return fail(.targetTooLong(bytesMax: limits.targetBytesMax))
        }
        if traits.headerBytes > limits.headerBytesMax || head.headers.count > limits.headerCountMax {
            return fail(.headersTooLarge(bytesMax: limits.headerBytesMax, countMax: limits.headerCountMax))
        }
        if comesByProxy(traits) {
            meetClient(in: request.headers)
            if client.status != .admitted { return fail(.tooManyOfClient(limits.clientConnectionsMax)) }
            request.network = client.network
            self.request = request
        }
        guard mayHaveOwner(request, traits) else { return take(request, .whole) }
        if request.method == .options { return take(request, .unread { .answer(Preflight.answer(to: $0)) }) }
        if traits.isEncoded { return fail(.bodyEncoded) }
        let announced = traits.expectsContinue ? nil : traits.contentLength
        take(request, transport.responder.bodyMode(of: request, bodyBytes: announced))
    }

    private func collect(_ bytes: ByteBuffer) {
        guard phase == .body else { return }
        let length = body.count + bytes.readableBytes
        guard length <= limits.bodyBytesMax else { return fail(.bodyTooLarge(bytesMax: limits.bodyBytesMax)) }
        guard makeRoom(for: length) else { return fail(budget.refusal) }
        body.append(contentsOf: bytes.readableBytesView)
        bytesIn = length
    }

    /// Grows the body's buffer, which is what the budget counts. It doubles, so that data is not copied repeatedly; an announced
    /// length is used only up to that, because an announcement costs a client nothing.
    private func makeRoom(for length: Int) -> Bool {
        guard body.capacity < length else { return true }
        let doubled = max(2 * body.capacity, 4 << 10)
        let wanted = max(length, min(traits?.contentLength ?? doubled, doubled, limits.bodyBytesMax))
        guard count(wanted - bytesCounted) else { return false }
        body.reserveCapacity(wanted)
        return true
    }

    private func start() {
        guard phase == .body, var request else { return }
        gate?.requestLineEnded = false
        self.request = nil
        request.body = body
        body = []
        phase = .working
        carryOut(
            request.method == .options
                ? .answer(Preflight.answer(to: request)) : transport.responder.respond(to: request))
    }

    // MARK: State

    func enter(_ phase: Phase, at time: NIODeadline) {
        self.phase = phase
        phaseStart = time
    }

    /// Counts `bytes` for this connection, if the budget has room for them.
    func count(_ bytes: Int) -> Bool {
        guard budget.reserve(bytes) else { return false }
        bytesCounted += bytes
        return true
    }

    func uncount(_ bytes: Int) {
        budget.release(bytes)
        bytesCounted -= bytes
    }

    func uncount() {
        budget.release(bytesCounted)
        bytesCounted = 0
    }

    /// Discards what has arrived after the current request.
    func forgetInput() {
        decoded.removeAll()
        gate?.proceed()
    }

    /// Answers with `failure` after the previous responses are sent, and closes.
    func failLater(_ failure: TransportFailure) {
        guard self.failure == nil else { return }
        self.failure = failure
        takeDecodedParts()
    }

    /// Whether another request may follow the current one.
    var keepsAlive: Bool {
        guard let traits else { return false }
        return traits.keepsAlive && !traits.endsConnection && stopsAt == nil
    }

    /// Closes if there is no current request and no other will follow.
    func closeIfFinished() {
        let isOver =
            switch phase {
            case .idle: decoded.isEmpty && failure == nil && (inputEnded || stopsAt != nil)
            case .lingering: inputEnded
            case .headers, .body, .receiving, .working, .parked, .streaming, .sending, .writing, .closed: false
            }
        if isOver { close() }
    }

    /// Called after a response that leaves the connection open.
    func proceed(at time: NIODeadline) {
        hasServed = true
        leaveClient()
        traits = nil
        enter(.idle, at: time)
        guard !isTaking else { return }
        takeDecodedParts()
        gate?.proceed()
    }

    func close() {
        guard phase != .closed else { return }
        context?.close(promise: nil)
        leave()
    }

    private func leave() {
        guard phase != .closed else { return }
        phase = .closed
        peer.abandonment?.abandon()
        uncount()
        body = []
        decoded.removeAll()
        leaveClient()
        transport.clients.leave(host)
        loop.remove(self)
        transport.closed()
        // Last, because the notified code may do anything.
        notifyWaiters()
    }
}
