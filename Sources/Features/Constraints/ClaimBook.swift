import CloudKitWire
import NephosDomain
import NephosStorage

/// Who holds what after some changes: worked out the same way to ask, to refuse and to write.
struct ClaimBook {
    /// What one change is about.
    struct Change {
        let zone: ZoneNumber
        let name: Name
        /// What the record claimed before.
        var old: [Claim] = []
        /// What it claims from now on, each with the constraint.
        var new: [(constraint: Constraint, claim: Claim)] = []
    }

    /// A claim that cannot be had, and a record that is in the way.
    struct Conflict {
        let constraint: Constraint
        let holder: Name
    }

    fileprivate struct Holder: Hashable {
        let zone: ZoneNumber
        let name: Name
    }

    private let database: DatabaseNumber
    /// By what makes rivals, and by slot.
    private typealias Rows = [Rivals: [Int64: ClaimRow]]
    private let stored: Rows
    private var rows: Rows

    // MARK: What must be read

    /// What must be read for changes: what is held of what they hold or want.
    static func reading(_ changes: [Change], in database: DatabaseNumber) -> ReadSet {
        var set = ReadSet()
        let scans = scans(changes, in: database)
        for scan in scans { set.ask(scan) }
        return set
    }

    private static func scans(_ changes: [Change], in database: DatabaseNumber) -> [Scan<ClaimRow>] {
        var places: Set<Rivals> = []
        var beginnings: Set<Beginning> = []
        var stretches: [Rivals: Int] = [:]
        for change in changes {
            for claim in change.old + change.new.map(\.claim) {
                switch claim.kind {
                case .place: places.insert(claim.rivals)
                case .stretch(let start, _):
                    beginnings.insert(Beginning(rivals: claim.rivals, start: start))
                    stretches[claim.rivals, default: 0] += 1
                }
            }
        }
        var scans: [Scan<ClaimRow>] = []
        if !places.isEmpty { scans.append(ClaimRow.held(places, in: database)) }
        if !beginnings.isEmpty { scans.append(ClaimRow.beginning(beginnings, in: database)) }
        // Stored stretches do not overlap, so the last one that begins before the end decides; unless it is one that changes.
        var asked: Set<Beginning> = []
        for change in changes {
            for (_, claim) in change.new {
                guard case .stretch(_, let end) = claim.kind,
                    asked.insert(Beginning(rivals: claim.rivals, start: end)).inserted
                else { continue }
                scans.append(
                    ClaimRow.before(
                        end, of: claim.rivals, in: database, limit: 1 + (stretches[claim.rivals] ?? 0)))
            }
        }
        return scans
    }

    // MARK: What becomes of it

    /// - Parameter asked: What was read for: more than what becomes of it, perhaps.
    init(asked: [Change], in database: DatabaseNumber, _ reading: Reading) {
        self.database = database
        var stored: Rows = [:]
        for scan in Self.scans(asked, in: database) {
            for row in reading[scan] { stored[row.rivals, default: [:]][row.slot] = row }
        }
        (self.stored, rows) = (stored, stored)
    }

    /// Lets the records of changes hold what they claim, as far as nobody else does.
    ///
    /// - Returns: By the places of the changes what cannot be had; nothing of such a change holds, and its record keeps what it had.
    mutating func settle(_ changes: [Change]) -> [Int: Conflict] {
        var conflicts: [Int: Conflict] = [:]
        // What one that fails keeps may be what another has taken: then once more, without it.
        while !settle(changes, &conflicts) {}
        return conflicts
    }

    /// - Parameter conflicts: Those that are known take no part, and keep what they had.
    /// - Returns: Whether nothing that failed now was taken by another.
    private mutating func settle(_ changes: [Change], _ conflicts: inout [Int: Conflict]) -> Bool {
        let live = changes.indices.filter { conflicts[$0] == nil }
        let holders = Set(live.map { changes[$0].holder })
        rows = stored.mapValues { $0.filter { !holders.contains($0.value.holder) } }
        // Whoever holds it already is first.
        for place in live { for (_, claim) in changes[place].new { keep(claim, for: changes[place]) } }
        for place in live {
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
        for (slot, row) in stored[claim.rivals] ?? [:] where row.holder == change.holder {
            switch claim.kind {
            case .place(let count): if slot <= count { rows[claim.rivals, default: [:]][slot] = row }
            case .stretch(let start, let end):
                if slot == start, row.end == end { rows[claim.rivals, default: [:]][slot] = row }
            }
        }
    }

    /// - Returns: Who is in the way; nil where nobody is.
    private mutating func take(_ claim: Claim, for change: Change) -> Name? {
        let held = rows[claim.rivals] ?? [:]
        guard !held.values.contains(where: { $0.holder == change.holder }) else { return nil }
        switch claim.kind {
        case .place(let count):
            guard let slot = (1...Int64(count)).first(where: { held[$0] == nil }) else {
                return held.min { $0.key < $1.key }?.value.name
            }
            put(claim, slot, 0, for: change)
        case .stretch(let start, let end):
            let others = held.values.filter { $0.slot < end && start < $0.end }
            if let other = others.min(by: { $0.slot < $1.slot }) { return other.name }
            put(claim, start, end, for: change)
        }
        return nil
    }

    private mutating func put(_ claim: Claim, _ slot: Int64, _ end: Int64, for change: Change) {
        rows[claim.rivals, default: [:]][slot] = ClaimRow(
            database: database, constraint: claim.rivals.constraint, key: claim.rivals.key, slot: slot,
            zone: change.zone, name: change.name, end: end)
    }

    /// - Returns: Whether it has all back that it had.
    private mutating func putBack(_ change: Change) -> Bool {
        var isWhole = true
        for rivals in Set((change.old + change.new.map(\.claim)).map(\.rivals)) {
            rows[rivals] = rows[rivals]?.filter { $0.value.holder != change.holder }
            for (slot, row) in stored[rivals] ?? [:] where row.holder == change.holder {
                if rows[rivals]?[slot] == nil {
                    rows[rivals, default: [:]][slot] = row
                } else {
                    isWhole = false
                }
            }
        }
        return isWhole
    }

    // MARK: What is written

    /// Rows that come, each with the one whose place it takes, and rows that go; in an order that is the same each time.
    var writes: (put: [(row: ClaimRow, old: ClaimRow?)], removed: [ClaimRow]) {
        var (put, removed): ([(row: ClaimRow, old: ClaimRow?)], [ClaimRow]) = ([], [])
        for rivals in Set(rows.keys).union(stored.keys).sorted() {
            let (now, before) = (rows[rivals] ?? [:], stored[rivals] ?? [:])
            for slot in Set(now.keys).union(before.keys).sorted() {
                switch (now[slot], before[slot]) {
                case (let row?, let old): if row != old { put.append((row, old)) }
                case (nil, let old?): removed.append(old)
                case (nil, nil): continue
                }
            }
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
}
