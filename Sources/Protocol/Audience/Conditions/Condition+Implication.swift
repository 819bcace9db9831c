extension Condition {
    /// Comparisons that one question may take.
    private static let comparisonsMax = 20_000

    /// Whether everybody who matches this condition certainly matches the other. false if that is not certain, or would take too many
    /// comparisons: then somebody may match this one alone.
    public func implies(_ other: Condition) -> Bool {
        var left = Self.comparisonsMax
        return implies(other, &left)
    }

    private func implies(_ other: Condition, _ left: inout Int) -> Bool {
        guard left > 0 else { return false }
        left -= 1
        if self == other { return true }
        // What is an alternative on the left, and a requirement on the right, must hold for each of its parts.
        if case .any(let parts) = self { return parts.allSatisfy { $0.implies(other, &left) } }
        if case .all(let parts) = other { return parts.allSatisfy { implies($0, &left) } }
        if case .all(let parts) = self, parts.contains(where: { $0.implies(other, &left) }) { return true }
        if case .any(let parts) = other { return parts.contains { implies($0, &left) } }
        if case .not(let mine) = self, case .not(let theirs) = other { return theirs.implies(mine, &left) }
        return narrows(other)
    }

    /// ``implies(_:)`` for two conditions without others inside.
    private func narrows(_ other: Condition) -> Bool {
        switch (self, other) {
        case (.locale(let mine), .locale(let theirs)):
            mine.allSatisfy { tag in theirs.contains { $0.includes(tag) } }
        case (.platform(let mine), .platform(let theirs)), (.device(let mine), .device(let theirs)),
            (.country(let mine), .country(let theirs)), (.role(let mine), .role(let theirs)),
            (.person(let mine), .person(let theirs)):
            mine.allSatisfy(theirs.contains)
        case (.percent(let mine, let bucket), .percent(let theirs, let other)): bucket == other && mine <= theirs
        case (.from(let mine), .from(let theirs)): mine >= theirs
        case (.until(let mine), .until(let theirs)): mine <= theirs
        case (.day(let mine), .day(let theirs)): mine.days.allSatisfy(theirs.days.contains)
        default: false
        }
    }
}

extension AudienceBook {
    /// The condition of an audience, with the conditions of the audiences that it names in the place of their names; nil if there is no
    /// such audience.
    public func resolved(_ name: String) -> Condition? { self[name].map(resolved) }

    private func resolved(_ condition: Condition) -> Condition {
        switch condition {
        case .all(let conditions): .all(conditions.map(resolved))
        case .any(let conditions): .any(conditions.map(resolved))
        case .not(let condition): .not(resolved(condition))
        case .audience(let name): self[name].map(resolved) ?? condition
        default: condition
        }
    }
}
