import CloudKitWire

extension Flag {
    /// Names of the audiences that its rules ask for.
    public var audiences: Set<String> {
        var names: Set<String> = []
        forEachCondition { if case .audience(let name) = $0 { names.insert(name) } }
        return names
    }

    /// Ids of the flags that it asks for: those that it needs, and those of its rules.
    public var flags: Set<String> {
        var ids = Set(prerequisites.map(\.flag))
        forEachCondition { if case .flag(let id, _) = $0 { ids.insert(id) } }
        return ids
    }

    /// Whether a rule says who somebody is, so that whoever reads the flag learns it.
    public var namesPersons: Bool {
        var names = false
        forEachCondition { if case .person = $0 { names = true } }
        return names
    }

    private func forEachCondition(_ body: (Condition) -> Void) {
        for rule in rules { rule.when?.forEach(body) }
    }
}
