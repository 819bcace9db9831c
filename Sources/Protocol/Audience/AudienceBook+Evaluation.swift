/// Evaluates conditions outside of flags.
extension AudienceBook {
    /// Whether a context matches. Conditions about flags cannot be evaluated here.
    public func verdict(of condition: Condition, for context: EvaluationContext) -> Verdict {
        var source = NoFlags(audiences: self)
        return condition.evaluate(for: context, by: &source)
    }

    /// Why a context does not match, for people.
    public func denial(of condition: Condition, for context: EvaluationContext) -> String {
        var source = NoFlags(audiences: self)
        return condition.denial(for: context, by: &source)
    }

    /// The kind of condition that a context fails; of several that must hold, the first that does not.
    public enum Miss: Sendable, Hashable {
        case locale, platform, version, other
    }

    public func miss(of condition: Condition, for context: EvaluationContext) -> Miss {
        switch condition {
        case .all(let conditions):
            conditions.first { verdict(of: $0, for: context) != .yes }.map { miss(of: $0, for: context) } ?? .other
        case .any(let conditions): conditions.first.map { miss(of: $0, for: context) } ?? .other
        case .audience(let name): self[name].map { miss(of: $0, for: context) } ?? .other
        case .locale: .locale
        case .platform, .device: .platform
        case .app, .system: .version
        default: .other
        }
    }

    /// An audience that a condition names and that does not exist; nil if all exist.
    public func missingAudience(of condition: Condition) -> String? {
        var missing: String?
        condition.forEach { if case .audience(let name) = $0, self[name] == nil { missing = missing ?? name } }
        return missing
    }

    /// When a verdict may next change because of the time alone; nil for never.
    public func nextEdge(of condition: Condition, after now: Int64) -> Int64? {
        var next: Int64?
        func add(_ time: Int64?) {
            guard let time, time > now else { return }
            next = min(next ?? .max, time)
        }
        condition.forEach { condition in
            switch condition {
            case .from(let time), .until(let time): add(time)
            case .every(let recurrence): add(recurrence.nextEdge(after: now))
            case .day(let days): add(days.nextEdge(after: now))
            case .audience(let name): if let other = self[name] { add(nextEdge(of: other, after: now)) }
            default: return
            }
        }
        return next
    }
}

extension Condition {
    /// Whether this condition or one inside it satisfies the predicate.
    public func asks(_ isSuch: (Condition) -> Bool) -> Bool {
        var found = false
        forEach { found = found || isSuch($0) }
        return found
    }

    /// A key that this version does not know, in this condition or one inside it; nil if all are known.
    public var unknownKey: String? {
        var unknown: String?
        forEach { if case .newer(let key) = $0 { unknown = unknown ?? key } }
        return unknown
    }

    /// Whether it refers to an audience of the settings.
    public var isNamed: Bool { if case .audience = self { true } else { false } }
}

/// A source of audiences that has no flags.
private struct NoFlags: ConditionSource {
    let audiences: AudienceBook

    func audience(_ name: String) -> Condition? { audiences[name] }

    func serves(_ flag: String, _ variants: [String], for context: EvaluationContext) -> Verdict {
        .unknown(.flag(flag))
    }
}
