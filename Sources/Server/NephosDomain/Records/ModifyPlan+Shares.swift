import CloudKitWire
import NephosStorage

/// What the store contains about the shares of one unit's records.
struct UnitShares {
    /// The shares that marks of stored records name, as far as they have not ended; of a unit that changes shares, all of the zone.
    private(set) var rows: [ShareNumber: ShareRow] = [:]
    /// What is above the stored parents of saved records; only if stored records move.
    fileprivate(set) var lines: [Name: AncestorLine] = [:]
    /// Stored children, of records that move and of all below them.
    fileprivate(set) var children: [Name: [RecordStub]] = [:]
    /// There is more below the records that move than may move with them, or than one read returns.
    fileprivate(set) var isTooLarge = false
    /// A share is inside of the one that is created. Known only of one that is prepared later.
    fileprivate(set) var hasNested = false
    /// It cannot be found out whether there is one.
    fileprivate(set) var isUnclear = false
    /// Stored records below those that move, by number.
    fileprivate(set) var below: [RecordNumber: RecordRow] = [:]
    /// Shares that the unit creates, changes or ends, by the item of the share record.
    var edits: [Int: ShareEdit] = [:]
    /// Shares that end with their roots, by the number of the root.
    var ended: [RecordNumber: EndedShare] = [:]
    /// Stored roots of new shares, unless an item saves them, and of ended shares.
    var roots: [Name: RecordRow] = [:]
    /// The names of such roots that were too large to be read with everything else.
    var unreadRoots: Set<Name> = []

    /// A mark, if the share exists; the mark of a share that ended means nothing.
    func live(_ mark: ShareNumber?) -> ShareNumber? {
        guard let mark, rows[mark.magnitudeOfShare] != nil else { return nil }
        return mark
    }

    /// Whether a record is the root of a live share.
    func isRoot(_ number: RecordNumber, _ flags: RecordRow.Flags, _ mark: ShareNumber?) -> Bool {
        guard flags.contains(.shareRoot), let mark = live(mark) else { return false }
        return rows[mark.magnitudeOfShare]?.root == number
    }

    mutating func add(_ shares: [ShareRow]) { for share in shares { rows[share.number] = share } }
}

extension ShareNumber {
    /// The number of the share of a mark (``RecordRow/share``).
    var magnitudeOfShare: ShareNumber { abs(self) }
}

/// The marks of a unit's records after it, based on the items that have not failed.
struct ShareMarks {
    /// A stored record that enters or leaves a share with a record above it.
    struct Moved {
        var stub: RecordStub
        var share: ShareNumber?
    }

    /// The marks of saved records, as far as they depend on a parent that is new.
    var saved: [Name: ShareNumber?] = [:]
    /// In an order that is the same each time.
    var moved: [Moved] = []
    /// What may not happen, by item.
    var refusals: [Int: Refusal] = [:]
}

/// A record is in the share of its parent. So a save with a new parent may take a record, and all below it, into a share or out of
/// one (docs/decisions/0063).
extension ModifyPlan {
    /// The number of records that may be above the parent of a record that moves.
    private static let depthMax = 100
    /// The number of shares in a zone of which it is looked up what is above them, before a large one is created beside them.
    private static let nestedMax = 100

    /// Whether records of the unit's zone are shared. Otherwise nothing needs to be known, which is usual.
    private func hasShares(_ unit: Int) -> Bool {
        if !shares[unit].edits.isEmpty, !newRoots(of: unit).isEmpty { return true }
        return switch zone(unit)?.sharing {
        case .records?, .recordsInPreparation?: true
        case .nothing?, .zone?, nil: false
        }
    }

    /// Finds what the shares of a zone mean for the unit. - Returns: What must be read for that; nil if it was.
    mutating func learnShares() -> ReadSet? {
        let shared = units.indices.filter(hasShares)
        guard !shared.isEmpty else { return nil }
        if let more = learnLines(shared) { return more }
        for unit in shared { prepareLargeShare(unit) }
        if let more = learnNested(shared) { return more }
        if let more = learnRows(shared) { return more }
        if let more = learnBelow(shared) { return more }
        // What is too large to be read is marked later, too.
        for unit in shared { prepareLargeShare(unit) }
        return learnNested(shared)
    }

