/// How a rule of a flag applies to a context, for people.
public struct RuleExplanation: Sendable, Equatable {
    public let rule: String
    /// Whether the rule matches, regardless of earlier rules.
    public let verdict: Verdict
    /// The deciding condition.
    public let reason: String
}

extension FlagSet {
    /// How each rule of a flag applies to a context, in order; empty if the flag is missing or broken.
    public func explainRules(of id: String, for context: EvaluationContext) -> [RuleExplanation] {
        guard let place = place(of: id), case .success(let flag) = entries[place].flag else { return [] }
        var evaluator = Evaluator(set: self)
        return flag.rules.map { rule in
            guard let when = rule.when else {
                return RuleExplanation(rule: rule.id, verdict: .yes, reason: "it matches everybody")
            }
            let verdict = when.evaluate(for: context, by: &evaluator)
            let reason =
                switch verdict {
                case .yes: "all its conditions hold"
                case .no: when.denial(for: context, by: &evaluator)
                case .unknown(let doubt): doubt.description
                }
            return RuleExplanation(rule: rule.id, verdict: verdict, reason: reason)
        }
    }
}

extension Condition {
    /// Why the condition does not hold: of several that must, the first that does not.
    func denial(for context: EvaluationContext, by source: inout some ConditionSource) -> String {
        switch self {
        case .all(let conditions):
            for condition in conditions where condition.evaluate(for: context, by: &source) == .no {
                return condition.denial(for: context, by: &source)
            }
            return "one of its conditions does not hold"
        case .any(let conditions):
            guard conditions.count == 1, let only = conditions.first else { return "none of its conditions holds" }
            return only.denial(for: context, by: &source)
        case .not: return "a condition under not holds"
        case .audience(let name):
            guard let condition = source.audience(name) else { return "there is no audience \(name)" }
            return "audience \(name): \(condition.denial(for: context, by: &source))"
        case .flag(let id, _): return "flag \(id) has another variant"
        case .percent(let share, let bucket):
            let number = context.targetingKey.map(bucket.number) ?? 0
            return "bucket \(number) is not below \(share)"
        default: return denial(for: context)
        }
    }

    private func denial(for context: EvaluationContext) -> String {
        func describe(_ what: String, _ isKnown: Bool, _ property: EvaluationContext.Property? = nil) -> String {
            guard !isKnown else { return "\(what) is different" }
            let said = property.flatMap { context.unreadable[$0] }
            return "\(what) is not known" + (said.map { ", because \($0) cannot be read" } ?? "")
        }
        return switch self {
        case .locale: describe("the locale", context.locale != nil, .locale)
        case .platform: describe("the platform", context.platform != nil, .platform)
        case .device: describe("the device", context.device != nil, .device)
        case .country: describe("the country", context.country != nil, .country)
        case .system: describe("the system version", context.systemVersion != nil, .osVersion)
        case .app: describe("the app version", context.appVersion != nil, .appVersion)
        case .signedIn(let isSo): isSo ? "no user is signed in" : "a user is signed in"
        case .role: context.roles.isEmpty ? "the person has no role" : "the person has other roles"
        case .person: describe("the person", context.person != nil)
        case .fact(let name, _): describe("the fact \(name)", context.facts[name] != nil)
        case .claim(let name, _): describe("the claim \(name)", context.claims[name] != nil)
        case .from: "it has not begun yet"
        case .until: "its time has passed"
        case .every: "it is outside its hours"
        case .day: context.timeZone == nil ? describe("the time zone", false, .timeZone) : "it is another day there"
        case .all, .any, .not, .audience, .flag, .newer, .percent: "it does not hold"
        }
    }
}
