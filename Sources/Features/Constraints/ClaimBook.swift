import CloudKitWire
import NephosDomain
import NephosStorage

/// Who holds what after some changes: computed in the same way for reading, refusing and writing.
struct ClaimBook {
    /// The claims of one change. Both lists are empty if the record claims nothing, or its claims are unchanged.
    struct Change {
        let zone: ZoneNumber
        let name: Name
        /// The earlier claims of the record.
        var old: [Claim] = []
        /// Its new claims, each with the constraint.
        var new: [(constraint: Constraint, claim: Claim)] = []

        fileprivate var isNothing: Bool { old.isEmpty && new.isEmpty }
    }

    /// A claim that cannot be granted, and a record that holds it.
    struct Conflict {
        let constraint: Constraint
        let holder: Name
    }

    fileprivate struct Holder: Hashable {
        let zone: ZoneNumber
        let name: Name
    }

    private let database: DatabaseNumber
    private let stored: HeldClaims
    private var rows: HeldClaims

    // MARK: Settling

    /// - Parameter asked: The scans that were read, perhaps for more changes than those to be settled.
    init(_ asked: Scans, _ reading: FoundRows) {
        database = asked.database
        var stored = HeldClaims()
        for scan in asked.all {
            for row in reading[scan] { stored.put(row) }
        }
        (self.stored, rows) = (stored, stored)
    }

    /// Grants the claims of changes as far as nobody else holds them.
    ///
    /// - Returns: The conflicts, by the index of the change; such a change gets none of its claims, and its record keeps what it
    ///   had.
    mutating func settle(_ changes: [Change]) -> [Int: Conflict] {
        var conflicts: [Int: Conflict] = [:]
        // A change that fails keeps what it had, which another change may have been granted: then settle again without the failed
        // one.
        while !settle(changes, &conflicts) {}
        return conflicts
    }

    /// - Parameter conflicts: Changes that are known to fail; they are ignored, and keep what they had.
    /// - Returns: Whether nothing kept by a change that failed now had been granted to another.
    private mutating func settle(_ changes: [Change], _ conflicts: inout [Int: Conflict]) -> Bool {
        rows = stored
        if !stored.isEmpty {
            let live = changes.indices.filter { conflicts[$0] == nil }
            let holders = Set(live.lazy.map { changes[$0] }.filter { !$0.isNothing }.map(\.holder))
            rows.remove { holders.contains($0.holder) }
            // A record that already holds a place has priority.
            for place in live { for (_, claim) in changes[place].new { keep(claim, for: changes[place]) } }
        }
        for place in changes.indices where conflicts[place] == nil {
            let change = changes[place]
            for (constraint, claim) in change.new where conflicts[place] == nil {
                if let holder = take(claim, for: change) {
                    conflicts[place] = Conflict(constraint: constraint, holder: holder)
                }
            }
            if conflicts[place] != nil, !putBack(change) { return false }
        }
        return true
    }

    private mutating func keep(_ claim: Claim, for change: Change) {
        for row in stored[claim.rivals] where row.isHeld(by: change) {
            switch claim.kind {
            case .place(let count): if row.slot <= count { rows.put(row) }
            case .stretch(let start, let end): if row.slot == start, row.end == end { rows.put(row) }
            }
        }
    }

    /// - Returns: The record that holds it; nil if the claim was granted.
    private mutating func take(_ claim: Claim, for change: Change) -> Name? {
        let held = rows[claim.rivals]
        guard !held.contains(where: { $0.isHeld(by: change) }) else { return nil }
        switch claim.kind {
        case .place(let count):
            // Rows are ordered by slot.
            var slot: Int64 = 1
            for row in held where row.slot == slot { slot += 1 }
            guard slot <= count else { return held.first?.name }
            put(claim, slot, 0, for: change)
        case .stretch(let start, let end):
            if let other = held.first(where: { $0.slot < end && start < $0.end }) { return other.name }
            put(claim, start, end, for: change)
        }
        return nil
    }

    private mutating func put(_ claim: Claim, _ slot: Int64, _ end: Int64, for change: Change) {
        rows.put(
            ClaimRow(
                database: database, constraint: claim.rivals.constraint, key: claim.rivals.key, slot: slot,
                zone: change.zone, name: change.name, end: end))
    }

    /// - Returns: Whether the record got back everything it had.
    private mutating func putBack(_ change: Change) -> Bool {
        var isWhole = true
        for rivals in Set((change.old + change.new.map(\.claim)).map(\.rivals)) {
            rows.remove(of: rivals) { $0.isHeld(by: change) }
            for row in stored[rivals] where row.isHeld(by: change) {
                if rows[rivals].contains(where: { $0.slot == row.slot }) { isWhole = false } else { rows.put(row) }
            }
        }
        return isWhole
    }

    // MARK: Writing

    /// The rows to write, each with the one it replaces, and the rows to remove; in a deterministic order.
    var writes: (put: [(row: ClaimRow, old: ClaimRow?)], removed: [ClaimRow]) {
        var (put, removed): ([(row: ClaimRow, old: ClaimRow?)], [ClaimRow]) = ([], [])
        for rivals in rows.rivals {
            // In most cases nothing was held before.
            if stored.isEmpty {
                for row in rows[rivals] { put.append((row, nil)) }
                continue
            }
            let (now, before) = (rows[rivals], stored[rivals])
            for row in now {
                let old = before.first { $0.slot == row.slot }
                if row != old { put.append((row, old)) }
            }
            removed += before.filter { row in !now.contains { $0.slot == row.slot } }
        }
        return (put, removed)
    }
}

extension ClaimBook.Change {
    fileprivate var holder: ClaimBook.Holder { ClaimBook.Holder(zone: zone, name: name) }
}

extension ClaimRow {
    var rivals: Rivals { Rivals(constraint: constraint, key: key) }
    fileprivate var holder: ClaimBook.Holder { ClaimBook.Holder(zone: zone, name: name) }
    fileprivate func isHeld(by change: ClaimBook.Change) -> Bool { zone == change.zone && name == change.name }
}