    /// What is below the root of a large share is marked after the request, if the request moves nothing else.
    private mutating func prepareLargeShare(_ unit: Int) {
        guard shares[unit].isTooLarge, movers(of: unit).isEmpty, newRoots(of: unit).count == 1 else { return }
        for (item, edit) in shares[unit].edits where edit.old == nil && states[item].refusal == nil {
            shares[unit].edits[item]?.row.state = .preparing
        }
    }

    /// Whether a share is prepared after the request.
    private func isPreparing(_ unit: Int) -> Bool { newRoots(of: unit).values.contains { $0 < 0 } }

    /// Finds out whether a share is inside of one that is prepared later: as not all that is below its root is read, from the roots of
    /// the others.
    private mutating func learnNested(_ shared: [Int]) -> ReadSet? {
        var more = ReadSet()
        var asked: [Int] = []
        for unit in shared where isPreparing(unit) {
            guard shares[unit].rows.count <= Self.nestedMax else {
                shares[unit].isUnclear = true
                continue
            }
            for row in shares[unit].rows.values.sorted(by: { $0.number < $1.number }) where !row.isOfZone {
                more.ancestors.append(
                    AncestorScan(zone: units[unit].address.key, name: row.rootName, limit: Self.depthMax))
                asked.append(unit)
            }
        }
        guard !asked.isEmpty else { return nil }
        let lines = reading.ancestors.dropFirst(linesOfParents).prefix(asked.count)
        guard lines.count == asked.count else { return more }
        for (unit, line) in zip(asked, lines) {
            let roots = newRoots(of: unit)
            if line.records.contains(where: { roots[$0.name] != nil }) {
                shares[unit].hasNested = true
            } else if line.next != nil, line.records.count >= Self.depthMax {
                shares[unit].isUnclear = true
            }
        }
        return nil
    }

    /// Whether a save may take a record into a share or out of one.
    var concernsShares: Bool {
        units.indices.contains { unit in
            hasShares(unit)
                && (drafts(of: unit).contains { $0.draft.parent != $0.draft.old?.parent }
                    || !newRoots(of: unit).isEmpty)
        }
    }

    /// The items of stored records that get another parent.
    private func movers(of unit: Int) -> [(item: Int, draft: RecordDraft)] {
        drafts(of: unit).filter { $0.draft.old != nil && $0.draft.parent != $0.draft.old?.parent }
    }

    /// How many records below those that move, or that are shared, may become part of another share with them.
    private func belowMax(of unit: Int) -> Int {
        movers(of: unit).isEmpty ? context.limits.sharedAtOnceMax : context.limits.sharedMovesMax
    }

    private func drafts(of unit: Int) -> [(item: Int, draft: RecordDraft)] {
        units[unit].items.compactMap { index in
            if case .saved(let draft) = states[index] { (index, draft) } else { nil }
        }
    }

    /// Reads what is above and below the records that move.
    private mutating func learnLines(_ shared: [Int]) -> ReadSet? {
        var set = ReadSet()
        var (lineUnits, cascadeUnits): ([Int], [Int]) = ([], [])
        for unit in shared {
            let roots = newRoots(of: unit)
            let movers = movers(of: unit).map(\.draft.name)
            guard !movers.isEmpty || !roots.isEmpty else { continue }
            let drafts = drafts(of: unit).map(\.draft)
            // What is saved may still fail, and then others are below what is stored.
            let saved = units[unit].isAtomic ? Set(drafts.map(\.name)) : []
            let parents = drafts.compactMap(\.parent) + roots.keys.compactMap { shares[unit].roots[$0]?.parent }
            for parent in Set(parents).subtracting(saved).sorted() {
                set.ancestors.append(AncestorScan(zone: units[unit].address.key, name: parent, limit: Self.depthMax))
                lineUnits.append(unit)
            }
            set.cascades.append(
                CascadeScan(
                    zone: units[unit].address.key, roots: Set(movers).union(roots.keys).sorted(), kind: .parent,
                    limit: belowMax(of: unit) + 1))
            cascadeUnits.append(unit)
        }
        guard !cascadeUnits.isEmpty else { return nil }
        linesOfParents = lineUnits.count
        let cascades = reading.cascades.dropFirst(referenceCascades)
        guard reading.ancestors.count >= lineUnits.count, cascades.count >= cascadeUnits.count else { return set }
        for (unit, (scan, line)) in zip(lineUnits, zip(set.ancestors, reading.ancestors)) {
            shares[unit].lines[scan.name] = line
        }
        for (unit, edges) in zip(cascadeUnits, cascades) {
            shares[unit].isTooLarge = edges.count > belowMax(of: unit)
            for edge in edges { shares[unit].children[edge.target, default: []].append(edge.record) }
        }
        return nil
    }

