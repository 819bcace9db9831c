/// Two flags as in records, and the caller, as lines (``WrittenFlags``). Accepted documents mean the same however their JSON is
/// written, refusals have a reason, and an evaluation is repeatable, whenever the flags were prepared and however it is requested.
func fuzzFlags(_ bytes: ArraySlice<UInt8>) {
    let written = WrittenFlags(bytes)
    checkValues(written.lines)
    guard let context = written.context else { return }
    let flags = [(id: "a", flag: written.flag(of: "a")), (id: "b", flag: written.flag(of: "b"))]
    let audiences = written.audiences ?? .empty
    let set = FlagSet(flags, audiences, now: context.now)
    let served = set.allServed(to: context)
    require(served == set.allServed(to: context), "a repeated evaluation has another result")
    require(
        served == FlagSet(flags.reversed(), audiences, now: context.now).allServed(to: context),
        "the order of flags matters")
    for (id, result) in served { checkEvaluation(result, of: id, set, flags, context) }
    checkTime(set, flags, audiences, context, served)
}

/// One line each: the time, a context, a context of what is proved, audiences; then of flag `a` its state, kind and variants, the names of its
/// variants when off and when nothing fits, with a salt, its rules, prerequisites and schedule; then rules and prerequisites of flag `b`.
private struct WrittenFlags {
    let lines: [String]

