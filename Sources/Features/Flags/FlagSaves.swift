import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Refuses records that are not valid flags, and posts news of each change.
struct FlagSaves: RecordRule {
    func concerns(_ type: Name, in catalog: Catalog) -> Bool {
        // If the settings cannot be read, any record may be a flag.
        do throws(SectionFailure) { return try catalog.flagType() == type } catch { return true }
    }

    func reading(_ changes: RecordChanges) -> RequestedRows {
        var set = RequestedRows()
        if changes.head.kind == .publicLane { set.ask(changes.news(Flags.name)) }
        return set
    }

    func refusals(_ changes: RecordChanges, _ reading: FoundRows) -> [Int: Refusal] {
        // If the settings cannot be read, it is unknown what a flag is; servers that can read them are still notified of the
        // change.
        guard changes.head.kind == .publicLane, (try? changes.catalog.flagType()) != nil else { return [:] }
        var refusals: [Int: Refusal] = [:]
        for (place, change) in changes.all.enumerated() {
            guard let record = change.new else { continue }
            do throws(FlagFailure) {
                if try Flag(record).namesPersons, change.bringsRules, changes.catalog.isWorldReadable(change.type) {
                    throw FlagFailure(
                        "rules",
                        "a rule names persons, but everybody can read records of type \(change.type): revoke READ from _world, or name a role"
                    )
                }
            } catch {
                refusals[place] = .badRequest("flag \(record.name.text.prefix(40)): \(error)")
            }
        }
        return refusals
    }

    func follow(_ changes: RecordChanges, _ reading: FoundRows, _ rows: inout RuleWrites) {
        guard changes.head.kind == .publicLane, !changes.all.isEmpty else { return }
        rows.post(Flags.name, changes, reading)
    }
}

extension RecordChange {
    /// Whether its rules were changed: with unchanged rules, a flag can always be switched off.
    fileprivate var bringsRules: Bool {
        oldRow.map { StoredFlag($0).text(FlagField.rules) } != new.map { StoredFlag($0).text(FlagField.rules) }
    }
}

extension Catalog {
    /// Whether people who are not signed in may read records of a type. A type that a save is about to create is readable by all.
    fileprivate func isWorldReadable(_ type: Name) -> Bool {
        guard let type = types[type] else { return true }
        return type.grants[RoleRow.world.number]?.contains(.read) ?? false
    }
}