    /// Reads the shares that marks name.
    private mutating func learnRows(_ shared: [Int]) -> ReadSet? {
        var set = ReadSet()
        for unit in shared {
            let known = shares[unit]
            let stubs = known.lines.values.flatMap(\.records) + known.children.values.joined()
            let targets = references[unit].targets.values.compactMap(\.share)
            let marks = stubs.compactMap(\.share) + targets + drafts(of: unit).compactMap { $0.draft.old?.share }
            guard !marks.isEmpty else { continue }
            let scan = ShareRow.keyed(Set(marks.map(\.magnitudeOfShare)).sorted(), in: units[unit].address.database)
            if let rows = reading.rows(of: scan) { shares[unit].add(rows) } else { set.ask(scan) }
        }
        return set.scans.isEmpty ? nil : set
    }

    /// Reads the records that may move along: after everything else, because only the public database, where nothing is shared, has
    /// rules that read more records.
    private mutating func learnBelow(_ shared: [Int]) -> ReadSet? {
        var more = ReadSet()
        for unit in shared {
            more.records += below(of: unit).map { RecordKey(zone: .number($0.database, $0.zone), name: $0.name) }
        }
        guard !more.records.isEmpty else { return nil }
        let found = reading.records.dropFirst(recordsBeforeShared).prefix(more.records.count)
        guard found.count == more.records.count else { return more }
        var rest = found[...]
        for unit in shared {
            let own = rest.prefix(below(of: unit).count)
            rest = rest.dropFirst(own.count)
            for found in own {
                switch found {
                case .record(let row): shares[unit].below[row.number] = row
                case .beyondLimit: shares[unit].isTooLarge = true
                case .absent, .outside: break
                }
            }
        }
        return nil
    }

    /// The stored records that may enter or leave a share with a record above them. If some items may fail and others are carried out,
    /// these are all below records that move.
    private func below(of unit: Int) -> [RecordStub] {
        guard !shares[unit].isTooLarge, !shares[unit].children.isEmpty else { return [] }
        if units[unit].isAtomic {
            var walk = MarkWalk(self, unit, UnitOutcome())
            return walk.marks().moved.map(\.stub)
        }
        var seen: Set<RecordNumber> = []
        return shares[unit].children.values.joined().filter { seen.insert($0.number).inserted }
            .sorted { $0.number < $1.number }
    }

    /// The marks of a unit's records after it.
    func shareMarks(of unit: Int, _ outcome: UnitOutcome? = nil) -> ShareMarks {
        guard hasShares(unit) else { return ShareMarks() }
        var plan = self
        var walk = MarkWalk(self, unit, outcome ?? plan.outcome(of: unit))
        return walk.marks()
    }

    /// Refuses what may not happen to shares. - Returns: Whether anything was refused.
    mutating func refuseByShares(_ unit: Int, _ outcome: UnitOutcome) -> Bool {
        let refusals = shareMarks(of: unit, outcome).refusals
        for (item, refusal) in refusals { states[item] = .refused(refusal) }
        return !refusals.isEmpty
    }

    /// Finds the marks of one unit.
    private struct MarkWalk {
        private let plan: ModifyPlan
        private let shares: UnitShares
        private let outcome: UnitOutcome
        private let items: [(item: Int, draft: RecordDraft)]
        private let movers: [(item: Int, draft: RecordDraft)]
        private let isPreparing: Bool
        private let targets: [Name: RecordStub]
        /// The roots of new shares, with these.
        private let newRoots: [Name: ShareNumber]
        private var drafts: [Name: RecordDraft] = [:]
        private var known: [Name: ShareNumber?] = [:]
        /// The saved records whose marks are being found, from child to parent.
        private var path: [Name] = []
        private var cyclic: Set<Name> = []

