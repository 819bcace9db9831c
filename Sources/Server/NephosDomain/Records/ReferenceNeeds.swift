import CloudKitWire
import NephosStorage

/// What must be read beyond the operations' own records, unit by unit, in an order that is the same each time a decision is
/// repeated.
struct ReferenceNeeds {
    /// Records whose existence is checked.
    var stubs: [(unit: Int, key: RecordKey)] = []
    var referrers: [(unit: Int, scan: ReferrerScan)] = []
    var cascades: [(unit: Int, scan: CascadeScan)] = []
    /// The maximum number of referrers in total.
    var referrerRowsMax = 0
    /// How many results precede these in the reading.
    var stubsBefore = 0
    var referrersBefore = 0

    /// What to read; nil if the reading has it.
    func missing(in reading: Reading) -> ReadSet? {
        guard
            reading.stubs.count < stubsBefore + stubs.count
                || reading.referrers.count < referrersBefore + referrers.count
                || reading.cascades.count < cascades.count
        else { return nil }
        var set = ReadSet()
        set.stubs = stubs.map(\.key)
        set.referrers = referrers.map(\.scan)
        set.referrerRowsMax = referrerRowsMax
        set.cascades = cascades.map(\.scan)
        return set
    }
}

/// What the store contains about the references of one unit's records.
struct UnitReferences {
    /// Whether records exist, as far as the caller may know: the unit's own, and targets outside of it.
    var exists: [Name: Bool] = [:]
    /// The stored records of the unit's operations, and those that its saves refer to, as far as they must exist.
    var targets: [Name: RecordStub] = [:]
    /// Stored records that reference a record, by kind.
    var referrers: [ReferenceTarget: [RecordStub]] = [:]
    /// Targets that may have more referrers.
    var cut: Set<ReferenceTarget> = []
    /// Stored DELETE_SELF references around deleted records: which records are deleted with which.
    private(set) var edges: [Name: [RecordStub]] = [:]
    /// The reverse: the records with which a record is deleted.
    private(set) var origins: [Name: [Name]] = [:]
    /// The cascade is too large. A custom zone then refuses the deletion; in a default zone it is completed in the background.
    private(set) var cascadeLimit: CascadeLimit?

    var isCascadeTooLarge: Bool { cascadeLimit != nil }

    mutating func add(_ edge: CascadeEdge) {
        edges[edge.target, default: []].append(edge.record)
        origins[edge.record.name, default: []].append(edge.target)
    }

    mutating func leaveCascade(because limit: CascadeLimit) {
        (edges, origins) = ([:], [:])
        cascadeLimit = limit
    }
}

/// Which limit prevents a deletion from including the records that depend on it.
enum CascadeLimit { case records, steps, rows }

extension ModifyPlan {
    private func key(_ unit: Int) -> ZoneKey { units[unit].address.key }

    /// For each unit: whether the targets exist that its saves need, which records reference those that it deletes, and which are
    /// deleted with them.
    mutating func referenceNeeds() throws(Refusal) -> ReferenceNeeds {
        var needs = ReferenceNeeds()
        needs.stubsBefore = deletions
        var cascading: [(unit: Int, roots: [Name])] = []
        for unit in units.indices {
            let members = Set(units[unit].items.map { items[$0].name })
            for reference in try targets(of: unit) { addNeeds(of: reference, members: members, unit: unit, to: &needs) }
            let roots = roots(of: unit).map(\.stub.name)
            let limit = referrersMax(besides: members.count)
            for root in roots {
                for kind in ReferenceKind.binding {
                    needs.referrers.append(
                        (unit, ReferrerScan(zone: key(unit), target: root, kind: kind, limit: limit)))
                }
            }
            steps.ask(roots.count * ReferenceKind.binding.count)
            if !roots.isEmpty { cascading.append((unit, roots)) }
        }
        guard !steps.isSpent else { throw tooManySteps }
        for (unit, roots) in cascading {
            let most = min(context.limits.cascadeMax, steps.rowsLeft / cascading.count)
            needs.cascades.append((unit, CascadeScan(zone: key(unit), roots: roots, limit: most + 1)))
        }
        needs.referrerRowsMax = max(steps.rowsLeft, 1)
        return needs
    }

