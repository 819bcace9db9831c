/// What evaluating conditions requires besides the context, which is passed separately because it would otherwise be copied for
/// each condition.
protocol ConditionSource {
    /// The audience of this name in the settings; nil if there is none.
    func audience(_ name: String) -> Condition?
    /// Whether a flag is served as one of these variants, or as true if none is given.
    mutating func serves(_ flag: String, _ variants: [String], for context: EvaluationContext) -> Verdict
}

extension Condition {
    /// Whether a context matches. An unknown result counts only if it matters: of several conditions that must hold, one that does
    /// not decides.
    func evaluate(for context: EvaluationContext, by source: inout some ConditionSource) -> Verdict {
        switch self {
        case .all(let conditions): Self.all(conditions, context, &source)
        case .any(let conditions): Self.any(conditions, context, &source)
        case .not(let condition):
            switch condition.evaluate(for: context, by: &source) {
            case .yes: .no
            case .no: .yes
            case .unknown(let doubt): .unknown(doubt)
            }
        case .audience(let name):
            source.audience(name)?.evaluate(for: context, by: &source) ?? .unknown(.missingAudience(name))
        case .flag(let id, let variants): source.serves(id, variants, for: context)
        case .newer(let key): .unknown(.newer(key))
        case .percent(let share, let bucket):
            if let key = context.targetingKey {
                .of(bucket.number(of: key) < share)
            } else {
                .unknown(.missingTargetingKey)
            }
        default: .of(holds(for: context))
        }
    }

    private static func all(
        _ conditions: [Condition], _ context: EvaluationContext, _ source: inout some ConditionSource
    ) -> Verdict {
        var verdict = Verdict.yes
        for condition in conditions {
            switch condition.evaluate(for: context, by: &source) {
            case .yes: continue
            case .no: return .no
            case .unknown(let doubt): verdict = verdict.doubted(doubt)
            }
        }
        return verdict
    }

    private static func any(
        _ conditions: [Condition], _ context: EvaluationContext, _ source: inout some ConditionSource
    ) -> Verdict {
        var verdict = Verdict.no
        for condition in conditions {
            switch condition.evaluate(for: context, by: &source) {
            case .no: continue
            case .yes: return .yes
            case .unknown(let doubt): verdict = verdict.doubted(doubt)
            }
        }
        return verdict
    }

    /// Evaluates the conditions that need only the context.
    private func holds(for context: EvaluationContext) -> Bool {
        switch self {
        case .locale(let tags): context.locale.map { locale in tags.contains { $0.covers(locale) } } ?? false
        case .platform(let names): context.platform.map(names.contains) ?? false
        case .device(let names): context.device.map(names.contains) ?? false
        case .country(let codes): context.country.map(codes.contains) ?? false
        case .system(let range): context.systemVersion.map(range.contains) ?? false
        case .app(let range): context.appVersion.map(range.contains) ?? false
        case .signedIn(let isSo): (context.person != nil) == isSo
        case .role(let roles): context.roles.contains(where: roles.contains)
        case .person(let names): context.person.map(names.contains) ?? false
        case .fact(let name, let values): context.facts[name].map(values.contains) ?? false
        case .claim(let name, let values): context.claims[name].map(values.contains) ?? false
        case .from(let time): context.now >= time
        case .until(let time): context.now < time
        case .every(let recurrence): recurrence.contains(context.now)
        case .day(let days): context.timeZone.map { days.contains(context.now, in: $0) } ?? false
        case .all, .any, .not, .audience, .flag, .newer, .percent: false
        }
    }
}