        init(_ plan: ModifyPlan, _ unit: Int, _ outcome: UnitOutcome) {
            self.plan = plan
            self.outcome = outcome
            shares = plan.shares[unit]
            items = plan.drafts(of: unit)
            movers = plan.movers(of: unit)
            isPreparing = plan.zone(unit)?.sharing == .recordsInPreparation
            newRoots = plan.newRoots(of: unit)
            for (_, draft) in items { drafts[draft.name] = draft }
            targets = plan.references[unit].targets
        }

        mutating func marks() -> ShareMarks {
            var marks = ShareMarks()
            // If no stored record moves, only new ones are in another share than before.
            let isSimple = movers.isEmpty && newRoots.isEmpty
            for (_, draft) in isSimple ? items.filter({ $0.draft.old == nil }) : items {
                marks.saved[draft.name] = .some(mark(of: draft))
            }
            guard !isSimple else { return marks }
            for (item, edit) in shares.edits {
                if let refusal = refusal(ofNew: edit) { marks.refusals[item] = refusal }
            }
            for (item, draft) in movers {
                if let refusal = refusal(of: draft) { marks.refusals[item] = refusal }
            }
            follow(&marks)
            return marks
        }

        private func isRoot(_ draft: RecordDraft) -> Bool {
            draft.old.map { shares.isRoot($0.number, $0.flags, $0.share) } ?? false
        }

        /// The share of a saved record: its own if it is a root, otherwise that of its parent.
        private mutating func mark(of draft: RecordDraft) -> ShareNumber? {
            if let known = known[draft.name] { return known }
            if let start = path.firstIndex(of: draft.name) {
                cyclic.formUnion(path[start...])
                return nil
            }
            if let new = newRoots[draft.name] { return new }
            if isRoot(draft) || draft.flags.contains(.share) { return shares.live(draft.old?.share) }
            guard let parent = draft.parent else { return nil }
            path.append(draft.name)
            let found = mark(ofParent: parent, of: draft)
            path.removeLast()
            known[draft.name] = .some(found)
            return found
        }

        private mutating func mark(ofParent parent: Name, of draft: RecordDraft) -> ShareNumber? {
            if let saved = drafts[parent] { return mark(of: saved) }
            if let new = newRoots[parent] { return new }
            guard let line = shares.lines[parent] else {
                return shares.live(draft.old == nil ? targets[parent]?.share : draft.old?.share)
            }
            for stub in line.records {
                if let saved = drafts[stub.name] { return mark(of: saved) }
                if let new = newRoots[stub.name] { return new }
                if shares.isRoot(stub.number, stub.flags, stub.share) { return shares.live(stub.share) }
            }
            return shares.live(line.records.first?.share)
        }

        /// Why a share cannot be created where its root is.
        private mutating func refusal(ofNew edit: ShareEdit) -> Refusal? {
            guard edit.old == nil, let root = edit.list.root, let share = newRoots[root] else { return nil }
            if shares.hasNested { return .nestedShare }
            if shares.isUnclear { return .unclearShare }
            if shares.isTooLarge, share > 0 { return .tooManyBelow(plan.context.limits.sharedAtOnceMax) }
            let draft = drafts[root]
            guard let parent = draft.map(\.parent) ?? shares.roots[root]?.parent else { return nil }
            let above: ShareNumber?
            if let draft {
                above = mark(ofParent: parent, of: draft)
            } else {
                // Of a stored record it is known what is above.
                guard let line = shares.lines[parent] else { return nil }
                var mark: ShareNumber?
                for stub in line.records {
                    mark = drafts[stub.name].map { self.mark(of: $0) } ?? newRoots[stub.name]
                    if mark != nil || drafts[stub.name] != nil { break }
                    mark = shares.live(stub.share)
                    if mark != nil { break }
                }
                above = mark
            }
            if above == share || cyclic.contains(root) {
                return .badRequest("a record that is below itself cannot be shared: choose another parent for it")
            }
            return above == nil ? nil : .nestedShare
        }