    var tooManySteps: Refusal {
        .limitExceeded(
            "the request takes more than \(steps.max) steps to check: too many references are saved with its records, or "
                + "point to what it deletes; put fewer records into one request")
    }

    /// How many records the operations delete by name, as far as they are read for that.
    var deletions: Int { items.count { $0.unit != nil && $0.refusal == nil && $0.kind.isDeletion } }

    /// The existing ones of these, and of the targets that were checked.
    var deletedStubs: [RecordStub] { reading.stubs.prefix(deletions).compactMap(\.self) }

    func targets(of needs: ReferenceNeeds) -> [RecordStub] {
        reading.stubs.dropFirst(needs.stubsBefore).prefix(needs.stubs.count).compactMap(\.self)
    }

    /// The records that a unit deletes by name.
    func roots(of unit: Int) -> [(item: Int, stub: RecordStub)] {
        units[unit].items.compactMap { index in
            if case .deleted(let stub) = states[index] { (index, stub) } else { nil }
        }
    }

    /// New references in a unit's saves whose targets must be checked: each once, in order.
    private mutating func targets(of unit: Int) throws(Refusal) -> [ReferenceTarget] {
        var targets: Set<ReferenceTarget> = []
        for index in units[unit].items {
            guard case .saved(let draft) = states[index] else { continue }
            steps.look(draft.references.count)
            for reference in draft.newReferences where reference.kind != .none {
                if targets.insert(reference).inserted { steps.ask() }
            }
            for held in heldReferences(draft) {
                let reference = ReferenceTarget(target: held.target, kind: .validate)
                if targets.insert(reference).inserted { steps.ask() }
            }
            guard !steps.isSpent else { throw tooManySteps }
        }
        return targets.inOrder
    }

