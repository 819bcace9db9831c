import CloudKitWire
import NephosStorage

/// What must be read beyond the operations' own records, unit by unit, in an order that is the same every time a
/// decision is made again.
struct ReferenceNeeds {
    /// Whether these exist.
    var stubs: [(unit: Int, key: RecordKey)] = []
    var referrers: [(unit: Int, scan: ReferrerScan)] = []
    var cascades: [(unit: Int, scan: CascadeScan)] = []
    /// How many results stand before these in the reading.
    var stubsBefore = 0
    var referrersBefore = 0

    /// What to ask for; nil when the reading has it.
    func missing(in reading: Reading) -> ReadSet? {
        guard
            reading.stubs.count < stubsBefore + stubs.count
                || reading.referrers.count < referrersBefore + referrers.count
                || reading.cascades.count < cascades.count
        else { return nil }
        var set = ReadSet()
        set.stubs = stubs.map(\.key)
        set.referrers = referrers.map(\.scan)
        set.cascades = cascades.map(\.scan)
        return set
    }
}

/// What the store knows of the references around one unit's records.
struct UnitReferences {
    /// Targets outside the unit that a saved record needs.
    var exists: [Name: Bool] = [:]
    /// Stored records that name a record, by kind.
    var referrers: [ReferenceTarget: [RecordStub]] = [:]
    /// Stored DELETE_SELF references around what the unit deletes: who goes with whom.
    var edges: [Name: [RecordStub]] = [:]
    /// The scan of edges reached its limit. A custom zone refuses the deletion then; in a default zone what goes
    /// with it goes in the background.
    var isCascadeTooLarge = false
}

extension ModifyPlan {
    private func key(_ unit: Int) -> ZoneKey { .name(database, units[unit].zone) }

    /// For each unit: do the targets exist that its saves need, who names what it deletes, what goes with that.
    func referenceNeeds() -> ReferenceNeeds {
        var needs = ReferenceNeeds()
        needs.stubsBefore = items.count { $0.unit != nil && $0.refusal == nil && $0.kind.isDeletion }
        for unit in units.indices {
            let members = Set(units[unit].items.map { items[$0].name })
            let limit = referrersMax(besides: members.count)
            var asked: Set<ReferenceTarget> = []
            var roots: [Name] = []
            for index in units[unit].items {
                switch states[index] {
                case .saved(let draft):
                    for reference in draft.newReferences.inOrder
                    where asked.insert(reference).inserted {
                        addNeeds(of: reference, members: members, unit: unit, to: &needs)
                    }
                case .deleted(let stub):
                    roots.append(stub.name)
                    for kind in [ReferenceKind.parent, .validate] {
                        let scan = ReferrerScan(zone: key(unit), target: stub.name, kind: kind, limit: limit)
                        needs.referrers.append((unit, scan))
                    }
                case .alreadyGone, .refused: break
                }
            }
            if !roots.isEmpty {
                let scan = CascadeScan(zone: key(unit), roots: roots, limit: context.limits.cascadeMax + 1)
                needs.cascades.append((unit, scan))
            }
        }
        return needs
    }

    private func addNeeds(
        of reference: ReferenceTarget, members: Set<Name>, unit: Int, to needs: inout ReferenceNeeds
    ) {
        switch reference.kind {
        case .none: break
        case .parent, .validate:
            guard !members.contains(reference.target) else { return }
            needs.stubs.append((unit, RecordKey(zone: key(unit), name: reference.target)))
        case .deleteSelf:
            let scan = ReferrerScan(
                zone: key(unit), target: reference.target, kind: .deleteSelf,
                limit: context.limits.deleteSelfReferencesMax + members.count + 1)
            needs.referrers.append((unit, scan))
        }
    }

    mutating func loadReferences(_ needs: ReferenceNeeds) {
        for (need, stub) in zip(needs.stubs, reading.stubs.dropFirst(needs.stubsBefore)) {
            references[need.unit].exists[need.key.name] = stub.map { !context.catalog.hides($0) } ?? false
        }
        load(needs.referrers, from: reading.referrers[...])
        for (need, edges) in zip(needs.cascades, reading.cascades) {
            references[need.unit].isCascadeTooLarge = edges.count >= need.scan.limit
            if references[need.unit].isCascadeTooLarge { continue }
            for edge in edges where !context.catalog.hides(edge.record) {
                references[need.unit].edges[edge.target, default: []].append(edge.record)
            }
        }
    }

    private mutating func load(
        _ scans: [(unit: Int, scan: ReferrerScan)], from results: ArraySlice<[RecordStub]>
    ) {
        for (need, stubs) in zip(scans, results) {
            references[need.unit].referrers[ReferenceTarget(target: need.scan.target, kind: need.scan.kind)] =
                stubs.filter { !context.catalog.hides($0) }
        }
    }

    /// How many referrers to ask for, to see whether there are any beside `count` records: one more than those. Where
    /// types were removed, hidden records may stand in front of it.
    private func referrersMax(besides count: Int) -> Int {
        context.catalog.mayHideRecords ? max(count + 1, context.limits.cascadeMax) : count + 1
    }

    /// Who names the records that may go with a deletion: a deletion that would leave a child or a VALIDATE
    /// reference behind is refused, however far away.
    func cascadeNeeds(after needs: ReferenceNeeds) -> ReferenceNeeds {
        var further = ReferenceNeeds()
        further.stubsBefore = needs.stubsBefore + needs.stubs.count
        further.referrersBefore = needs.referrers.count
        for unit in units.indices where !references[unit].isCascadeTooLarge {
            let names = Set(references[unit].edges.values.joined().map(\.name))
            let limit = referrersMax(besides: names.count + units[unit].items.count)
            for name in names.sorted() {
                for kind in [ReferenceKind.parent, .validate]
                where references[unit].referrers[ReferenceTarget(target: name, kind: kind)] == nil {
                    further.referrers.append(
                        (unit, ReferrerScan(zone: key(unit), target: name, kind: kind, limit: limit)))
                }
            }
        }
        return further
    }

    mutating func loadCascades(_ needs: ReferenceNeeds) {
        load(needs.referrers, from: reading.referrers.dropFirst(needs.referrersBefore))
    }
}
