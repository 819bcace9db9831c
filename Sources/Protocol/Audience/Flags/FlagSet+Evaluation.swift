extension FlagSet {
    /// The evaluation of a flag for a context.
    public func evaluate(_ id: String, for context: EvaluationContext) throws(Evaluation.Failure) -> Evaluation {
        guard let place = place(of: id) else { throw .notFound }
        var evaluator = Evaluator(set: self)
        return try evaluator.evaluate(place, for: context)
    }

    /// The evaluation of each flag for a context, with its ID.
    public func evaluateAll(
        for context: EvaluationContext, _ body: (String, Result<Evaluation, Evaluation.Failure>) -> Void
    ) {
        var evaluator = Evaluator(set: self)
        for (place, entry) in entries.enumerated() {
            do throws(Evaluation.Failure) {
                body(entry.id, .success(try evaluator.evaluate(place, for: context)))
            } catch {
                body(entry.id, .failure(error))
            }
        }
    }
}

/// Evaluates flags for one context, which must be the same each time, and caches the results of prerequisite flags.
struct Evaluator: ConditionSource {
    let set: FlagSet
    /// Indices of the served variants of prerequisite flags, by flag index; nil for none.
    private var needed: [Int: Int?] = [:]

    init(set: FlagSet) { self.set = set }

    func audience(_ name: String) -> Condition? { set.audiences[name] }

    mutating func evaluate(_ place: Int, for context: EvaluationContext) throws(Evaluation.Failure) -> Evaluation {
        let flag = try set.entries[place].flag.get()
        guard flag.isOn(at: context.now) else { return Evaluation(variant: flag.offVariant, reason: .disabled) }
        for prerequisite in flag.prerequisites {
            guard serves(prerequisite.flag, prerequisite.variants, for: context) != .yes else { continue }
            return Evaluation(variant: flag.offVariant, reason: .disabled, prerequisite: prerequisite.flag)
        }
        guard !flag.rules.isEmpty else { return Evaluation(variant: flag.defaultVariant, reason: .static) }
        var passedOver: (rule: String, doubt: Doubt)?
        for rule in flag.rules {
            switch rule.when?.evaluate(for: context, by: &self) ?? .yes {
            case .no: continue
            case .unknown(.missingTargetingKey): throw .missingTargetingKey
            case .unknown(let doubt): if passedOver == nil { passedOver = (rule.id, doubt) }
            case .yes:
                var evaluation = try rule.serve(flag, context)
                evaluation.passedOver = passedOver
                return evaluation
            }
        }
        return Evaluation(variant: flag.defaultVariant, reason: .default, passedOver: passedOver)
    }

    mutating func serves(_ id: String, _ variants: [String], for context: EvaluationContext) -> Verdict {
        guard let place = set.place(of: id), let served = variant(of: place, for: context),
            case .success(let flag) = set.entries[place].flag
        else { return .unknown(.flag(id)) }
        let variant = flag.variants[served]
        return .of(variants.isEmpty ? variant.json == Self.true : variants.contains(variant.name))
    }

    private static let `true` = Array("true".utf8)

    private mutating func variant(of place: Int, for context: EvaluationContext) -> Int? {
        if let known = needed[place] { return known }
        var found: Int?
        if case .success(let flag) = set.entries[place].flag, let evaluation = try? evaluate(place, for: context) {
            found = flag.place(of: evaluation.variant.name)
        }
        needed[place] = .some(found)
        return found
    }
}

extension FlagRule {
    fileprivate func serve(_ flag: Flag, _ context: EvaluationContext) throws(Evaluation.Failure) -> Evaluation {
        switch serving {
        case .variant(let place):
            return Evaluation(variant: flag.variants[place], reason: .targetingMatch, rule: id)
        case .split(let parts, let bucket):
            guard let key = context.targetingKey else { throw .missingTargetingKey }
            let number = bucket.number(of: key)
            let place = parts.first { number < $0.below }?.place ?? flag.defaultPlace
            return Evaluation(variant: flag.variants[place], reason: .split, rule: id, bucket: number)
        }
    }
}
