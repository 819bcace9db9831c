package import Audience
import CloudKitWire
package import Foundation
import KitSupport

/// Flags that are evaluated on the device, with the code that servers use, for providers that read the records themselves.
package struct LocalFlags: Sendable {
    private let set: FlagSet

    /// - Parameters:
    ///   - audiences: The audiences as in a container's settings, as JSON: `{"spanish":{"locale":"es"}}`; nil for none.
    ///   - now: The time from which time-based changes are computed.
    /// - Throws: An error if the audiences cannot be parsed.
    package init(
        _ flags: [(id: String, flag: Result<Flag, FlagFailure>)], audiences: String?, now: Date
    ) throws(FlagFault) {
        do throws(WireError) {
            let book: AudienceBook
            if let audiences {
                var json = try JSONReader(Array(audiences.utf8)[...], limits: JSONLimits(depth: 64))
                book = try AudienceBook(&json)
                try json.finish()
            } else {
                book = .empty
            }
            set = FlagSet(flags, book, now: now.milliseconds)
        } catch {
            throw FlagFault(.unreadable, "the app's own audiences cannot be read: \(error)")
        }
    }

    /// The value of each flag for a context.
    ///
    /// - Parameter prove: Adds what is known about the user and what a context cannot claim by itself.
    package func values(
        for context: FlagContext, now: Date, prove: (inout EvaluationContext) -> Void
    ) throws(FlagFault) -> FlagValues {
        var evaluated = EvaluationContext(now: now.milliseconds)
        do throws(WireError) {
            var json = JSONWriter()
            context.write(to: &json)
            var reader = try JSONReader(json.bytes[...])
            try evaluated.read(&reader)
        } catch {
            throw FlagFault(.refused, "the context is not valid: \(error)")
        }
        prove(&evaluated)
        // As at a server: the bucket of a signed-in user depends on their user record name.
        if let person = evaluated.person { evaluated.targetingKey = person }
        var answers: [FlagAnswer] = []
        set.evaluateAll(for: evaluated) { id, result in answers.append(FlagAnswer(id, result)) }
        let next = set.nextEdge(after: evaluated.now).map { Date(timeIntervalSince1970: Double($0) / 1_000) }
        return FlagValues(answers, nextChange: next)
    }
}

extension FlagAnswer {
    /// The result of an evaluation, in the form that a server would send.
    fileprivate init(_ id: String, _ result: Result<Evaluation, Evaluation.Failure>) {
        switch result {
        case .failure(let failure): self.init(id: id, error: FlagError(code: failure.code, message: failure.text))
        case .success(let evaluation):
            guard let value = FlagValue(json: String(decoding: evaluation.variant.json, as: UTF8.self)) else {
                self.init(id: id, error: FlagError(code: "PARSE_ERROR", message: "its value is not valid JSON"))
                return
            }
            var metadata: [String: FlagValue] = [:]
            metadata["rule"] = evaluation.rule.map { .string($0) }
            metadata["bucket"] = evaluation.bucket.map { .integer(Int64($0)) }
            metadata["prerequisite"] = evaluation.prerequisite.map { .string($0) }
            if let (rule, doubt) = evaluation.passedOver {
                (metadata["passedOver"], metadata["why"]) = (.string(rule), .string(doubt.description))
            }
            self.init(
                id: id, value: value, variant: evaluation.variant.name,
                reason: FlagReason(rawValue: evaluation.reason.rawValue), metadata: metadata)
        }
    }
}

extension Evaluation.Failure {
    fileprivate var text: String {
        switch self {
        case .notFound: "there is no such flag"
        case .missingTargetingKey: "this flag is split by targetingKey, and the context has none"
        case .broken(let reason): reason
        }
    }
}
