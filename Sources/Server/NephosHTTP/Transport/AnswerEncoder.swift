import NIOCore
import NIOHTTP1
import NephosRunner

/// Writes answers as HTTP/1.1 bytes. One for each event loop, so that what most answers share is made once a second.
struct AnswerEncoder {
    /// Date and everything that never changes.
    private var common: ByteBuffer
    /// Without what lets pages of other origins read the answer.
    private var commonOfOneOrigin: ByteBuffer
    private var second: Int64 = -1

    init() {
        common = ByteBuffer()
        commonOfOneOrigin = ByteBuffer()
    }

    /// Makes the date that the next answers carry; cheap when the second has not changed.
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

    /// The answer in one buffer, or its beginning: its head and at most `bytesMax` bytes of its body. A HEAD request gets the
    /// headers of what a GET would get.
    func encode(
        _ answer: RawResponse, id: RequestID, traits: RequestTraits?, closes: Bool, bytesMax: Int = .max,
        allocator: ByteBufferAllocator
    ) -> ByteBuffer {
        let body = traits?.isHEAD == true ? 0 : min(answer.body.count, bytesMax)
        var buffer = allocator.buffer(capacity: common.readableBytes + body + 384)
        writeStart(
            answer.status, id, answer.contentType, answer.headers, isForAllOrigins: answer.isForAllOrigins,
            into: &buffer)
        // What a 304 is about has a length of its own, which nobody knows here (RFC 9110 §8.6).
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

    /// The head of a stream, which is the last answer on its connection.
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

    /// What answers and streams have in common, without the end of the last line.
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

    /// The rest of a head behind what ``writeStart(_:_:_:_:into:)`` writes, for answers whose length is known.
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
