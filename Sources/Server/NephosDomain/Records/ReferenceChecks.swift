import CloudKitWire
import NephosStorage

/// The state of one zone after its unit, as far as it affects references.
struct UnitOutcome {
    /// The records that the unit saves, with the references of each.
    var saved: [Name: Set<ReferenceTarget>] = [:]
    /// The records that it deletes by name.
    var deleted: Set<Name> = []
    /// The records deleted along with those, and the order in which they were found.
    var cascaded: [Name: RecordStub] = [:]
    var cascadedInOrder: [RecordStub] = []

    func isGone(_ name: Name) -> Bool { deleted.contains(name) || cascaded[name] != nil }
}

extension ModifyPlan {
    /// Refuses changes that would break a reference, until nothing more breaks: in a batch that is not atomic, another save may
    /// depend on a refused one.
    ///
    /// Then features refuse changes by their rules, after which the checks start over.
    mutating func checkReferences() throws(Refusal) {
        let concernsReferences = concernsReferences
        guard concernsReferences || concernsShares || ruled.isAsked || context.scope == .shared else { return }
        for unit in units.indices {
            var failed = true
            while failed {
                failed = false
                guard concernsReferences else {
                    failed = refuseByReach(unit, UnitOutcome()) || refuseSharesOfFailedRoots(unit, UnitOutcome())
                    if !failed { failed = refuseByShares(unit, UnitOutcome()) }
                    if failed { ruled.isCurrent = false }
                    failAtomically(unit)
                    if !failed { failed = refuseByRules(unit, UnitOutcome()) }
                    continue
                }
                let outcome = outcome(of: unit)
                let held = heldDeletions(of: unit, after: outcome)
                var holders = SelfHolders()
                for index in units[unit].items {
                    var refusal = held[index]
                    if case .saved(let draft) = states[index] {
                        refusal = self.refusal(of: draft, unit: unit, after: outcome, &holders)
                    }
                    guard !steps.isSpent else { throw tooManySteps }
                    guard let refusal else { continue }
                    states[index] = .refused(refusal)
                    failed = true
                }
                if !failed { failed = refuseByReach(unit, outcome) || refuseSharesOfFailedRoots(unit, outcome) }
                if !failed { failed = refuseByShares(unit, outcome) }
                if failed { ruled.isCurrent = false }
                failAtomically(unit)
                if !failed { failed = refuseByRules(unit, outcome) }
            }
        }
    }

    /// The result of the unit, based on the items that have not failed.
    mutating func outcome(of unit: Int) -> UnitOutcome {
        var outcome = UnitOutcome()
        var queue: [Name] = []
        for index in units[unit].items {
            switch states[index] {
            case .saved(let draft): outcome.saved[draft.name] = draft.references
            case .deleted(let stub):
                outcome.deleted.insert(stub.name)
                queue.append(stub.name)
            case .alreadyGone, .refused: break
            }
        }
        // A record that the unit saves stays, even if it references a deleted one: its reference dangles.
        var next = 0
        while next < queue.count {
            let edges = references[unit].edges[queue[next]] ?? []
            steps.look(1 + edges.count)
            for stub in edges where outcome.saved[stub.name] == nil && !outcome.isGone(stub.name) {
                outcome.cascaded[stub.name] = stub
                outcome.cascadedInOrder.append(stub)
                queue.append(stub.name)
            }
            next += 1
        }
        return outcome
    }

    // MARK: Saves

    /// How many records of a unit's outcome have DELETE_SELF references, by target: counted once, and only if needed.
    private struct SelfHolders {
        var saved: [ReferenceTarget: Int]?
        var all: [ReferenceTarget: Int] = [:]
    }

