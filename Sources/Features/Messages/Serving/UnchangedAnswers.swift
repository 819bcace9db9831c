import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage
import Synchronization

/// Responses to devices that have seen none of the open messages, by the complete address of the request. A repeated request with
/// the response's tag only needs a check that nothing has changed.
final class UnchangedAnswers: Sendable {
    struct Answer: Sendable {
        let tag: String
        let generation: MessageCache.Generation
        /// From the time of the response until it changes without an edit.
        let hours: Range<Milliseconds>
        /// The scan for what the device may have seen since; nil for none.
        let seen: Scan<SeenRow>?
    }

    /// Responses that are remembered; beyond this, one is forgotten for each new one.
    private static let most = 4_096
    /// Longer addresses are not remembered.
    private static let targetBytesMax = 512

    private let answers = Mutex<[String: Answer]>([:])

    /// A remembered response for a request that has a tag; nil for none.
    func answer(to call: AdmittedCall) -> Answer? {
        guard call.call.request.headers.contains(.ifNoneMatch), Self.isKnown(call) else { return nil }
        return answers.withLock { $0[call.call.request.target] }
    }

    func remember(_ answer: Answer, to call: AdmittedCall) {
        let target = call.call.request.target
        guard Self.isKnown(call), target.utf8.count <= Self.targetBytesMax else { return }
        answers.withLock { answers in
            if answers[target] == nil, answers.count >= Self.most, let one = answers.keys.first { answers[one] = nil }
            answers[target] = answer
        }
    }

    /// Whether the response depends on the address only.
    private static func isKnown(_ call: AdmittedCall) -> Bool {
        call.context.caller.user == nil && !call.call.request.headers.contains(.facts)
    }
}
