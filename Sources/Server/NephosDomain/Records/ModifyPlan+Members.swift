import CloudKitWire
import NephosStorage

/// What somebody may change in a zone of somebody else: records of the shares that let them write, which stay in these shares. All that
/// the zone contains besides is not read, and so does not exist for any decision; only that a name is taken is known.
extension ModifyPlan {
    /// What must be read, as far as it may be seen.
    func restricted(_ more: ReadSet) -> ReadSet {
        guard context.scope == .shared else { return more }
        var more = more
        for unit in units { unit.address.restrict(&more) }
        return more
    }

    /// Whether a change tag is that of a record, as the caller sees it.
    func isTag(
        _ tag: Name, of record: (database: DatabaseNumber, number: RecordNumber, tagSequence: Sequence), in unit: Int?
    ) -> Bool {
        guard let unit, units[unit].address.reach != nil else {
            return ChangeTag.sequence(of: tag) == record.tagSequence
        }
        let own = context.memberTags.tag(of: record.number, in: record.database, at: record.tagSequence)
        return Hexadecimal.number(tag.bytes) == own && tag.bytes.count == 16
    }

    /// - Throws: ``Refusal/accessDenied(_:)`` unless the caller may create records in the zone.
    func checkMayCreate(_ item: ModifyItem) throws(Refusal) {
        guard let reach = item.zone?.reach else { return }
        guard reach.memberships.contains(where: { $0.permission == .readWrite }) else { throw .isReader }
        guard reach.isOfZone || item.operation.record.parent != .unchanged && item.operation.record.parent != .clear
        else {
            throw .accessDenied(
                "a record that you create in a share must have a parent there: without one it would not be shared")
        }
    }

    /// - Throws: ``Refusal/accessDenied(_:)`` unless the caller may change or delete a record.
    ///
    /// - Parameter record: Made only for a caller who sees part of a zone, which is rare.
    func checkMayWrite(_ record: @autoclosure () -> RecordStub, _ item: ModifyItem) throws(Refusal) {
        guard let reach = item.zone?.reach else { return }
        let record = record()
        guard reach.permission(of: record.share) == .readWrite || reach.isAdministrator(of: record) else {
            throw .isReader
        }
        if record.flags.contains(.share) {
            guard !item.kind.isDeletion else {
                throw .accessDenied("only the owner of a share ends it; to leave it, delete it by itself")
            }
            guard reach.isAdministrator(of: record) else {
                throw .accessDenied(
                    "only the owner of a share, and administrators whom the owner has named, change it; to leave it, delete it by itself"
                )
            }
        }
        if item.kind.isDeletion, reach.isRoot(record) {
            throw .accessDenied("only the owner deletes a shared record itself; to leave the share, delete the share")
        }
    }

    /// Refuses saves that would take records out of their shares, or into others. - Returns: Whether anything was refused.
    mutating func refuseByReach(_ unit: Int, _ outcome: UnitOutcome) -> Bool {
        guard let reach = units[unit].address.reach else { return false }
        var failed = false
        let mayCascade = outcome.cascadedInOrder.allSatisfy { record in
            reach.permission(of: record.share) == .readWrite && !record.flags.contains(.share) && !reach.isRoot(record)
        }
        if !mayCascade {
            for index in units[unit].items {
                guard case .deleted = states[index] else { continue }
                states[index] = .refused(
                    .accessDenied("records that you may not delete would be deleted along with this one"))
                failed = true
            }
            if failed { return true }
        }
        guard !reach.isOfZone else { return false }
        let marks = shareMarks(of: unit, outcome)
        for index in units[unit].items {
            guard case .saved(let draft) = states[index] else { continue }
            let before = draft.old?.share
            let after = marks.saved[draft.name] ?? before
            // What is above the root is hidden, so that any parent is as wrong as another.
            let isSameRoot = items[index].operation.record.parent == .unchanged
            let isKept = draft.old == nil || (reach.isRoot(draft.old) ? isSameRoot : before == after)
            guard !isKept || reach.permission(of: after) != .readWrite && !draft.flags.contains(.share) else {
                continue
            }
            states[index] = .refused(
                .accessDenied(
                    draft.old == nil
                        ? "the parent of a record that you create must be in a share in which you may write"
                        : "a shared record stays in its share: choose a parent there"))
            failed = true
        }
        return failed
    }
}

extension Refusal {
    static let isReader = Refusal.accessDenied(
        "you may only read what is shared with you here: its owner can let you write")
}

extension Reach {
    /// What the person may do with a record; nil if it is in no share that they are in.
    func permission(of mark: ShareNumber?) -> ParticipantRow.Permission? { membership(of: mark)?.permission }

    /// By which the person sees a record.
    func membership(of mark: ShareNumber?) -> Membership? {
        if isOfZone { return memberships.first }
        return mark.flatMap { mark in memberships.first { $0.share == mark.magnitudeOfShare } }
    }

    func isRoot(_ record: RecordStub) -> Bool {
        record.flags.contains(.shareRoot)
            && memberships.contains { $0.root == record.number && $0.share == record.share }
    }

    /// Whether it is the record of a share whose participants the person names.
    fileprivate func isAdministrator(of record: RecordStub) -> Bool {
        record.flags.contains(.share) && membership(of: record.share)?.role == .administrator
    }

    fileprivate func isRoot(_ record: RecordRow?) -> Bool { record.map { isRoot(RecordStub($0)) } ?? false }
}
