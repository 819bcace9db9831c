import CloudKitWire
import NephosStorage

/// What a request writes of shares that it creates, changes or ends, after it was decided which these are.
extension ModifyPlan {
    /// What the zone shares after the unit.
    func sharing(of unit: Int, _ outcome: UnitOutcome?) -> ZoneSharing? {
        guard let zone = zone(unit) else { return nil }
        let own = shares[unit]
        guard !own.edits.isEmpty || !own.ended.isEmpty else { return zone.sharing }
        var live = own.rows.mapValues(\.state)
        var ofZone: ShareNumber?
        if case .zone(let share) = zone.sharing { ofZone = share }
        for (item, edit) in own.edits where states[item].refusal == nil {
            if edit.ends {
                live[edit.row.number] = nil
                if ofZone == edit.row.number { ofZone = nil }
            } else if edit.old == nil {
                if edit.row.isOfZone, edit.list.root == nil {
                    ofZone = edit.row.number
                } else {
                    live[edit.row.number] = edit.row.state
                }
            }
        }
        for end in endedShares(of: unit, outcome) { live[end.row.number] = nil }
        if let ofZone { return .zone(ofZone) }
        return live.isEmpty ? .nothing : live.values.contains(.preparing) ? .recordsInPreparation : .records
    }

    /// Whether the unit creates, changes or ends shares.
    private func isAboutShares(_ unit: Int) -> Bool { !shares[unit].edits.isEmpty || !shares[unit].ended.isEmpty }

    /// Prepares to write shares: before anything of the unit is numbered.
    mutating func prepareShares(_ unit: Int, _ head: inout HeadRow) {
        guard !shares[unit].edits.isEmpty else { return }
        var number = head.recordNumber
        var numbers: [Name: RecordNumber] = [:]
        for case .saved(let draft) in units[unit].items.map({ states[$0] }) where draft.old == nil {
            number += 1
            numbers[draft.name] = number
        }
        for (item, edit) in shares[unit].edits where edit.old == nil && states[item].refusal == nil {
            head.sequence = max(head.sequence, edit.row.number)
            guard let root = edit.list.root, edit.row.root == 0, let number = numbers[root] else { continue }
            shares[unit].edits[item]?.row.root = number
            shares[unit].edits[item]?.list.rootNumber = number
        }
    }

    /// Adds what a saved row says of shares.
    func completeShares(_ row: inout RecordRow, _ item: Int, in unit: Int, to set: inout WriteSet) {
        guard isAboutShares(unit) else { return }
        if let edit = shares[unit].edits[item] {
            row.fields = edit.list.kept(in: row.fields)
            row.share = edit.row.isOfZone ? nil : edit.row.number
            set.put(edit, at: row.sequence)
            if edit.row.state == .preparing { set.ask(for: PrepareShare.job, at: context.now) }
        }
        completeRoot(&row, in: unit)
    }

    /// Adds to a root that it is shared, or removes that. - Returns: Whether it changed.
    @discardableResult
    private func completeRoot(_ row: inout RecordRow, in unit: Int) -> Bool {
        for (item, edit) in shares[unit].edits where edit.list.root == row.name && states[item].refusal == nil {
            if edit.old == nil {
                row.fields = ReservedFields.set(edit.row.name.text, ReservedFields.share, in: row.fields)
                row.flags.insert(.shareRoot)
                row.share = edit.row.mark
                return true
            }
            if edit.ends {
                row.fields = ReservedFields.set(nil, ReservedFields.share, in: row.fields)
                row.flags.remove(.shareRoot)
                row.share = nil
                return true
            }
        }
        return false
    }

    /// Ends the shares of deleted share records and roots, and rewrites the roots that no item saves: after the items of the unit.
    ///
    /// - Parameters:
    ///   - bury: Deletes a share record.
    ///   - save: Stores a root.
    func finishShares(
        _ unit: Int, _ outcome: UnitOutcome, _ set: inout WriteSet, sequence: () -> Sequence,
        bury: (RecordStub, inout WriteSet) -> Void, save: (RecordRow, RecordRow, inout WriteSet) -> Void
    ) {
        guard isAboutShares(unit) else { return }
        var ended: Set<ShareNumber> = []
        for (item, edit) in shares[unit].edits.sorted(by: { $0.key < $1.key })
        where edit.ends && states[item].refusal == nil {
            ended.insert(edit.row.number)
            set.end(edit.row, edit.people, because: .unshared, at: sequence())
        }
        for end in endedShares(of: unit, outcome) where !ended.contains(end.row.number) {
            if let record = end.record { bury(record, &set) }
            set.end(end.row, end.people, because: .deleted, at: sequence())
        }
        for (name, old) in shares[unit].roots.sorted(by: { $0.key < $1.key })
        where !outcome.isGone(name) && !isSaved(name, in: unit) {
            var row = old
            if completeRoot(&row, in: unit) { save(old, row, &set) }
        }
    }
}

extension WriteSet {
    /// Stores who may see a share.
    ///
    /// - Parameter sequence: Of the change.
    mutating func put(_ edit: ShareEdit, at sequence: Sequence) {
        put(edit.row, replacing: edit.old)
        var left = Dictionary(edit.people.map { ($0.user, $0) }) { first, _ in first }
        for participant in edit.list.participants {
            guard let user = participant.user else { continue }
            let old = left.removeValue(forKey: user)
            var row = ParticipantRow(
                database: edit.row.database, user: user, zone: edit.row.zone, share: edit.row.number,
                status: participant.hasAccepted ? .accepted : .invited, role: participant.role,
                permission: participant.permission, since: sequence)
            if let old, old.status == row.status { row.since = old.since }
            // Somebody who was removed a moment ago may not have been notified of that yet.
            if let old, row.status == .invited { row.reason = old.reason }
            if row != old { put(row, replacing: old) }
        }
        remove(left.values.sorted { ($0.user.high, $0.user.low) < ($1.user.high, $1.user.low) }, .removed, at: sequence)
    }

    /// Stores that a share has ended.
    mutating func end(
        _ row: ShareRow, _ people: [ParticipantRow], because reason: ParticipantRow.Reason, at sequence: Sequence
    ) {
        remove(row)
        remove(people, reason, at: sequence)
    }

    /// Who had not joined is not notified, unless they were in the share before, and have not been notified of its end yet.
    private mutating func remove(
        _ people: [ParticipantRow], _ reason: ParticipantRow.Reason, at sequence: Sequence
    ) {
        for old in people {
            if old.status == .removed { continue }
            guard old.status == .accepted || old.reason != .none else {
                remove(old)
                continue
            }
            var row = old
            (row.status, row.since) = (.removed, sequence)
            if old.status == .accepted { row.reason = reason }
            put(row, replacing: old)
        }
    }
}
