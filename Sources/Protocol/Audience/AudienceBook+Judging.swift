/// Judges by conditions that are of no flag.
extension AudienceBook {
    /// Whether somebody is meant. What asks for a flag cannot be said here.
    public func verdict(of condition: Condition, for context: EvaluationContext) -> Verdict {
        var source = NoFlags(audiences: self)
        return condition.judge(for: context, by: &source)
    }

    /// Why somebody is not meant, for people.
    public func denial(of condition: Condition, for context: EvaluationContext) -> String {
        var source = NoFlags(audiences: self)
        return condition.denial(for: context, by: &source)
    }

    /// What somebody is not who is not meant: of several conditions that must hold the first that does not.
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

    /// An audience that a condition names and that is not there; nil where all are.
    public func missingAudience(of condition: Condition) -> String? {
        var missing: String?
        condition.forEach { if case .audience(let name) = $0, self[name] == nil { missing = missing ?? name } }
        return missing
    }

    /// When time alone may change a verdict next; nil for never.
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
            case .audience(let name): if let other = self[name] { add(nextEdge(of: other, after: now)) }
            default: return
            }
        }
        return next
    }
}

extension Condition {
    /// Whether this, or a condition inside it, is such a one.
    public func asks(_ isSuch: (Condition) -> Bool) -> Bool {
        var found = false
        forEach { found = found || isSuch($0) }
        return found
    }

    /// Whether it stands for one of the settings.
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
