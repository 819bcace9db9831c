import CloudKitWire

extension Flag {
    /// Names of the audiences that its rules refer to.
    public var audiences: Set<String> {
        var names: Set<String> = []
        forEachCondition { if case .audience(let name) = $0 { names.insert(name) } }
        return names
    }

    /// IDs of the flags that it refers to: its prerequisites, and flags in its rules and in audiences that these refer to.
    public func flags(by book: AudienceBook) -> Set<String> {
        var ids = Set(prerequisites.map(\.flag))
        var seen: Set<String> = []
        var names = audiences
        forEachCondition { if case .flag(let id, _) = $0 { ids.insert(id) } }
        while let name = names.popFirst() {
            guard seen.insert(name).inserted else { continue }
            book[name]?.forEach { condition in
                if case .flag(let id, _) = condition { ids.insert(id) }
                if case .audience(let other) = condition { names.insert(other) }
            }
        }
        return ids
    }

    /// Whether a rule names a user, which anybody who can read the flag would learn.
    public var namesPersons: Bool {
        var names = false
        forEachCondition { if case .person = $0 { names = true } }
        return names
    }

    /// The variants that a rule may serve: for a split, those with a share.
    public func servedVariants(of rule: FlagRule) -> [Variant] {
        switch rule.serving {
        case .variant(let place): return [variants[place]]
        case .split(let parts, _):
            var (served, below): ([Variant], Int) = ([], 0)
            for part in parts {
                if part.below > below { served.append(variants[part.place]) }
                below = part.below
            }
            return served
        }
    }

    private func forEachCondition(_ body: (Condition) -> Void) {
        for rule in rules { rule.when?.forEach(body) }
    }
}
