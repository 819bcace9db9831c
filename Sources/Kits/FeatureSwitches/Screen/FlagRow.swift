/// A row of the internal screen: a flag.
public struct FlagRow: Sendable, Hashable, Identifiable {
    /// The flag's ID.
    public var id: String
    /// The display name.
    public var name: String
    /// The current value in the app.
    public var value: FlagValue
    /// The reason: the server's reason, `OVERRIDE`, or `ERROR` with ``error``.
    public var reason: FlagReason
    /// The last value from the server; nil if there is none.
    public var serverValue: FlagValue?
    /// The name of the server's value.
    public var variant: String?
    /// Why the server has no value, or why its value cannot be used.
    public var error: FlagError?
    /// The override on this device.
    public var override: FlagValue?
    /// The app's default; nil for a flag that the app does not declare.
    public var defaultValue: FlagValue?
    /// Whether it is on or off.
    public var isSwitch: Bool
    /// Further data from the server: the matching rule, the bucket of a split.
    public var metadata: [String: FlagValue] = [:]

    /// Whether the app declares it.
    public var isDeclared: Bool { defaultValue != nil }
}

extension FlagSnapshot {
    /// The flags that an app declares, in order, followed by those that only the server knows, by ID.
    func rows(declared: [any DeclaredFlag]) -> [FlagRow] {
        let known = Set(declared.map(\.id))
        let others = Set(answers.keys).union(overrides.keys).subtracting(known).sorted()
        return declared.map(row) + others.map(row)
    }

    private func row(of flag: any DeclaredFlag) -> FlagRow {
        let answer = answers[flag.id]
        let found = flag.details(in: self)
        var row = FlagRow(
            id: flag.id, name: flag.name, value: found.value, reason: found.reason,
            serverValue: try? answer?.value.get(), isSwitch: flag.isSwitch)
        row.fill(answer, overrides[flag.id])
        row.defaultValue = flag.defaultFlagValue
        row.error = row.error ?? found.error
        return row
    }

    private func row(of id: String) -> FlagRow {
        let answer = answers[id]
        let (given, override) = (try? answer?.value.get(), overrides[id])
        var row = FlagRow(
            id: id, name: id, value: override ?? given ?? .null, reason: answer?.reason ?? .error, serverValue: given,
            isSwitch: given?.boolValue != nil)
        if override != nil { row.reason = .override }
        row.fill(answer, override)
        return row
    }
}

extension FlagRow {
    fileprivate mutating func fill(_ answer: FlagAnswer?, _ override: FlagValue?) {
        self.override = override
        variant = answer?.variant
        metadata = answer?.metadata ?? [:]
        if case .failure(let error) = answer?.value { self.error = error }
    }
}
