import CloudKitWire
import NephosStorage

extension Rules {
    /// What rules must read for changes.
    func reading(_ changes: RecordChanges) -> RequestedRows {
        var set: RequestedRows?
        forEachRule(changes) { rule, changes, _ in
            let more = rule.reading(changes)
            if set == nil { set = more } else { set?.append(more) }
        }
        return set ?? RequestedRows()
    }

    /// The refusals of the first rule that refuses anything, by index of the change.
    func refusals(_ changes: RecordChanges, _ reading: FoundRows) -> [Int: Refusal] {
        var refusals: [Int: Refusal] = [:]
        forEachRule(changes) { rule, changes, places in
            // Later rules are not called: the caller starts over without the refused changes.
            guard refusals.isEmpty else { return }
            for (place, refusal) in rule.refusals(changes, reading) { refusals[places?[place] ?? place] = refusal }
        }
        return refusals
    }

    /// Adds the rows that follow from changes.
    func follow(_ changes: RecordChanges, _ reading: FoundRows, _ rows: inout RuleWrites) {
        forEachRule(changes) { rule, changes, _ in rule.follow(changes, reading, &rows) }
    }

    /// Calls each rule with the changes to which it applies, and their indices among all; nil if it applies to all.
    func forEachRule(
        _ changes: RecordChanges, _ body: (any RecordRule, RecordChanges, [Int]?) -> Void
    ) {
        guard let change = changes.asked.first ?? changes.all.first else { return }
        let first = change.type
        // Usually all are of one type, and nothing needs to be filtered.
        guard changes.asked.contains(where: { $0.type != first }) || changes.all.contains(where: { $0.type != first })
        else {
            for place in places(of: change) { body(recordRules[place], changes, nil) }
            return
        }
        var concerned: [Name: Set<Int>] = [:]
        for change in changes.asked + changes.all where concerned[change.type] == nil {
            concerned[change.type] = Set(places(of: change))
        }
        for rule in Set(concerned.values.joined()).sorted() {
            func isConcerned(_ change: RecordChange) -> Bool { concerned[change.type]?.contains(rule) ?? false }
            let places = changes.all.indices.filter { isConcerned(changes.all[$0]) }
            var own = changes
            own.asked = changes.asked.filter(isConcerned)
            own.all = places.map { changes.all[$0] }
            if !own.asked.isEmpty || !own.all.isEmpty { body(recordRules[rule], own, places) }
        }
    }
}
