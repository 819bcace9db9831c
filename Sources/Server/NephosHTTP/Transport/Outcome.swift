/// What is left for the connection to do once all other work on a request is done.
enum Outcome: Sendable {
    case answer(RawResponse)
    case parked(@Sendable (Parking) -> Void)
    case stream(StreamHead, @Sendable (StreamWriter) -> Void)
    case failed(any Error)

    /// The request was given up meanwhile.
    func discard() {
        if case .answer(let answer) = self { answer.whenSent?(false) }
    }
}

extension Work {
    /// The request was given up meanwhile, so the work is not carried out.
    func discard() {
        if case .answer(let answer) = self { answer.whenSent?(false) }
    }
}
