import NephosRunner

/// What is left for the connection to do once all other work on a request is done.
enum Outcome: Sendable {
    case answer(RawResponse)
    case parked(@Sendable (Parking) -> Void)
    case stream(StreamHead, @Sendable (StreamWriter) -> Void)
    indirect case file(FileAnswer)
    case failed(any Error)

    /// The request was given up meanwhile.
    func discard() {
        switch self {
        case .answer(let answer): answer.whenSent?(false)
        case .file(let answer): answer.whenSent?(false)
        case .parked, .stream, .failed: break
        }
    }
}
