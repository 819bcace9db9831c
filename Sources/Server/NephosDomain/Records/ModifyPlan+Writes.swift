import CloudKitWire
import NephosStorage

extension ModifyPlan {
    /// Numbers the surviving changes in the order of the operations, and assembles what to write.
    ///
    /// Keeps the rows for ``answer()``.
    mutating func writes() -> WriteSet {
        // Advanced as numbers are assigned.
        var heads = heads
        for place in heads.indices { heads[place].time = max(context.now, heads[place].time) }
        var set = WriteSet()
        var journal = RecordJournal(reading.catalog)
        if growth.hasGrown { growth = survivingGrowth() }
        set.catalog = growth.writes
        for unit in units.indices {
            let place = heads.firstIndex { $0.database == units[unit].address.database } ?? 0
            write(unit, &heads[place], journal: &journal, to: &set)
        }
        let moved = heads.indices.filter { heads[$0].sequence != reading.databases[$0]?.sequence }
        set.heads = moved.count == heads.count ? heads : moved.map { heads[$0] }
        journal.finish(
            self.heads, at: context.now, reading.found, asked: ruled.changes, by: context.changer, to: &set)
        return set
    }

    private mutating func write(
        _ unit: Int, _ head: inout HeadRow, journal: inout RecordJournal, to set: inout WriteSet
    ) {
        let before = head.sequence
        prepareShares(unit, &head)
        let marks = shareMarks(of: unit)
        for index in units[unit].items { write(index, unit: unit, marks, &head, journal: &journal, to: &set) }
        if !references[unit].edges.isEmpty {
            for stub in outcome(of: unit).cascadedInOrder {
                bury(stub, .cascade, of: unit, &head, journal: &journal, in: &set)
            }
        }
        let newShares = marks.moved.isEmpty ? [] : Set(newRoots(of: unit).values)
        for moved in marks.moved {
            move(
                moved, in: unit, isNew: moved.share.map(newShares.contains) ?? false, &head, journal: &journal, to: &set
            )
        }
        let sharing = writeShares(unit, &head, journal: &journal, to: &set)
        guard let zone = zone(unit) else { return }
        var moved = zone
        if let sharing { moved.sharing = sharing }
        touchShares(unit, zone, since: before, &head, to: &set)
        moved.clientToken = clientToken(of: unit, zone)
        // Followers of the database's feed must see a new token, even if no record has changed.
        if head.sequence == before, moved.clientToken != zone.clientToken { _ = head.nextSequence() }
        if head.sequence > before {
            moved.changedSequence = head.sequence
            zonesAfter[unit] = moved
            set.zones.append(ZoneWrite(old: zone, new: moved))
        }
    }

    /// The client token that a zone's feed shows: that of the latest request accepted there. This request is accepted if any of
    /// its items is; a repeated request that changes nothing has the token already stored, and so writes nothing.
    ///
    /// Default zones have no feed that could show it.
    private func clientToken(of unit: Int, _ zone: ZoneRow) -> [UInt8]? {
        // Elsewhere others than its program would receive it.
        guard let clientToken, !zone.isDefault, units[unit].address.right == .owner else { return zone.clientToken }
        return units[unit].items.contains { states[$0].refusal == nil } ? clientToken : zone.clientToken
    }

    /// The schema with what the surviving items need, and no more: a failed item declares nothing.
    private func survivingGrowth() -> SchemaGrowth {
        var grown = SchemaGrowth(context)
        for case .saved(let draft) in states {
            do throws(Refusal) {
                try grown.absorb(draft.type, draft.newFields)
            } catch {
                // The same fields were accepted before, along with others; fewer of them fit as well.
                return growth
            }
        }
        return grown
    }

    private mutating func write(
        _ index: Int, unit: Int, _ marks: ShareMarks, _ head: inout HeadRow, journal: inout RecordJournal,
        to set: inout WriteSet
    ) {
        switch states[index] {
        case .alreadyGone, .refused: break
        case .deleted(let stub):
            bury(stub, .asked, of: unit, &head, journal: &journal, in: &set)
            if references[unit].isCascadeTooLarge {
                let cascade = PendingCascadeRow(
                    database: stub.database, zone: stub.zone, target: stub.name, sequence: head.sequence)
                set.put(cascade, replacing: waiting.first { $0.zone == stub.zone && $0.target == stub.name })
            }
        case .saved(let draft):
            guard let zone = zone(unit), let type = growth.row(draft.type), let user = context.caller.user else {
                states[index] = .refused(.failed)
                return
            }
            if let hidden = draft.hidden {
                bury(hidden, .replaced, of: unit, &head, journal: &journal, in: &set)
            }
            if draft.old == nil { head.recordNumber += 1 }
            let share = marks.saved[draft.name] ?? draft.old?.share
            if draft.old?.share != share, let old = draft.old {
                depart(RecordStub(old), to: share, in: unit, &head, &set)
            }
            var row = draft.row(
                database: head.database, zone: zone.number, type: type, number: head.recordNumber,
                sequence: head.nextSequence(), time: head.time, user: user, share: share)
            completeShares(&row, index, in: unit, to: &set)
            rows[index] = row
            journal.save(
                draft.write(row), type: type, replacing: draft.old, .asked,
                notifying: draft.old == nil ? .created : .updated, head, author: context.author, to: &set)
        }
    }

