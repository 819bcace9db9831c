import NephosTransport

/// All values at one moment, prepared for reads. Immutable, except for its cache of decoded values.
final class FlagSnapshot: FeatureSwitchProvider {
    let answers: [String: FlagAnswer]
    /// The overrides on this device, which take precedence.
    let overrides: [String: FlagValue]
    let switches: SwitchTable
    /// Whether there are any values from a provider.
    private let isReady: Bool
    /// Decoded values by ID and type.
    private let decoded = Locked<[Key: any Sendable]>([:])

    private struct Key: Hashable {
        var id: String
        var type: ObjectIdentifier
        var isOverride: Bool
    }

    init(_ answers: [FlagAnswer]?, overrides: [String: FlagValue] = [:]) {
        self.answers = Dictionary((answers ?? []).map { ($0.id, $0) }) { _, last in last }
        self.overrides = overrides
        isReady = answers != nil
        var switches = self.answers.compactMapValues { (try? $0.value.get())?.boolValue }
        for (id, value) in overrides { if let isOn = value.switchValue { switches[id] = isOn } }
        self.switches = SwitchTable(switches)
    }

    func isFeatureEnabled(_ flag: FeatureFlag) -> Bool { switches.isOn(flag) ?? flag.defaultValue }

    func details<Value>(of flag: FeatureValue<Value>) -> FlagDetails<Value> {
        if let override = overrides[flag.id], let value = typed(override, flag, isOverride: true) {
            return FlagDetails(id: flag.id, value: value, reason: .override)
        }
        guard let answer = answers[flag.id] else { return fallback(flag, isReady ? .notFound : .notReady) }
        switch answer.value {
        case .failure(let error): return fallback(flag, error)
        case .success(let given):
            guard let value = typed(given, flag, isOverride: false) else {
                return fallback(flag, .mismatch(Value.self))
            }
            return FlagDetails(
                id: flag.id, value: value, variant: answer.variant, reason: answer.reason, metadata: answer.metadata)
        }
    }

    private func fallback<Value>(_ flag: FeatureValue<Value>, _ error: FlagError) -> FlagDetails<Value> {
        FlagDetails(id: flag.id, value: flag.defaultValue, reason: .error, error: error)
    }

    private func typed<Value>(_ given: FlagValue, _ flag: FeatureValue<Value>, isOverride: Bool) -> Value? {
        let key = Key(id: flag.id, type: ObjectIdentifier(Value.self), isOverride: isOverride)
        if let known = decoded.withLock({ $0[key] }) { return known as? Value }
        // User defaults store true as 1, and text of a command line as YES.
        let value =
            if isOverride, Value.self == Bool.self {
                given.switchValue as? Value
            } else {
                given.decoded(as: Value.self)
            }
        if let value { decoded.withLock { $0[key] = value } }
        return value
    }
}

extension FlagValue {
    /// The boolean, also in the notations of user defaults and command lines.
    var switchValue: Bool? {
        switch self {
        case .bool(let value): value
        case .integer(0): false
        case .integer(1): true
        case .string(let text):
            switch text.lowercased() {
            case "yes", "true", "1": true
            case "no", "false", "0": false
            default: nil
            }
        default: nil
        }
    }
}
