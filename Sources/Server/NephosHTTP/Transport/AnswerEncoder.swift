import NIOCore
import NIOHTTP1
import NephosRunner

/// Encodes responses as HTTP/1.1 bytes. One per event loop, so that the common part of most responses is created once a second.
struct AnswerEncoder {
    /// The date and all constant headers.
    private var common: ByteBuffer
    /// The same without the headers that allow pages of other origins to read the response.
    private var commonOfOneOrigin: ByteBuffer
    private var second: Int64 = -1

    init() {
        common = ByteBuffer()
        commonOfOneOrigin = ByteBuffer()
    }

    /// Updates the date of the next responses; cheap if the second has not changed.
    mutating func tick(milliseconds: Int64) {
        let now = milliseconds / 1_000
        guard now != second else { return }
        second = now
        common.clear()
        common.writeString("Date: \(HTTPDate.text(second: now))\r\n")
        for (name, value) in CommonHeaders.ofAll { common.writeString("\(name): \(value)\r\n") }
        commonOfOneOrigin = common
        for (name, value) in CommonHeaders.ofAllOrigins { common.writeString("\(name): \(value)\r\n") }
    }

    /// The response in one buffer, or its beginning: its head and at most `bytesMax` bytes of its body. A HEAD request gets the
    /// headers of the corresponding GET.
    func encode(
        _ answer: RawResponse, id: RequestID, traits: RequestTraits?, closes: Bool, bytesMax: Int = .max,
        allocator: ByteBufferAllocator
    ) -> ByteBuffer {
        let body = traits?.isHEAD == true ? 0 : min(answer.body.count, bytesMax)
        var buffer = allocator.buffer(capacity: common.readableBytes + body + 384)
        writeStart(
            answer.status, id, answer.contentType, answer.headers, isForAllOrigins: answer.isForAllOrigins,
            into: &buffer)
        // The resource of a 304 has its own length, which is not known here (RFC 9110 §8.6).
        writeEnd(closes: closes, traits, length: answer.status == 304 ? nil : Int64(answer.body.count), into: &buffer)
        if body == answer.body.count { buffer.writeBytes(answer.body) } else { buffer.writeBytes(answer.body[..<body]) }
        return buffer
    }

    /// The head of a file.
    func encode(_ answer: FileAnswer, id: RequestID, traits: RequestTraits?, closes: Bool) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.reserveCapacity(common.readableBytes + 512)
        writeStart(answer.status, id, answer.contentType, answer.headers, into: &buffer)
        writeEnd(closes: closes, traits, length: answer.length, into: &buffer)
        return buffer
    }

    /// The head of a stream, which is the last response on its connection.
    func encode(
        _ head: StreamHead, id: RequestID, traits: RequestTraits?, allocator: ByteBufferAllocator
    ) -> ByteBuffer {
        var buffer = allocator.buffer(capacity: common.readableBytes + 512)
        writeStart(head.status, id, head.contentType, head.headers, into: &buffer)
        buffer.writeStaticString("\r\nCache-Control: no-cache, no-transform\r\nX-Accel-Buffering: no")
        if traits?.isHTTP10 != true { buffer.writeStaticString("\r\nTransfer-Encoding: chunked") }
        buffer.writeStaticString("\r\nConnection: close\r\n\r\n")
        return buffer
    }

    /// The common part of responses and streams, without the end of the last line.
    private func writeStart(
        _ status: Int, _ id: RequestID, _ contentType: String, _ headers: [(name: String, value: String)],
        isForAllOrigins: Bool = true, into buffer: inout ByteBuffer
    ) {
        writeStatus(status, into: &buffer)
        buffer.writeImmutableBuffer(isForAllOrigins ? common : commonOfOneOrigin)
        buffer.writeStaticString("X-Apple-Request-UUID: ")
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: RequestID.textBytes) { memory in
            id.write(to: memory)
            return RequestID.textBytes
        }
        writeHeader("\r\nContent-Type: ", contentType, into: &buffer)
        for (name, value) in headers where name.isHeaderName && value.isHeaderValue {
            buffer.writeStaticString("\r\n")
            buffer.writeString(name)
            writeHeader(": ", value, into: &buffer)
        }
    }

    /// The rest of a head after ``writeStart(_:_:_:_:into:)``, for responses of known length.
    private func writeEnd(closes: Bool, _ traits: RequestTraits?, length: Int64?, into buffer: inout ByteBuffer) {
        if closes {
            buffer.writeStaticString("\r\nConnection: close")
        } else if traits?.isHTTP10 == true {
            buffer.writeStaticString("\r\nConnection: keep-alive")
        }
        if let length { writeHeader("\r\nContent-Length: ", String(length), into: &buffer) }
        buffer.writeStaticString("\r\n\r\n")
    }

    private func writeHeader(_ name: StaticString, _ value: String, into buffer: inout ByteBuffer) {
        buffer.writeStaticString(name)
        buffer.writeString(value)
    }

    private func writeStatus(_ status: Int, into buffer: inout ByteBuffer) {
        if status == 200 {
            buffer.writeStaticString("HTTP/1.1 200 OK\r\n")
        } else {
            buffer.writeString("HTTP/1.1 \(status) \(HTTPResponseStatus(statusCode: status).reasonPhrase)\r\n")
        }
    }
}

extension String {
    fileprivate var isHeaderName: Bool {
        !isEmpty && utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
    }

    fileprivate var isHeaderValue: Bool {
        utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
    }
}