    /// Ends shares, and stores what other records than the items say of shares. - Returns: What the zone shares now, if that may be
    /// something else than before.
    private mutating func writeShares(
        _ unit: Int, _ head: inout HeadRow, journal: inout RecordJournal, to set: inout WriteSet
    ) -> ZoneSharing? {
        guard !shares[unit].edits.isEmpty || !shares[unit].ended.isEmpty else { return nil }
        let outcome = outcome(of: unit)
        let plan = self
        finishShares(unit, outcome, &set) {
            head.sequence
        } bury: { stub, set in
            plan.bury(stub, .cascade, of: unit, &head, journal: &journal, in: &set)
        } save: { old, row, set in
            var row = row
            (row.sequence, row.tagSequence) = (head.nextSequence(), head.sequence)
            row.modifiedAt = head.time
            if let user = plan.context.caller.user { row.modifiedBy = user }
            journal.save(
                RecordWrite(old: RecordStub(old), new: row, references: nil),
                type: plan.context.catalog.type(row.type)?.row, replacing: old, .server, notifying: .updated, head,
                author: plan.context.author, to: &set)
        }
        return sharing(of: unit, outcome)
    }

    /// A record below a saved one enters or leaves a share with it. What enters appears in the feed again; the tag stays, because the
    /// content does. Nobody follows a new share yet, so what it contains stays where it is.
    private func move(
        _ moved: ShareMarks.Moved, in unit: Int, isNew: Bool, _ head: inout HeadRow, journal: inout RecordJournal,
        to set: inout WriteSet
    ) {
        guard var row = shares[unit].below[moved.stub.number] else { return }
        depart(moved.stub, to: moved.share, in: unit, &head, &set)
        row.share = moved.share
        if moved.share != nil, !isNew { row.sequence = head.nextSequence() }
        journal.mark(RecordWrite(old: moved.stub, new: row, references: nil), to: &set)
    }

    /// Notes that a record leaves the share that it is in, if it is in another one from now on.
    private func depart(
        _ stub: RecordStub, to share: ShareNumber?, in unit: Int, _ head: inout HeadRow, _ set: inout WriteSet
    ) {
        guard let left = shares[unit].live(stub.share), left != share else { return }
        set.put(
            DepartureRow(
                database: stub.database, zone: stub.zone, sequence: head.nextSequence(), share: left.magnitudeOfShare,
                toShare: share?.magnitudeOfShare ?? 0, type: stub.type, name: stub.name, leftAt: head.time))
    }

    /// A deleted record of the public database is moved to the trash, unless it is only replaced.
    private func bury(
        _ stub: RecordStub, _ cause: RecordChange.Cause, of unit: Int, _ head: inout HeadRow,
        journal: inout RecordJournal, in set: inout WriteSet
    ) {
        _ = head.nextSequence()
        let isKept = units[unit].address.isPublic && cause != .replaced
        let trash = isKept ? RecordDeletion.Trash(deletedBy: context.caller.person) : nil
        journal.remove(
            RecordDeletion(of: stub, by: head, trash: trash), ruled.row(of: stub), cause, head,
            author: context.author, to: &set)
    }

    func answer() -> ModifyRecords.Answer {
        let outcomes = items.indices.map { index -> (name: Name?, outcome: ModifyRecords.Outcome) in
            let name = items[index].operation.record.recordName
            switch states[index] {
            case .refused(let refusal): return (name, .refused(refusal))
            case .deleted, .alreadyGone: return (name, .deleted(items[index].name))
            case .saved(let draft):
                guard let row = rows[index], let unit = items[index].unit else { return (name, .refused(.failed)) }
                return (name, .saved(stored(row, draft.type, in: unit), units[unit].address.identity))
            }
        }
        let unit = units.firstIndex { $0.isOfWholeRequest }
        let end = unit.flatMap { unit in (zonesAfter[unit] ?? zone(unit)).flatMap(units[unit].address.feedEnd) }
        return ModifyRecords.Answer(
            items: outcomes, notAtomic: notAtomic, feedEnd: end, steps: steps.taken)
    }

    /// Not inlined: otherwise the whole draft is copied for its type.
    @inline(never)
    private func stored(_ row: RecordRow, _ type: Name, in unit: Int) -> StoredRecord {
        row.isOfSharing || context.scope == .shared
            ? StoredRecord(row: row, type: type, in: units[unit].address, context)
            : StoredRecord(saved: row, type: type)
    }

    private var notAtomic: Set<Int> {
        var places: Set<Int> = []
        for unit in units where unit.ignoresAtomic {
            let refused = unit.items.filter { states[$0].refusal != nil }
            if refused.count < unit.items.count { places.formUnion(refused) }
        }
        return places
    }
}

extension HeadRow {
    fileprivate mutating func nextSequence() -> Sequence {
        sequence += 1
        return sequence
    }
}
