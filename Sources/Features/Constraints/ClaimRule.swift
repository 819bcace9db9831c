import CloudKitWire
import NephosDomain
import NephosStorage

/// Maintains claims in the transaction of every change (docs/decisions/0037).
struct ClaimRule: RecordRule {
    var readsFields: Bool { true }

    func concerns(_ type: Name, in catalog: Catalog) -> Bool {
        // If the settings cannot be read, every save is refused by the rule for values.
        do throws(SectionFailure) { return try catalog.constraints(of: type)?.hasClaims ?? false } catch {
            return false
        }
    }

    func reading(_ changes: RecordChanges) -> RequestedRows {
        changes.askedClaims.scans.reading
    }

    func refusals(_ changes: RecordChanges, _ reading: FoundRows) -> [Int: Refusal] {
        var refusals: [Int: Refusal] = [:]
        for (place, conflict) in settled(changes, reading).conflicts {
            let type = changes.all[place].type
            var reason = conflict.constraint.message ?? conflict.constraint.claimed(by: type)
            if changes.head.kind == .personal || changes.showsAll(type) {
                reason += " Record '\(conflict.holder.text.prefix(40))' conflicts with it."
            }
            refusals[place] = .constraintViolation(reason)
        }
        return refusals
    }

    func follow(_ changes: RecordChanges, _ reading: FoundRows, _ rows: inout RuleWrites) {
        let writes = settled(changes, reading).book.writes
        for row in writes.removed { rows.remove(row) }
        for (row, old) in writes.put {
            if let old { rows.put(row, replacing: old) } else { rows.put(row) }
        }
    }

    /// Claims of a deleted zone can stay for now, because rivals are always in one zone. A job removes them.
    func swept(_ records: SweptRecords, annex: inout HeadAnnex) -> Bool { annex.set([1], of: Constraints.name) }

    private func settled(_ changes: RecordChanges, _ reading: FoundRows) -> SettledClaims {
        guard changes.isWhole else {
            return SettledClaims(changes.claims(changes.all), changes.askedClaims, reading)
        }
        return changes.once {
            let asked = changes.askedClaims
            return SettledClaims(asked.changes, asked, reading)
        }
    }
}

/// The claims of some changes, and what must be read to decide on them.
private final class AskedClaims: Sendable {
    let changes: [ClaimBook.Change]
    let scans: ClaimBook.Scans

    init(_ changes: [ClaimBook.Change], in database: DatabaseNumber) {
        (self.changes, scans) = (changes, ClaimBook.Scans(changes, in: database))
    }
}

/// Who holds what after some changes, and the conflicts.
private final class SettledClaims: Sendable {
    let book: ClaimBook
    let conflicts: [Int: ClaimBook.Conflict]

    init(_ changes: [ClaimBook.Change], _ asked: AskedClaims, _ reading: FoundRows) {
        var book = ClaimBook(asked.scans, reading)
        conflicts = book.settle(changes)
        self.book = book
    }
}

extension RecordChanges {
    fileprivate var askedClaims: AskedClaims {
        once { AskedClaims(claims(asked), in: head.database) }
    }

    /// The claims of some changes, before and after; empty for records whose claims are unchanged.
    fileprivate func claims(_ changes: [RecordChange]) -> [ClaimBook.Change] {
        // Usually all are of one type.
        var type: Name?
        var constraints: TypeConstraints?
        return changes.map { change in
            if type != change.type {
                // If the settings cannot be read, nothing is saved, and claims of deleted records are left to the next import.
                (type, constraints) = (change.type, try? catalog.constraints(of: change.type))
            }
            return claims(change, constraints)
        }
    }

    private func claims(_ change: RecordChange, _ constraints: TypeConstraints?) -> ClaimBook.Change {
        var claims = ClaimBook.Change(zone: change.new?.zone ?? change.old?.zone ?? 0, name: change.name)
        guard let constraints else { return claims }
        let new = change.new.map { constraints.values(in: $0.fields) }
        if let row = change.oldRow, let type = catalog.types[change.type] {
            let old = constraints.values(in: row.liveFields(of: type))
            if let new, new.areSame(as: old) { return claims }
            claims.old = constraints.claims(of: old, type.row, catalog, in: row.zone).map(\.claim)
        }
        if let row = change.new, let new {
            let type = RecordTypeRow(number: row.type, name: change.type, epoch: row.fieldsEpoch)
            claims.new = constraints.claims(of: new, type, catalog, in: row.zone)
        }
        return claims
    }
}

extension Constraint {
    /// The message that other records hold what a record claims.
    fileprivate func claimed(by type: Name) -> String {
        let names = fields.map(\.text).joined(separator: ", ")
        switch rule {
        case .noOverlap(let start, let end, _):
            return "\(start) to \(end) of \(type) overlaps another record"
                + (names.isEmpty ? "." : " with the same \(names).")
        case .atMost(1) where word == "unique":
            let values = fields.count == 1 ? "this value" : "these values"
            return "\(names) of \(type) must be unique, and another record already has \(values)."
        case .atMost(let count):
            let conditions = condition.map { "\($0.field) \($0.value)" }.joined(separator: " and ")
            let whose = names.isEmpty ? "" : " for the same \(names)"
            return "there can be at most \(count) \(type)" + (conditions.isEmpty ? "" : " with \(conditions)") + whose
                + "."
        case .required, .notEmpty, .boolean, .oneOf, .range, .length, .localized, .exists: return ""
        }
    }
}