    private mutating func count(
        of reference: ReferenceTarget, unit: Int, after outcome: UnitOutcome, _ holders: inout SelfHolders
    ) -> Int {
        if let known = holders.all[reference] { return known }
        if holders.saved == nil {
            var saved: [ReferenceTarget: Int] = [:]
            for targets in outcome.saved.values {
                steps.look(targets.count)
                for target in targets where target.kind == .deleteSelf { saved[target, default: 0] += 1 }
            }
            holders.saved = saved
        }
        let stored = references[unit].referrers[reference] ?? []
        steps.look(stored.count)
        let kept = stored.count { outcome.saved[$0.name] == nil && !outcome.isGone($0.name) }
        let count = kept + (holders.saved?[reference] ?? 0)
        holders.all[reference] = count
        return count
    }

    private mutating func refusal(
        of draft: RecordDraft, unit: Int, after outcome: UnitOutcome, _ holders: inout SelfHolders
    ) -> Refusal? {
        steps.look(draft.references.count + draft.newReferences.count)
        for reference in draft.newReferences {
            switch reference.kind {
            case .none: break
            case .parent, .validate:
                if isShare(reference.target, in: unit) {
                    return .badRequest(
                        "a share is neither a parent nor the target of a VALIDATE reference: name the shared record")
                }
                guard !exists(reference.target, unit: unit, after: outcome) else { continue }
                return .referenceViolation(absence(of: reference, after: outcome))
            case .deleteSelf:
                // It would be deleted with a record that is hidden from its author, or appears later, and show that.
                if units[unit].address.reach != nil, !exists(reference.target, unit: unit, after: outcome) {
                    return .referenceViolation(absence(of: reference, after: outcome))
                }
                let count = count(of: reference, unit: unit, after: outcome, &holders)
                guard count > context.limits.deleteSelfReferencesMax else { continue }
                return .limitExceeded(
                    "at most \(context.limits.deleteSelfReferencesMax) references with DELETE_SELF can point to one record"
                )
            }
        }
        for held in heldReferences(draft) where !exists(held.target, unit: unit, after: outcome) {
            return .constraintViolation(held.reason)
        }
        // A record that was referenced before may be deleted in this same unit.
        for reference in draft.references where reference.kind == .parent || reference.kind == .validate {
            guard outcome.isGone(reference.target) else { continue }
            // Not everybody may know of records that are deleted along.
            return .referenceViolation(
                outcome.deleted.contains(reference.target)
                    ? absence(of: reference, after: outcome)
                    : "a record that it references is deleted by the same request: keep that one, or remove the reference"
            )
        }
        return nil
    }

    /// Why a reference has no target.
    private func absence(of reference: ReferenceTarget, after outcome: UnitOutcome) -> String {
        let name = reference.target.text.prefix(40)
        if outcome.deleted.contains(reference.target) {
            return reference.kind == .parent
                ? "the parent '\(name)' is deleted by the same request: keep it, or choose another parent"
                : "'\(name)', which a reference with action VALIDATE needs, is deleted by the same request: keep it, or choose another target"
        }
        return reference.kind == .parent
            ? "the parent '\(name)' does not exist; create it first, or in the same request"
            : "the record '\(name)' does not exist, which a reference with action \(reference.kind == .deleteSelf ? "DELETE_SELF" : "VALIDATE") needs; create it first, or in the same request"
    }

    private func exists(_ name: Name, unit: Int, after outcome: UnitOutcome) -> Bool {
        if outcome.saved[name] != nil { return true }
        return !outcome.isGone(name) && references[unit].exists[name] ?? false
    }

    // MARK: Deletions

    /// A record that stays, and the record whose deletion it prevents.
    private struct Hold {
        var target: RecordStub
        var holder: RecordStub
        var kind: ReferenceKind
    }

    /// Deletions, as indices in a list, that the same users may prevent, and the records with which they do.
    private struct Holds {
        var deletions: Set<Int>
        var holds: [Hold]
    }

