import NephosRunner

/// What a connection knows of the file it sends.
final class OpenFile {
    /// How much is read and given to the socket at once.
    static let pieceBytesMax = 256 << 10

    let answer: FileAnswer
    /// How many pieces there may be at the same time, being read or not taken by the socket yet.
    var piecesMax = 1
    /// Given to the socket, and not taken yet.
    var piecesUnsent = 0
    /// Given to the socket, with the head. None yet: the head is not sent either.
    var bytesOut = 0
    /// Whether the connection closes behind the answer, as its head says.
    var closes = false
    private(set) var isReading = false
    private var bytesRead: Int64 = 0
    private var isOver = false

    init(_ answer: FileAnswer) { self.answer = answer }

    /// What a first piece needs room for; a second one never more.
    var pieceBytes: Int { Int(min(answer.length, Int64(OpenFile.pieceBytesMax))) }

    var isReadWhole: Bool { bytesRead == answer.length }

    /// The piece that is to be read now; nil if none is. Until ``endReading()`` there is no other.
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

    /// The answer will not be sent whole. Whoever waits for that is told once the source is not read any more.
    func breakOff() {
        if isReading { isOver = true } else { answer.whenSent?(false) }
    }
}