    init(_ bytes: ArraySlice<UInt8>) {
        lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 20, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// nil for one that is missing or empty.
    private func line(_ place: Int) -> String? { place < lines.count && !lines[place].isEmpty ? lines[place] : nil }

    /// From 1970 to 2500.
    private var now: Int64 { Int64((line(0).flatMap { UInt64($0) } ?? 0) % 16_725_225_600_000) }

    /// nil if it is not valid.
    var context: EvaluationContext? {
        guard var context = read(1), let proved = read(2) else { return nil }
        context.person = proved.targetingKey
        context.facts = proved.claims
        context.roles = proved.device.map { [$0] } ?? []
        return context
    }

    private func read(_ place: Int) -> EvaluationContext? {
        let nobody = EvaluationContext(now: now)
        guard let text = line(place) else { return nobody }
        return readTwice(text) { json throws(WireError) in
            var context = nobody
            do throws(WireError) { try context.read(&json) } catch {
                require(context == nobody, "a refused context is not empty")
                throw error
            }
            return context
        }
    }

    /// nil if they are not valid.
    var audiences: AudienceBook? {
        line(3).flatMap { readTwice($0) { json throws(WireError) in try AudienceBook(&json) } }
    }

    func flag(of id: String) -> Result<Flag, FlagFailure> {
        var fields = FlagFields(id: id)
        fields.kind = line(5)
        fields.variants = line(6) ?? #"{"on":true,"off":false}"#
        let names = line(7)?.split(separator: " ").map(String.init) ?? []
        fields.offVariant = names.first ?? "off"
        fields.defaultVariant = names.count > 1 ? names[1] : "on"
        fields.salt = names.count > 2 ? names[2] : nil
        let isFirst = id == "a"
        fields.state = isFirst ? line(4) : "on"
        fields.rules = line(isFirst ? 8 : 11)
        fields.prerequisites = line(isFirst ? 9 : 12)
        fields.schedule = isFirst ? line(10) : nil
        return readFlag(fields)
    }

    private func readFlag(_ fields: FlagFields) -> Result<Flag, FlagFailure> {
        do throws(FlagFailure) {
            let flag = try Flag(fields)
            require((try? Flag(fields)) == flag, "a flag changes when it is read again")
            var other = fields
            other.rules = other.rules.map(otherwise)
            other.prerequisites = other.prerequisites.map(otherwise)
            other.schedule = other.schedule.map(otherwise)
            require((try? Flag(other)) == flag, "a flag changes when its JSON is written again")
            require(flag.variants.contains(flag.offVariant) && flag.variants.contains(flag.defaultVariant))
            for rule in flag.rules { require(!flag.servedVariants(of: rule).isEmpty, "a rule serves nothing") }
            _ = flag.namesPersons
            return .success(flag)
        } catch {
            checkReason(error.reason)
            require(!error.field.isEmpty, "a refusal does not name a field")
            return .failure(error)
        }
    }
}

/// Reads a document, which must mean the same when it is written again; nil for one that is refused.
private func readTwice<Value: Equatable>(
    _ text: String, _ read: (inout JSONReader) throws(WireError) -> Value
) -> Value? {
    func value(_ text: String) throws(WireError) -> Value {
        var json = try JSONReader(Array(text.utf8)[...])
        let value = try read(&json)
        try json.finish()
        return value
    }
    do throws(WireError) {
        let first = try value(text)
        require((try? value(otherwise(text))) == first, "a document changes its meaning when it is written again")
        return first
    } catch {
        checkReason(error.reason)
        return nil
    }
}

/// The same JSON, written again.
private func otherwise(_ text: String) -> String {
    guard let copy = try? rewritten(Array(text.utf8)[...]) else { return text }
    return String(decoding: copy, as: UTF8.self)
}

private func checkReason(_ reason: String) {
    require(!reason.isEmpty, "a refusal has no reason")
    require(reason.utf8.count < 4_096, "a refusal repeats its input: \(reason.utf8.count)")
}

// MARK: Values

/// Lines as versions, ranges, languages and times.
private func checkValues(_ lines: [String]) {
    var versions: [Version] = []
    for line in lines {
        if let version = Version(line) {
            versions.append(version)
            let core = String(line.prefix { $0 != "+" })
            if let range = VersionRange("=" + core) {
                require(range.contains(version), "a version is not in its own range")
                require(VersionRange("<\(core) || >=\(core)")?.contains(version) == true)
                require(VersionRange("<\(core)")?.contains(version) == false)
                require(VersionRange(">\(core)")?.contains(version) == false)
            }
        }
        if let tag = LanguageTag(line) {
            let text = [tag.language, tag.script, tag.region].compactMap(\.self).joined(separator: "-")
            require(LanguageTag(text) == tag && tag.covers(tag), "a language changes when it is written again")
        }
        if let moment = Moment.milliseconds(line), moment >= 0, !line.hasPrefix("0") {
            require(
                Moment.milliseconds(ISO8601.text(moment)) == moment / 1_000 * 1_000,
                "a time changes when it is written again")
        }
    }
    for one in versions {
        for other in versions {
            require([one < other, one == other, other < one].count { $0 } == 1, "versions are not ordered")
            for third in versions where one < other && other < third {
                require(one < third, "the order of versions has a cycle")
            }
        }
    }
}

// MARK: Evaluations

extension FlagSet {
    fileprivate func allServed(to context: EvaluationContext) -> [String: Result<Evaluation, Evaluation.Failure>] {
        var all: [String: Result<Evaluation, Evaluation.Failure>] = [:]
        evaluateAll(for: context) { all[$0] = $1 }
        return all
    }
}

/// The result for one flag is the same when it is requested alone, and agrees with the explanations of its rules.
private func checkEvaluation(
    _ result: Result<Evaluation, Evaluation.Failure>, of id: String, _ set: FlagSet,
    _ flags: [(id: String, flag: Result<Flag, FlagFailure>)], _ context: EvaluationContext
) {
    let alone = Result { () throws(Evaluation.Failure) in try set.evaluate(id, for: context) }
    require(alone == result, "a flag that is requested alone has another result")
    require((0...set.steps).contains(set.steps(of: id)), "one flag takes more steps than all")
    let explanations = set.explainRules(of: id, for: context)
    for explanation in explanations { require(!explanation.reason.isEmpty, "an explanation is empty") }
    if case .failure(.broken(let reason)) = result {
        checkReason(reason)
        require(explanations.isEmpty, "a flag that is not valid is explained")
        return
    }
    guard let flag = try? flags.first(where: { $0.id == id })?.flag.get() else {
        return require(false, "a record that is not a valid flag is served")
    }
    if case .success(let evaluation) = result {
        require(flag.variants.contains(evaluation.variant), "a variant is served that the flag does not have")
        if evaluation.reason == .disabled { return require(evaluation.variant == flag.offVariant) }
    }
    var passedOver: RuleExplanation?
    for (rule, explanation) in zip(flag.rules, explanations) {
        switch explanation.verdict {
        case .no: continue
        case .unknown(.missingTargetingKey):
            return require(result == .failure(.missingTargetingKey), "a split is served without a targetingKey")
        case .unknown: passedOver = passedOver ?? explanation
        case .yes:
            guard case .success(let evaluation) = result else {
                return require(result == .failure(.missingTargetingKey) && context.targetingKey == nil)
            }
            require(evaluation.rule == rule.id, "the served rule is not the explained one")
            require(
                flag.servedVariants(of: rule).contains(evaluation.variant),
                "a rule serves a variant that it does not have")
            require(evaluation.passedOver?.rule == passedOver?.rule, "the skipped rule is not the explained one")
            return require((0..<Bucket.count).contains(evaluation.bucket ?? 0))
        }
    }
    guard case .success(let evaluation) = result else { return require(false, "nothing is served") }
    require(evaluation.variant == flag.defaultVariant && evaluation.rule == nil, "a rule is served that does not match")
}

/// Time alone changes results only at the known times, and it does not matter when these were computed.
private func checkTime(
    _ set: FlagSet, _ flags: [(id: String, flag: Result<Flag, FlagFailure>)], _ audiences: AudienceBook,
    _ context: EvaluationContext, _ served: [String: Result<Evaluation, Evaluation.Failure>]
) {
    require(set.reaches(context.now), "prepared flags do not reach their own time")
    require(zip(set.edges, set.edges.dropFirst()).allSatisfy { $0 < $1 }, "times are not ordered")
    var later = context
    let next = set.nextEdge(after: context.now)
    later.now = (next ?? context.now + 1_000_000_000_000) - 1
    require(later.now >= context.now, "a past time is reported as future")
    if set.reaches(later.now) {
        require(set.allServed(to: later) == served, "a result changes before the known time")
    }
    later.now += 1
    guard set.reaches(later.now) else { return }
    let fresh = FlagSet(flags, audiences, now: later.now)
    require(fresh.allServed(to: later) == set.allServed(to: later), "the result depends on when flags were prepared")
}
