import NIOCore
import NephosRunner

/// The state of a body that a connection receives piece by piece.
final class OpenBody {
    /// The maximum number of bytes read ahead of the owner …
    private static let aheadBytesMax = 256 << 10
    /// … and while more than half of the budget is used.
    private static let aheadBytesMin = 16 << 10

    let reader: BodyReader
    let bytesMax: Int64
    /// nil if the body is chunked.
    private let contentLength: Int?
    private let budget: BodyBudget
    private var gathered = ByteBuffer()
    private var bytesIn: Int64 = 0
    /// The size of the piece that the owner has.
    private(set) var bytesHanded = 0
    /// Whether the owner has requested the first piece.
    private(set) var isWanted = false
    /// Whether the owner waits for a piece.
    private var isAsked = false
    private(set) var isWhole = false
    /// When the owner asked; the time that it has waited for the client before that, and the bytes received in all that time.
    /// Time in which the owner was busy does not count against the client.
    private var askedAt = NIODeadline.now()
    private var waited = TimeAmount.zero
    private var speedBytes = 0

    init(_ reader: BodyReader, bytesMax: Int64, contentLength: Int?, budget: BodyBudget) {
        self.reader = reader
        self.bytesMax = bytesMax
        self.contentLength = contentLength
        self.budget = budget
    }

    /// What the gate may do with the client's bytes. They are held while enough is buffered for the owner.
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
        // Copied, so that the socket's buffer can be reused.
        gathered.writeImmutableBuffer(bytes)
    }

    func end() { isWhole = true }

    /// The owner requests the next piece.
    func ask(at now: NIODeadline) {
        askedAt = now
        bytesHanded = 0
        isWanted = true
        isAsked = true
    }

    /// The piece for the owner; nil if it must wait, or has not requested one.
    func nextPiece(at now: NIODeadline) -> BodyPiece? {
        guard isAsked, isWhole || gathered.readableBytes > 0 else { return nil }
        isAsked = false
        waited = waited + (now - askedAt)
        bytesHanded = gathered.readableBytes
        guard bytesHanded > 0 else { return .end }
        defer { gathered = ByteBuffer() }
        return .bytes(SocketBytes(buffer: gathered))
    }

    /// Whether less than `bytesPerSecond` arrived since the speed was last sufficient, if the owner has waited longer than
    /// `milliseconds`.
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
