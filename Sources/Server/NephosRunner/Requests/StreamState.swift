/// Bytes of a stream, and who wants to know what came of them.
package struct StreamPiece: Sendable {
    /// What a piece costs at least: small ones need more memory than their bytes.
    private static let costMin = 64

    package var bytes: [UInt8]
    package var whenSent: (@Sendable (Bool) -> Void)?

    package init(bytes: [UInt8], whenSent: (@Sendable (Bool) -> Void)? = nil) {
        self.bytes = bytes
        self.whenSent = whenSent
    }

    /// Counts as so many bytes against the bound and the budget.
    package var cost: Int { max(bytes.count, Self.costMin) }
}

/// What ``StreamWriter`` keeps under its lock.
struct StreamState {
    /// What the connection has not fetched yet.
    var queue: [StreamPiece] = []
    /// Cost of all pieces that the socket has not taken.
    var unsent = 0
    /// Set once the stream takes no pieces any more.
    var ending: StreamWriter.Ending?
    var isTold = false
    var listener: (@Sendable (StreamWriter.Ending) -> Void)?
    /// Has the connection fetch what is there. nil once it has told how the stream ended, so that nothing of the connection
    /// is kept by the writer.
    var wake: (@Sendable () -> Void)?
    private var isAwake = false

    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    /// Puts `piece` behind what waits. Without room for it the stream ends; answers whether there was.
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

    /// Takes no pieces any more. The first ending stands.
    mutating func seal(_ ending: StreamWriter.Ending) {
        if self.ending == nil { self.ending = ending }
    }

    /// What wakes the connection, unless somebody has woken it since it fetched something.
    mutating func wakeOnce() -> (@Sendable () -> Void)? {
        guard !isAwake else { return nil }
        isAwake = true
        return wake
    }

    /// Takes out the pieces that are to be sent next.
    mutating func fetch() -> [StreamPiece] {
        defer { queue = [] }
        isAwake = false
        return queue
    }
}