        private mutating func refusal(of draft: RecordDraft) -> Refusal? {
            // Its share is judged by itself.
            if newRoots[draft.name] != nil { return nil }
            let before = shares.live(draft.old?.share)
            // What stays in its share does not depend on another one, of which its members may know nothing.
            let stays = before.map { $0 > 0 } == true && !isRoot(draft) && mark(of: draft) == before
            if isPreparing, !stays {
                return .zoneBusy("records of this zone are being shared: move this one in a moment", seconds: 1)
            }
            if isRoot(draft) {
                guard let parent = draft.parent, mark(ofParent: parent, of: draft) != nil else { return nil }
                return .nestedShare
            }
            guard before != nil || mark(of: draft) != nil else { return nil }
            if cyclic.contains(draft.name) {
                return .badRequest("a shared record cannot be below itself: choose another parent")
            }
            // Nothing is known of what is further above.
            if let parent = draft.parent, let line = shares.lines[parent], line.records.count >= depthMax,
                line.next != nil, !line.records.contains(where: { shares.isRoot($0.number, $0.flags, $0.share) })
            {
                return .limitExceeded("a parent of a record that moves can have at most \(depthMax) records above it")
            }
            guard shares.isTooLarge, before != mark(of: draft) else { return nil }
            return .tooManyMoves(plan.context.limits.sharedMovesMax)
        }

        /// Whether what is below a record is marked after the request.
        private func isPrepared(_ name: Name) -> Bool { newRoots[name].map { $0 < 0 } ?? false }

        /// Finds the stored records that enter or leave a share with those that are saved.
        private func follow(_ marks: inout ShareMarks) {
            var taken: Set<RecordNumber> = []
            var starts: [(item: Int, name: Name, mark: ShareNumber?)] = items.compactMap { item, draft in
                guard let old = draft.old, let mark = marks.saved[draft.name], shares.live(old.share) != mark,
                    !isPrepared(draft.name)
                else { return nil }
                return (item, draft.name, mark)
            }
            for (item, edit) in shares.edits.sorted(by: { $0.key < $1.key }) {
                guard let root = edit.list.root, let share = newRoots[root], drafts[root] == nil, !isPrepared(root)
                else { continue }
                starts.append((item, root, share))
            }
            for (item, name, mark) in starts where marks.refusals[item] == nil {
                var queue = [name]
                while let name = queue.popLast() {
                    for child in shares.children[name] ?? [] {
                        if let saved = drafts[child.name] {
                            // With another parent, it was judged by itself.
                            if mark != nil, isRoot(saved) || newRoots[saved.name] != nil,
                                saved.parent == saved.old?.parent
                            {
                                marks.refusals[item] = .nestedShare
                            }
                            continue
                        }
                        if newRoots[child.name] != nil {
                            if mark != nil { marks.refusals[item] = .nestedShare }
                            continue
                        }
                        guard !outcome.isGone(child.name) else { continue }
                        guard taken.insert(child.number).inserted else { continue }
                        if shares.isRoot(child.number, child.flags, child.share) {
                            if mark != nil { marks.refusals[item] = .nestedShare }
                            continue
                        }
                        if shares.live(child.share) != mark { marks.moved.append(.init(stub: child, share: mark)) }
                        queue.append(child.name)
                    }
                }
            }
            marks.moved.sort { $0.stub.number < $1.stub.number }
        }
    }
}

extension Refusal {
    fileprivate static var nestedShare: Refusal {
        .alreadyShared("a shared record cannot be inside of another share: end one of the shares first")
    }

    fileprivate static var unclearShare: Refusal {
        .limitExceeded(
            "this zone has too many shares, or too deep ones, to share so many records beside them: move the record to a zone of its own, and share that"
        )
    }

    fileprivate static func tooManyBelow(_ most: Int) -> Refusal {
        .limitExceeded(
            "a record with more than \(most) records below it is shared by itself: send its share in a request that moves nothing else"
        )
    }

    fileprivate static func tooManyMoves(_ most: Int) -> Refusal {
        .limitExceeded(
            "a record that enters or leaves a share can have at most \(most) records below it, which fit into 16 MB: stop sharing, move it, and share again; "
                + "the address stays the same")
    }
}
