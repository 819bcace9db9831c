import NIOCore
import NephosRunner

/// What a connection knows of the body it takes piece by piece.
final class OpenBody {
    /// What is read ahead of the owner at most …
    private static let aheadBytesMax = 256 << 10
    /// … and while half of the budget is used.
    private static let aheadBytesMin = 16 << 10

    let reader: BodyReader
    let bytesMax: Int64
    /// nil: it comes in chunks.
    private let contentLength: Int?
    private let budget: BodyBudget
    private var gathered = ByteBuffer()
    private var bytesIn: Int64 = 0
    /// Bytes of the piece that the owner has.
    private(set) var bytesHanded = 0
    /// Whether the owner has asked for the first piece.
    private(set) var isWanted = false
    /// Whether the owner waits for a piece.
    private var isAsked = false
    private(set) var isWhole = false
    /// When the owner asked; the time that it has waited for the client before that, and what has come in all that time.
    /// Time in which the owner was busy is not the client's.
    private var askedAt = NIODeadline.now()
    private var waited = TimeAmount.zero
    private var speedBytes = 0

    init(_ reader: BodyReader, bytesMax: Int64, contentLength: Int?, budget: BodyBudget) {
        self.reader = reader
        self.bytesMax = bytesMax
        self.contentLength = contentLength
        self.budget = budget
    }

    /// What the gate may do with the client's bytes. They are held as long as enough is there for the owner.
    var input: Connection.Input {
        guard isWanted, !isWhole else { return .hold }
        let room = (budget.isTight ? OpenBody.aheadBytesMin : OpenBody.aheadBytesMax) - gathered.readableBytes
        guard room > 0 else { return .hold }
        return .take(bodyBytes: contentLength.map { Int(clamping: min(Int64($0) - bytesIn, Int64(room))) } ?? 0)
    }

    func hasRoom(for bytes: Int) -> Bool { Int64(bytes) <= bytesMax - bytesIn }

    func gather(_ bytes: ByteBuffer) {
        bytesIn += Int64(bytes.readableBytes)
        speedBytes += bytes.readableBytes
        // Copied, so that the buffer of the socket can be used again.
        gathered.writeImmutableBuffer(bytes)
    }

    func end() { isWhole = true }

    /// The owner wants the next piece.
    func ask(at now: NIODeadline) {
        askedAt = now
        bytesHanded = 0
        isWanted = true
        isAsked = true
    }

    /// What the owner gets now; nil when it must wait, or does not want anything.
    func nextPiece(at now: NIODeadline) -> BodyPiece? {
        guard isAsked, isWhole || gathered.readableBytes > 0 else { return nil }
        isAsked = false
        waited = waited + (now - askedAt)
        bytesHanded = gathered.readableBytes
        guard bytesHanded > 0 else { return .end }
        defer { gathered = ByteBuffer() }
        return .bytes(SocketBytes(buffer: gathered))
    }

    /// Whether less came than `bytesPerSecond` since the speed was last found to be enough, for which the owner has waited
    /// longer than `milliseconds`.
    func isTooSlow(at now: NIODeadline, milliseconds: Int64, bytesPerSecond: Int) -> Bool {
        let time = (waited + (now - askedAt)).milliseconds
        guard isAsked, time > milliseconds else { return false }
        if Int64(speedBytes) * 1_000 < Int64(bytesPerSecond) * time { return true }
        askedAt = now
        waited = .zero
        speedBytes = 0
        return false
    }
}
