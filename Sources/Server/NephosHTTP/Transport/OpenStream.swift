import NIOCore
import NephosRunner

/// The state of a stream that a connection sends.
final class OpenStream {
    let head: StreamHead
    let writer: StreamWriter
    /// Whether pieces are framed as chunks. HTTP/1.0 clients get them unframed, up to the end of the connection.
    let isChunked: Bool
    /// Bytes written to the socket, including the head.
    private(set) var bytesOut: Int
    private var lastWrite: NIODeadline
    /// How many bytes the socket had accepted at the last check, and when it last accepted some or had nothing left.
    private var taken = 0
    private var takenAt: NIODeadline

    init(_ head: StreamHead, _ writer: StreamWriter, isChunked: Bool, headBytes: Int, at now: NIODeadline) {
        self.head = head
        self.writer = writer
        self.isChunked = isChunked
        bytesOut = headBytes
        lastWrite = now
        takenAt = now
    }

    /// The bytes of `pieces` as they are sent: each copied once.
    func encode(_ pieces: [StreamPiece]) -> ByteBuffer {
        let frame = isChunked ? 20 : 0
        var buffer = ByteBuffer()
        buffer.reserveCapacity(pieces.reduce(0) { $0 + $1.bytes.count + frame })
        // An empty chunk would end the stream.
        for piece in pieces where !piece.bytes.isEmpty {
            if isChunked { buffer.writeString(String(piece.bytes.count, radix: 16) + "\r\n") }
            buffer.writeBytes(piece.bytes)
            if isChunked { buffer.writeStaticString("\r\n") }
        }
        return buffer
    }

    /// The end marker of a stream that ended properly.
    var lastBytes: ByteBuffer { isChunked ? ByteBuffer(staticString: "0\r\n\r\n") : ByteBuffer() }

    func wrote(_ bytes: Int, at now: NIODeadline) {
        bytesOut += bytes
        lastWrite = now
    }

    /// Since when the socket has accepted nothing; `left` is what it still has to accept. nil if it has accepted something since
    /// the last check.
    func stalledSince(left: Int, at now: NIODeadline) -> NIODeadline? {
        if left > 0, bytesOut - left <= taken { return takenAt }
        taken = bytesOut - left
        takenAt = now
        return nil
    }

    /// Whether it is time for a heartbeat.
    func isSilent(at now: NIODeadline, for limit: TimeAmount) -> Bool { now - lastWrite > limit }
}
