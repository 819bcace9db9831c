package import Audience
import CloudKitWire
package import Foundation

/// Flags that are evaluated here, by the code by which servers do it, for providers that read the records themselves.
package struct LocalFlags: Sendable {
    private let set: FlagSet

    /// - Parameters:
    ///   - audiences: As a container's settings have them, as JSON: `{"spanish":{"locale":"es"}}`; nil for none.
    ///   - now: From when on moments are worked out.
    /// - Throws: Where the audiences cannot be read.
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
            throw FlagFault(.unreadable, "the audiences that the app brings along cannot be read: \(error)")
        }
    }

    /// What somebody is served of each flag.
    ///
    /// - Parameter prove: Fills in what is known of who asks, and what nobody can say of himself.
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
            throw FlagFault(.refused, "the context cannot be: \(error)")
        }
        prove(&evaluated)
        // As at a server: who is signed in is drawn by their own name.
        if let person = evaluated.person { evaluated.targetingKey = person }
        var answers: [FlagAnswer] = []
        set.evaluateAll(for: evaluated) { id, result in answers.append(FlagAnswer(id, result)) }
        let next = set.nextEdge(after: evaluated.now).map { Date(timeIntervalSince1970: Double($0) / 1_000) }
        return FlagValues(answers, nextChange: next)
    }
}

extension FlagAnswer {
    /// What an evaluation says, in the words that a server would send.
    fileprivate init(_ id: String, _ result: Result<Evaluation, Evaluation.Failure>) {
        switch result {
        case .failure(let failure): self.init(id: id, error: FlagError(code: failure.code, message: failure.text))
        case .success(let evaluation):
            guard let value = FlagValue(json: String(decoding: evaluation.variant.json, as: UTF8.self)) else {
                self.init(id: id, error: FlagError(code: "PARSE_ERROR", message: "its value is no JSON"))
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

extension Date {
    fileprivate var milliseconds: Int64 { Int64((timeIntervalSince1970 * 1_000).rounded(.down)) }
}