    /// New references of a record whose targets must exist because of a feature, though they need not be VALIDATE references; each
    /// with the reason for refusing it.
    func heldReferences(_ draft: RecordDraft) -> [(target: Name, reason: String)] {
        guard !draft.newReferences.isEmpty, let type = growth.row(draft.type) else { return [] }
        let new = Set(draft.newReferences.map(\.target))
        return rules.held(of: type).filter { $0.concerns(draft.fields) }.flatMap { held in
            var targets: [(target: Name, reason: String)] = []
            CanonicalFields.read([held.field], in: draft.fields) { _, value in
                func add(_ value: StoredValue) {
                    guard let name = value.bytes.map({ Name(bytes: $0) }), new.contains(name) else { return }
                    targets.append((name, held.reason))
                }
                if value.type == .reference { add(value) } else { value.forEachElement(add) }
            }
            return targets
        }
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
            if units[unit].address.reach != nil, !members.contains(reference.target) {
                needs.stubs.append((unit, RecordKey(zone: key(unit), name: reference.target)))
            }
        }
    }

    mutating func loadReferences(_ needs: ReferenceNeeds) throws(Refusal) {
        loadMembers()
        for (need, stub) in zip(needs.stubs, reading.stubs.dropFirst(needs.stubsBefore)) {
            references[need.unit].exists[need.key.name] = stub.map { mayKnow($0) } ?? false
            references[need.unit].targets[need.key.name] = stub
        }
        guard load(needs, from: reading.referrers[...]) else { throw tooManySteps }
        for (need, edges) in zip(needs.cascades, reading.cascades) {
            steps.ask(edges.count)
            if edges.count >= need.scan.limit {
                let isByRecords = need.scan.limit > context.limits.cascadeMax
                references[need.unit].leaveCascade(because: isByRecords ? .records : .steps)
                continue
            }
            // A share record ends with its share only.
            for edge in edges where !context.catalog.hides(edge.record) && !edge.record.flags.contains(.share) {
                references[need.unit].add(edge)
            }
        }
    }

    /// Whether the request writes less than before it was found to be too large.
    var hasLeftCascade: Bool { references.contains { $0.cascadeLimit == .rows } }

    /// The previous decision affects too much: cascades may be completed later. Called after everything was read, so that the
    /// reading is the same as before.
    mutating func leaveCascades() {
        for unit in units.indices where !references[unit].edges.isEmpty {
            references[unit].leaveCascade(because: .rows)
        }
    }

    /// What must be read of cascades that are already waiting for targets that leave more; nil if it was read, or nothing is
    /// left.
    mutating func waitingNeeds() -> ReadSet? {
        let left = units.indices.filter { references[$0].isCascadeTooLarge }.flatMap { roots(of: $0) }
        guard !left.isEmpty else { return nil }
        let scan = PendingCascadeRow.of(left.map { ($0.stub.database, $0.stub.zone, $0.stub.name) })
        guard let rows = reading.rows(of: scan) else {
            var more = ReadSet()
            more.ask(scan)
            return more
        }
        waiting = rows
        return nil
    }

    /// What the store contains for the names of the operations themselves.
    private mutating func loadMembers() {
        var records = reading.records.makeIterator()
        var stubs = reading.stubs.makeIterator()
        for item in items where item.refusal == nil {
            guard let unit = item.unit else { continue }
            let stub: RecordStub?
            if item.kind.isDeletion {
                stub = stubs.next() ?? nil
            } else {
                switch records.next() ?? .absent {
                case .absent, .outside: stub = nil
                case .record(let row): stub = RecordStub(row)
                case .beyondLimit:
                    // Its creator was not read.
                    references[unit].exists[item.name] = !units[unit].address.isPublic
                    continue
                }
            }
            references[unit].exists[item.name] = stub.map { mayKnow($0) } ?? false
            references[unit].targets[item.name] = stub
        }
    }

    /// - Returns: False if there are more than may be read.
    private mutating func load(_ needs: ReferenceNeeds, from results: ArraySlice<[RecordStub]>) -> Bool {
        var rows = 0
        for (need, stubs) in zip(needs.referrers, results) {
            rows += stubs.count
            let target = ReferenceTarget(target: need.scan.target, kind: need.scan.kind)
            references[need.unit].referrers[target] = stubs.filter { !context.catalog.hides($0) }
            if stubs.count >= need.scan.limit { references[need.unit].cut.insert(target) }
        }
        steps.ask(rows)
        return needs.referrers.isEmpty || rows < needs.referrerRowsMax
    }

    /// How many referrers to read to see whether there are any besides `count` records: one more than those. If types were
    /// removed, hidden records may come first; in the public database records that do not protect anything may, of which some are
    /// examined.
    private func referrersMax(besides count: Int) -> Int {
        if context.catalog.mayHideRecords { return max(count + 1, context.limits.cascadeMax) }
        return count + (context.scope == .public ? context.limits.holdersMax : 1)
    }

    /// Reads the referrers of records that may be deleted along: a deletion that would leave a child or a VALIDATE reference
    /// behind is refused, however far away.
    mutating func cascadeNeeds(after needs: ReferenceNeeds) -> ReferenceNeeds {
        var further = ReferenceNeeds()
        further.stubsBefore = needs.stubsBefore + needs.stubs.count
        further.referrersBefore = needs.referrers.count
        for unit in units.indices where !references[unit].edges.isEmpty {
            let gone = references[unit].origins.keys.sorted()
            var targets: [ReferenceTarget] = []
            for kind in ReferenceKind.binding {
                targets += gone.map { ReferenceTarget(target: $0, kind: kind) }
                    .filter { references[unit].referrers[$0] == nil }
                // All referrers that were found may be deleted along; then there may be another one after them.
                targets += roots(of: unit).map { ReferenceTarget(target: $0.stub.name, kind: kind) }
                    .filter { references[unit].cut.contains($0) }
            }
            guard targets.count <= steps.rowsLeft else {
                references[unit].leaveCascade(because: .steps)
                continue
            }
            steps.ask(targets.count)
            let limit = referrersMax(besides: gone.count + units[unit].items.count)
            for target in targets {
                further.referrers.append(
                    (unit, ReferrerScan(zone: key(unit), target: target.target, kind: target.kind, limit: limit)))
            }
        }
        further.referrerRowsMax = max(steps.rowsLeft, 1)
        return further
    }

    mutating func loadCascades(_ needs: ReferenceNeeds) {
        guard !load(needs, from: reading.referrers.dropFirst(needs.referrersBefore)) else { return }
        for unit in Set(needs.referrers.map(\.unit)) { references[unit].leaveCascade(because: .steps) }
    }
}

extension ReferenceKind {
    /// The kinds whose target must exist.
    static let binding: [ReferenceKind] = [.parent, .validate]
}
