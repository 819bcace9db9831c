/// The source that a response is read from while it is sent (``Work/file(_:)``).
package protocol AnswerSource: Sendable {
    /// Fills `buffer`, or the beginning of it, with the content at `offset`, and returns the number of bytes; 0 at the end.
    /// Called on a thread that may block; one call at a time for each response.
    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int
}

/// A response with the content of a file, read piece by piece as the client takes it. Never compressed.
///
/// For HEAD, and with status 304, only the head is sent and the source is not read. Errors of the source are reported to
/// ``TransportObserver/failed(_:id:)``, except for ``RightEnded``: at the first piece the response is INTERNAL_ERROR, later the response is aborted and the
/// connection closed.
package struct FileAnswer: Sendable {
    /// The maximum length of ``FileAnswer/whole``, in bytes.
    package static let wholeBytesMax = 64 << 10

    /// The source has less than ``FileAnswer/length`` bytes.
    package struct EndedEarly: Error, Equatable {
        package var offset: Int64
    }

    /// Whoever reads it may not any more: the response is aborted, which is not a failure of the server.
    package struct RightEnded: Error {
        package init() {}
    }

    package var status: Int
    package var contentType: String
    /// Headers of this response only, as ``RawResponse/headers``.
    package var headers: [(name: String, value: String)]
    package var source: any AnswerSource
    /// The offset in the source at which the response begins.
    package var offset: Int64
    /// The number of bytes sent; `Content-Length`.
    package var length: Int64
    /// The whole content, if it is small and was already read on a thread of the handler, so that no other thread is needed.
    /// Exactly ``FileAnswer/length`` bytes.
    package var whole: [UInt8]?
    /// ``RawResponse/endpoint``.
    package var endpoint: String
    /// As ``RawResponse/whenSent``. The source is no longer read when it is called.
    package var whenSent: (@Sendable (Bool) -> Void)?

    package init(
        status: Int = 200, contentType: String, headers: [(name: String, value: String)] = [],
        source: any AnswerSource, offset: Int64 = 0, length: Int64, endpoint: String = "other",
        whenSent: (@Sendable (Bool) -> Void)? = nil
    ) {
        self.status = status
        self.contentType = contentType
        self.headers = headers
        self.source = source
        self.offset = offset
        self.length = length
        self.endpoint = endpoint
        self.whenSent = whenSent
    }
}

extension AnswerSource {
    /// Reads from `offset` until `buffer` is full. Blocks. - Throws: ``FileAnswer/EndedEarly``, or the error of reading.
    package func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws {
        var count = 0
        while count < buffer.count {
            let next = offset + Int64(count)
            let room = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
            let got = min(try read(at: next, into: room), room.count)
            guard got > 0 else { throw FileAnswer.EndedEarly(offset: next) }
            count += got
        }
    }
}
