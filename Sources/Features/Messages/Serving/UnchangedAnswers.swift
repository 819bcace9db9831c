import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage
import Synchronization

/// What was answered to devices that have seen nothing of it, by the whole address that it was asked under: whoever asks again with the tag
/// of that costs no more than looking whether it is still so.
final class UnchangedAnswers: Sendable {
    struct Answer: Sendable {
        let tag: String
        let generation: MessageMemory.Generation
        /// When it was answered, and when time alone changes it.
        let hours: Range<Milliseconds>
        /// What would be stored if the device had seen anything of it; nil for nothing.
        let seen: Scan<SeenRow>?
    }

    /// Answers that are remembered; past this many, one is forgotten for each that comes.
    private static let most = 4_096
    /// Bytes of an address, beyond which nothing is remembered.
    private static let targetBytesMax = 512

    private let answers = Mutex<[String: Answer]>([:])

    /// What a request may be answered with that has a tag; nil for nothing.
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

    /// Whether all that an answer depends on stands in the address.
    private static func isKnown(_ call: AdmittedCall) -> Bool {
        call.context.caller.user == nil && !call.call.request.headers.contains(.facts)
    }
}
