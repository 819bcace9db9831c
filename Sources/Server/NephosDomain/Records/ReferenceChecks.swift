import CloudKitWire
import NephosStorage

/// The state of one zone after its unit, as far as references care.
struct UnitOutcome {
    /// What the unit saves, with what each record refers to.
    var saved: [Name: Set<ReferenceTarget>] = [:]
    /// What it deletes by name.
    var deleted: Set<Name> = []
    /// What goes with that, and when in which order it was found.
    var cascaded: [Name: RecordStub] = [:]
    var cascadedInOrder: [RecordStub] = []

    func isGone(_ name: Name) -> Bool { deleted.contains(name) || cascaded[name] != nil }
}

extension ModifyPlan {
    /// Refuses what would break a reference, until nothing more breaks: in a batch that is not atomic, a refused
    /// save may be what another one stood on.
    mutating func checkReferences() {
        for unit in units.indices {
            var failed = true
            while failed {
                failed = false
                let outcome = outcome(of: unit)
                for index in units[unit].items {
                    guard let refusal = referenceRefusal(of: states[index], unit: unit, after: outcome) else {
                        continue
                    }
                    states[index] = .refused(refusal)
                    failed = true
                }
                failAtomically(unit)
            }
        }
    }

    /// What the unit leaves, going by the items that have not failed.
    func outcome(of unit: Int) -> UnitOutcome {
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
        // A record that the unit saves stays, even if it names what goes: its reference dangles.
        var next = 0
        while next < queue.count {
            for stub in references[unit].edges[queue[next]] ?? []
            where outcome.saved[stub.name] == nil && !outcome.isGone(stub.name) {
                outcome.cascaded[stub.name] = stub
                outcome.cascadedInOrder.append(stub)
                queue.append(stub.name)
            }
            next += 1
        }
        return outcome
    }

    private func referenceRefusal(of state: ItemState, unit: Int, after outcome: UnitOutcome) -> Refusal? {
        switch state {
        case .alreadyGone, .refused: return nil
        case .saved(let draft): return refusal(of: draft, unit: unit, after: outcome)
        case .deleted(let stub): return refusal(ofDeleting: stub, unit: unit, after: outcome)
        }
    }

    private func refusal(of draft: RecordDraft, unit: Int, after outcome: UnitOutcome) -> Refusal? {
        for reference in draft.newReferences {
            switch reference.kind {
            case .none: break
            case .parent, .validate:
                guard !exists(reference.target, unit: unit, after: outcome) else { continue }
                let what = reference.kind == .parent ? "parent" : "reference (action VALIDATE)"
                return .referenceViolation("the \(what) '\(reference.target.text.prefix(40))' does not exist")
            case .deleteSelf:
                let stored = references[unit].referrers[reference] ?? []
                let kept = stored.count { outcome.saved[$0.name] == nil && !outcome.isGone($0.name) }
                let saved = outcome.saved.values.count { $0.contains(reference) }
                guard kept + saved > context.limits.deleteSelfReferencesMax else { continue }
                return .limitExceeded(
                    "at most \(context.limits.deleteSelfReferencesMax) references with DELETE_SELF may name one record")
            }
        }
        // What the record named before may go in this same unit.
        for reference in draft.references where reference.kind == .parent || reference.kind == .validate {
            if outcome.isGone(reference.target) {
                return .referenceViolation("'\(reference.target.text.prefix(40))' is deleted by this same request")
            }
        }
        return nil
    }

    private func exists(_ name: Name, unit: Int, after outcome: UnitOutcome) -> Bool {
        if outcome.saved[name] != nil { return true }
        if outcome.isGone(name) { return false }
        if let known = references[unit].exists[name] { return known }
        return wasStored(name, unit: unit)
    }

    /// For a member of the unit whose own operation failed: what the store holds of it.
    private func wasStored(_ name: Name, unit: Int) -> Bool {
        var records = reading.records.makeIterator()
        var stubs = reading.stubs.makeIterator()
        for item in items where item.unit != nil && item.refusal == nil {
            let isThere: Bool
            if item.kind.isDeletion {
                isThere = isVisible(stubs.next() ?? nil)
            } else {
                isThere = isVisible(records.next() ?? .absent)
            }
            if item.unit == unit, item.name == name { return isThere }
        }
        return false
    }

    private func isVisible(_ stub: RecordStub?) -> Bool { stub.map { !context.catalog.hides($0) } ?? false }

    private func isVisible(_ found: Found) -> Bool {
        switch found {
        case .absent: false
        case .beyondLimit: true
        case .record(let row): context.catalog.type(row.type) != nil
        }
    }

    private func refusal(ofDeleting stub: RecordStub, unit: Int, after outcome: UnitOutcome) -> Refusal? {
        if references[unit].isCascadeTooLarge, units[unit].zone != defaultZoneName {
            return .limitExceeded(
                "more than \(context.limits.cascadeMax) records would go with this one; delete some of them first")
        }
        var reached: Set<Name> = [stub.name]
        var queue = [stub.name]
        while let name = queue.popLast() {
            if let refusal = refusal(ofRemoving: name, unit: unit, after: outcome) { return refusal }
            for edge in references[unit].edges[name] ?? []
            where outcome.isGone(edge.name) && reached.insert(edge.name).inserted {
                queue.append(edge.name)
            }
        }
        return nil
    }

    private func refusal(ofRemoving name: Name, unit: Int, after outcome: UnitOutcome) -> Refusal? {
        for kind in [ReferenceKind.parent, .validate] {
            for holder in references[unit].referrers[ReferenceTarget(target: name, kind: kind)] ?? []
            where outcome.saved[holder.name] == nil && !outcome.isGone(holder.name) {
                let how = kind == .parent ? "has it as parent" : "names it with action VALIDATE"
                return .referenceViolation(
                    "'\(name.text.prefix(40))' cannot be deleted: '\(holder.name.text.prefix(40))' \(how)")
            }
        }
        return nil
    }
}
