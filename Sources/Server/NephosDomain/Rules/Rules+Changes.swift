import CloudKitWire
import NephosStorage

extension Rules {
    /// What rules must see of some changes.
    func reading(_ changes: RecordChanges) -> ReadSet {
        var set: ReadSet?
        forEachRule(changes) { rule, changes, _ in
            let more = rule.reading(changes)
            if set == nil { set = more } else { set?.append(more) }
        }
        return set ?? ReadSet()
    }

    /// What the first rule that refuses anything refuses, by its place among the changes.
    func refusals(_ changes: RecordChanges, _ reading: Reading) -> [Int: Refusal] {
        var refusals: [Int: Refusal] = [:]
        forEachRule(changes) { rule, changes, places in
            // What one refuses is in nobody's way for the next: whoever asks begins anew without it.
            guard refusals.isEmpty else { return }
            for (place, refusal) in rule.refusals(changes, reading) where refusals[places[place]] == nil {
                refusals[places[place]] = refusal
            }
        }
        return refusals
    }

    /// Adds the rows that follow from changes.
    func follow(_ changes: RecordChanges, _ reading: Reading, _ rows: inout FollowingRows) {
        forEachRule(changes) { rule, changes, _ in rule.follow(changes, reading, &rows) }
    }

    /// Each rule with the changes that it has a say about, and where these stand among all.
    func forEachRule(
        _ changes: RecordChanges, _ body: (any RecordRule, RecordChanges, [Int]) -> Void
    ) {
        guard let first = (changes.asked.first ?? changes.all.first)?.type else { return }
        // Mostly all are of one type, and nothing need be picked out.
        guard changes.asked.contains(where: { $0.type != first }) || changes.all.contains(where: { $0.type != first })
        else {
            for place in places(of: first) { body(recordRules[place], changes, Array(changes.all.indices)) }
            return
        }
        let types = Set(changes.asked.map(\.type)).union(changes.all.map(\.type))
        let concerned = Dictionary(uniqueKeysWithValues: types.map { ($0, Set(places(of: $0))) })
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
