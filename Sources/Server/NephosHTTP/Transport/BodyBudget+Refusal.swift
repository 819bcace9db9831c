import NephosRunner

extension BodyBudget {
    /// The failure when there is no room.
    var refusal: TransportFailure {
        if let all { .noRoom(bytesMax: all.bytesMax, ofClient: bytesMax) } else { .noRoom(bytesMax: bytesMax) }
    }
}
