/// What an answer is read from while it is sent (``Work/file(_:)``).
package protocol AnswerSource: Sendable {
    /// Fills `buffer`, or the beginning of it, with what stands at `offset`, and says how many bytes that were; none: there
    /// is nothing at `offset`. Called on a thread that may wait; one call at a time for each answer.
    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int
}

/// An answer that is as large as a file, read piece by piece as the client takes it. Never compressed.
///
/// To HEAD, and with status 304, the head is sent alone and the source is not read. What the source throws is told to
/// ``TransportObserver/failed(_:id:)``: at the first piece it is answered as INTERNAL_ERROR, later the answer breaks off and
/// the connection with it.
package struct FileAnswer: Sendable {
    /// The longest ``FileAnswer/whole``, in bytes.
    package static let wholeBytesMax = 64 << 10

    /// A source that has less than ``FileAnswer/length`` says.
    package struct EndedEarly: Error, Equatable {
        package var offset: Int64
    }

    package var status: Int
    package var contentType: String
    /// Headers of this answer only, as ``RawResponse/headers``.
    package var headers: [(name: String, value: String)]
    package var source: any AnswerSource
    /// Where in the source the answer begins.
    package var offset: Int64
    /// How many bytes are sent; `Content-Length`.
    package var length: Int64
    /// All that is sent, where that is little and whoever makes the answer has read it on a thread of its own: so no other need
    /// be asked for it. Exactly ``FileAnswer/length`` bytes.
    package var whole: [UInt8]?
    /// ``RawResponse/endpoint``.
    package var endpoint: String
    /// As ``RawResponse/whenSent``. The source is not read any more when it is called.
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
    /// Reads what stands at `offset` until `buffer` is full. May wait. - Throws: ``FileAnswer/EndedEarly``, or what reading throws.
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