    /// The deletions that would break a reference, by item. Computed backwards from the records that stay and reference deleted
    /// ones, so that each deleted record is visited once, however many are deleted.
    private mutating func heldDeletions(of unit: Int, after outcome: UnitOutcome) -> [Int: Refusal] {
        let roots = roots(of: unit)
        guard !roots.isEmpty else { return [:] }
        if let limit = references[unit].cascadeLimit, units[unit].address.zone != defaultZoneName {
            let refusal = refusal(because: limit)
            return Dictionary(uniqueKeysWithValues: roots.map { ($0.item, refusal) })
        }
        let places = Dictionary(uniqueKeysWithValues: roots.enumerated().map { ($1.stub.name, $0) })
        var refusals: [Int: Refusal] = [:]
        for holds in holds(on: roots.map(\.stub), unit: unit, after: outcome) {
            var reached = Dictionary(holds.holds.map { ($0.target.name, $0) }) { first, _ in first }
            var queue = Array(reached.keys)
            while let name = queue.popLast() {
                guard let hold = reached[name] else { continue }
                if let place = places[name], holds.deletions.contains(place), refusals[roots[place].item] == nil {
                    refusals[roots[place].item] = refusal(ofDeleting: roots[place].stub, hold)
                }
                let origins = references[unit].origins[name] ?? []
                steps.look(1 + origins.count)
                for origin in origins where outcome.isGone(origin) && reached[origin] == nil {
                    reached[origin] = hold
                    queue.append(origin)
                }
            }
        }
        return refusals
    }

    /// The records that stay and prevent deletions, grouped by the deletions that they may prevent: those of records that their
    /// creator may write.
    private mutating func holds(on roots: [RecordStub], unit: Int, after outcome: UnitOutcome) -> [Holds] {
        var found: [Holds] = []
        var places: [Set<Int>: Int] = [:]
        var kept: [UserID: Set<Int>] = [:]
        for target in roots + outcome.cascadedInOrder {
            for kind in ReferenceKind.binding {
                let holders = references[unit].referrers[ReferenceTarget(target: target.name, kind: kind)] ?? []
                steps.look(1 + holders.count)
                for holder in holders where outcome.saved[holder.name] == nil && !outcome.isGone(holder.name) {
                    guard mayKeep(holder.createdBy, target) else { continue }
                    let deletions =
                        kept[holder.createdBy]
                        ?? Set(
                            roots.indices.filter { mayKeep(holder.createdBy, roots[$0]) })
                    if kept.updateValue(deletions, forKey: holder.createdBy) == nil { steps.look(roots.count) }
                    guard !deletions.isEmpty else { continue }
                    let hold = Hold(target: target, holder: holder, kind: kind)
                    if let place = places[deletions] {
                        found[place].holds.append(hold)
                    } else {
                        places[deletions] = found.count
                        found.append(Holds(deletions: deletions, holds: [hold]))
                    }
                }
            }
        }
        return found
    }

    /// Names the record that the caller named, and others only if the caller may read them.
    private func refusal(ofDeleting root: RecordStub, _ hold: Hold) -> Refusal {
        let isNamed = hold.target.name == root.name || mayRead(hold.target)
        let what =
            isNamed
            ? "'\(hold.target.name.text.prefix(40))' cannot be deleted"
            : "a record that would be deleted with it cannot be deleted"
        let holder =
            mayRead(hold.holder) ? "'\(hold.holder.name.text.prefix(40))'" : "a record that you are not allowed to read"
        return .referenceViolation(
            "\(what): \(holder) \(hold.kind == .parent ? "has it as parent" : "references it with action VALIDATE"); that one must be deleted first, or in the same request"
        )
    }

    private func refusal(because limit: CascadeLimit) -> Refusal {
        let why =
            switch limit {
            case .records: "more than \(context.limits.cascadeMax) records would be deleted with this one"
            case .steps: "it takes more than \(steps.max) steps to find what would be deleted with this one"
            case .rows:
                "with the records deleted along, the request would write more than \(commitRowsMax) rows and index entries"
            }
        return .limitExceeded("\(why); delete some of them first")
    }
}
