import CloudKitWire
import NIOCore
import NephosRunner

/// Sits between the socket and the decoder and passes on no more bytes than the current request can use.
///
/// While a request is being processed, what was read from the socket is held here undecoded, and nothing more is read. So a
/// client that sends requests without waiting for responses costs one read buffer, and its requests are answered in order.
final class RequestGate: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer

    /// Bytes of unknown content are passed to the decoder in pieces of at most this size …
    private static let pieceBytesMax = 2_048
    /// … and, above this size, with at most two blank lines: a head and its body, but not many small requests at once, because a
    /// decoded request takes many times the memory of its bytes.
    private static let pieceBytesMin = 256

    private let connection: Connection
    private var context: ChannelHandlerContext?
    private var waiting: ByteBuffer?
    private var waitingBytesCounted = 0
    private var inputEnded = false
    private var readWanted = false
    private var isFeeding = false
    /// Whether the current request line has ended; determines which limit was exceeded when the decoder fails.
    var requestLineEnded = false

    init(_ connection: Connection) { self.connection = connection }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        drop()
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        if waiting == nil {
            waiting = bytes
        } else {
            waiting?.writeBuffer(&bytes)
        }
        feed()
        countWaiting()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard let end = event as? ChannelEvent, end == .inputClosed else {
            return context.fireUserInboundEventTriggered(event)
        }
        // The end is processed after the held bytes, but whether anybody still waits for a response is known now.
        connection.clientClosed()
        if waiting == nil {
            context.fireUserInboundEventTriggered(event)
        } else {
            inputEnded = true
        }
    }

    func read(context: ChannelHandlerContext) {
        if waiting != nil || connection.input == .hold && !connection.readsAhead {
            readWanted = true
        } else {
            context.read()
        }
    }

    /// Continues after the connection's ``Connection/input`` has changed: feeds the held bytes, then reads again.
    func proceed() {
        guard !isFeeding else { return }
        feed()
        releaseWaiting()
        guard let context, waiting == nil, connection.input != .hold else { return }
        if inputEnded {
            inputEnded = false
            context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }
        if readWanted {
            readWanted = false
            context.read()
        }
    }

    private func feed() {
        guard !isFeeding else { return }
        isFeeding = true
        defer { isFeeding = false }
        while let context, let piece = nextPiece() {
            connection.beginRequest()
            if !requestLineEnded { requestLineEnded = piece.containsLineEnd }
            context.fireChannelRead(wrapInboundOut(piece))
            connection.takeDecodedParts()
        }
    }

    private func nextPiece() -> ByteBuffer? {
        switch connection.input {
        case .hold:
            return nil
        case .discard:
            drop()
            return nil
        case .take(let bodyBytes):
            guard var bytes = waiting else { return nil }
            let length = bodyBytes > 0 ? min(bodyBytes, bytes.readableBytes) : RequestGate.pieceLength(bytes)
            // The last piece is taken out of the field first, so that the decoder has the only reference and the socket's buffer
            // can be reused.
            waiting = nil
            guard length < bytes.readableBytes, let piece = bytes.readSlice(length: length) else { return bytes }
            waiting = bytes
            return piece
        }
    }

    private static func pieceLength(_ bytes: ByteBuffer) -> Int {
        bytes.withUnsafeReadableBytes { bytes in
            let bytes = bytes.prefix(pieceBytesMax)
            guard bytes.count > pieceBytesMin else { return bytes.count }
            var blankLines = 0
            var rest = bytes
            while let lineEnd = rest.place(of: UInt8(ascii: "\n")) {
                rest = rest[(lineEnd + 1)...]
                let next = rest.first == UInt8(ascii: "\r") ? rest.dropFirst() : rest
                guard next.first == UInt8(ascii: "\n") else { continue }
                blankLines += 1
                if blankLines >= 2, next.startIndex >= pieceBytesMin { return next.startIndex + 1 }
            }
            return bytes.count
        }
    }

    private func drop() {
        waiting = nil
        releaseWaiting()
    }

    /// Counts the held bytes against the budget like a body. If there is no room, the connection gives up.
    private func countWaiting() {
        guard let bytes = waiting?.readableBytes, bytes > waitingBytesCounted else { return }
        if connection.host.budget.reserve(bytes - waitingBytesCounted) {
            waitingBytesCounted = bytes
        } else {
            drop()
            connection.failLater(connection.host.budget.refusal)
        }
    }

    private func releaseWaiting() {
        guard waitingBytesCounted > 0, waiting == nil else { return }
        connection.host.budget.release(waitingBytesCounted)
        waitingBytesCounted = 0
    }
}

extension ByteBuffer {
    fileprivate var containsLineEnd: Bool {
        withUnsafeReadableBytes { $0.place(of: UInt8(ascii: "\n")) != nil }
    }
}
