import NephosRunner

extension BodyBudget {
    /// What is answered where there is no room.
    var refusal: TransportFailure {
        if let all { .noRoom(bytesMax: all.bytesMax, ofClient: bytesMax) } else { .noRoom(bytesMax: bytesMax) }
    }
}
