import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Refuses records that are no flags, and tells everybody of each change of one.
struct FlagSaves: RecordRule {
    func concerns(_ type: Name, in catalog: Catalog) -> Bool {
        // Where the settings cannot be read, any record may be a flag.
        do throws(SectionFailure) { return try catalog.flagType() == type } catch { return true }
    }

    func reading(_ changes: RecordChanges) -> AskedRows {
        var set = AskedRows()
        if changes.head.kind == .publicLane { set.ask(changes.news(Flags.name)) }
        return set
    }

    func refusals(_ changes: RecordChanges, _ reading: FoundRows) -> [Int: Refusal] {
        // Where the settings cannot be read, nobody knows what a flag is; servers that know are told of the change all the same.
        guard changes.head.kind == .publicLane, (try? changes.catalog.flagType()) != nil else { return [:] }
        var refusals: [Int: Refusal] = [:]
        for (place, change) in changes.all.enumerated() {
            guard let record = change.new else { continue }
            do throws(FlagFailure) {
                if try Flag(record).namesPersons, change.bringsRules, changes.catalog.anybodyReads(change.type) {
                    throw FlagFailure(
                        "rules",
                        "one names persons, and anybody may read records of type \(change.type): take READ from _world, or name a role"
                    )
                }
            } catch {
                refusals[place] = .badRequest("flag \(record.name.text.prefix(40)): \(error)")
            }
        }
        return refusals
    }

    func follow(_ changes: RecordChanges, _ reading: FoundRows, _ rows: inout FollowingRows) {
        guard changes.head.kind == .publicLane, !changes.all.isEmpty else { return }
        rows.post(Flags.name, changes, reading)
    }
}

extension RecordChange {
    /// Whether its rules are others than before: whatever these say, a flag can be switched off.
    fileprivate var bringsRules: Bool {
        oldRow.map { StoredFlag($0).text(FlagField.rules) } != new.map { StoredFlag($0).text(FlagField.rules) }
    }
}

extension Catalog {
    /// Whether somebody who is not signed in may read records of a type. A type that a save is about to make is read by all.
    fileprivate func anybodyReads(_ type: Name) -> Bool {
        guard let type = types[type] else { return true }
        return type.grants[RoleRow.world.number]?.contains(.read) ?? false
    }
}
