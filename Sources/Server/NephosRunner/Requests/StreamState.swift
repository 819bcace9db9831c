/// Bytes of a stream, and a callback for their fate.
package struct StreamPiece: Sendable {
    /// The minimum cost of a piece: small pieces need more memory than their bytes.
    private static let costMin = 64

    package var bytes: [UInt8]
    package var whenSent: (@Sendable (Bool) -> Void)?

    package init(bytes: [UInt8], whenSent: (@Sendable (Bool) -> Void)? = nil) {
        self.bytes = bytes
        self.whenSent = whenSent
    }

    /// The number of bytes that count against the limit and the budget.
    package var cost: Int { max(bytes.count, Self.costMin) }
}

/// The state that ``StreamWriter`` guards with its lock.
struct StreamState {
    /// Pieces that the connection has not fetched yet.
    var queue: [StreamPiece] = []
    /// The cost of all pieces that the socket has not accepted.
    var unsent = 0
    /// Set once the stream accepts no more pieces.
    var ending: StreamWriter.Ending?
    var wasNotified = false
    var listener: (@Sendable (StreamWriter.Ending) -> Void)?
    /// Makes the connection fetch the queue. nil once the connection has reported how the stream ended, so that the writer
    /// retains nothing of the connection.
    var wake: (@Sendable () -> Void)?
    private var isAwake = false

    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    /// Appends `piece` to the queue. If there is no room for it the stream ends. Returns whether there was room.
    mutating func take(_ piece: StreamPiece, unsentMax: Int, _ budget: BodyBudget) -> Bool {
        guard ending == nil else { return false }
        guard unsent + piece.cost <= unsentMax, budget.reserve(piece.cost) else {
            seal(.fellBehind)
            return false
        }
        queue.append(piece)
        unsent += piece.cost
        return true
    }

    /// Accepts no more pieces. The first ending is kept.
    mutating func seal(_ ending: StreamWriter.Ending) {
        if self.ending == nil { self.ending = ending }
    }

    /// The closure that wakes the connection, unless it was already woken since its last fetch.
    mutating func wakeOnce() -> (@Sendable () -> Void)? {
        guard !isAwake else { return nil }
        isAwake = true
        return wake
    }

    /// Removes and returns the pieces to send next.
    mutating func fetch() -> [StreamPiece] {
        defer { queue = [] }
        isAwake = false
        return queue
    }
}
