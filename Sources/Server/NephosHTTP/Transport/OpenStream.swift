import NIOCore
import NephosRunner

/// What a connection knows of the stream it sends.
final class OpenStream {
    let head: StreamHead
    let writer: StreamWriter
    /// Whether pieces are framed as chunks. Clients of HTTP/1.0 get them bare, up to the end of the connection.
    let isChunked: Bool
    /// Given to the socket, with the head.
    private(set) var bytesOut: Int
    private var lastWrite: NIODeadline
    /// How many bytes the socket was last seen to have taken, and when it last took some or had nothing left to take.
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
        // An empty chunk would be the last.
        for piece in pieces where !piece.bytes.isEmpty {
            if isChunked { buffer.writeString(String(piece.bytes.count, radix: 16) + "\r\n") }
            buffer.writeBytes(piece.bytes)
            if isChunked { buffer.writeStaticString("\r\n") }
        }
        return buffer
    }

    /// What says that the stream ended as it should.
    var lastBytes: ByteBuffer { isChunked ? ByteBuffer(staticString: "0\r\n\r\n") : ByteBuffer() }

    func wrote(_ bytes: Int, at now: NIODeadline) {
        bytesOut += bytes
        lastWrite = now
    }

    /// Since when the socket takes nothing of what it should; `left` is what it still has to take. nil if it has taken
    /// something since the last look.
    func stalledSince(left: Int, at now: NIODeadline) -> NIODeadline? {
        if left > 0, bytesOut - left <= taken { return takenAt }
        taken = bytesOut - left
        takenAt = now
        return nil
    }

    /// Whether it is time for a sign of life.
    func isSilent(at now: NIODeadline, for limit: TimeAmount) -> Bool { now - lastWrite > limit }
}
