import NephosRunner

/// The state of a file that a connection sends.
final class OpenFile {
    /// How much is read and written to the socket at a time.
    static let pieceBytesMax = 256 << 10

    let answer: FileAnswer
    /// The maximum number of pieces at the same time that are being read or not accepted by the socket yet.
    var piecesMax = 1
    /// Pieces written to the socket, and not accepted yet.
    var piecesUnsent = 0
    /// Bytes written to the socket, including the head. 0 means that the head is not sent either.
    var bytesOut = 0
    /// Whether the connection closes after the response, as its head states.
    var closes = false
    private(set) var isReading = false
    private var bytesRead: Int64 = 0
    private var isOver = false

    init(_ answer: FileAnswer) { self.answer = answer }

    /// The room that a first piece needs; a second one never needs more.
    var pieceBytes: Int { Int(min(answer.length, Int64(OpenFile.pieceBytesMax))) }

    var isReadWhole: Bool { bytesRead == answer.length }

    /// The piece to read now; nil if there is none. Until ``endReading()`` there is no other.
    func beginReading() -> (offset: Int64, count: Int)? {
        guard !isReading, !isReadWhole, piecesUnsent < piecesMax else { return nil }
        isReading = true
        let count = Int(min(answer.length - bytesRead, Int64(OpenFile.pieceBytesMax)))
        defer { bytesRead += Int64(count) }
        return (answer.offset + bytesRead, count)
    }

    func endReading() {
        isReading = false
        if isOver { answer.whenSent?(false) }
    }

    /// The response will not be sent completely. Its `whenSent` is called once the source is no longer read.
    func abort() {
        if isReading { isOver = true } else { answer.whenSent?(false) }
    }
}
