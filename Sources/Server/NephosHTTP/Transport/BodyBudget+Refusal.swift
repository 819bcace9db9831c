import NephosRunner

extension BodyBudget {
    /// The failure when there is no room for a request.
    var refusal: TransportFailure { refusal(forAnswer: false) }

    /// - Parameter forAnswer: Whether it is the answer that has no room: its request was carried out.
    func refusal(forAnswer: Bool) -> TransportFailure {
        guard let all else { return .noRoom(bytesMax: bytesMax, forAnswer: forAnswer) }
        return .noRoom(bytesMax: all.bytesMax, ofClient: bytesMax, forAnswer: forAnswer)
    }
}
