import Audience
import NephosStorage

extension Flag {
    /// What is served while the flag is on if no rule with a condition matches, as a clause for people.
    private var rest: String {
        let who = rules.first?.when == nil ? "everybody" : "everybody else"
        let needs = prerequisites.isEmpty ? "" : ", where the flags that it needs have their values"
        guard let rule = rules.first(where: { $0.when == nil }) else {
            return "\(who) gets \(defaultVariant.named)\(needs)"
        }
        let served = servedVariants(of: rule).map(\.named).joined(separator: " or ")
        return "\(who) gets \(served) by rule \(rule.id)\(needs)"
    }

    /// The same as a sentence.
    func restSentence(isOn: Bool) -> String {
        isOn ? "\(rest.prefix(1).uppercased())\(rest.dropFirst())." : "Once it is on, \(rest)."
    }
}

extension Flag.Variant {
    /// Its value and name: `false (off)`.
    fileprivate var named: String { "\(text) (\(name))" }
}

extension StoredFlag {
    /// What is served if no rule with a condition matches; nil if the record is not a valid flag.
    func restSentence(isOn: Bool) -> String? {
        guard case .success(let flag) = flag else { return nil }
        return flag.restSentence(isOn: isOn)
    }

    func restSentence(at now: Milliseconds) -> String? { restSentence(isOn: state(at: now) == "on") }
}
