import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension Catalog {
    /// The settings, if flags have a mirror; nil also if they cannot be read.
    var mirroredFlags: FlagSettings? { (try? value(of: .flags)).flatMap { $0.mirror == nil ? nil : $0 } }
}

/// Changes of flags and of their mirror, as far as they affect each other.
struct MirrorView {
    let changes: RecordChanges
    let settings: FlagSettings
    let mirror: FlagSettings.Mirror

    init?(_ changes: RecordChanges) {
        guard changes.head.kind == .publicLane, let settings = changes.catalog.mirroredFlags,
            let mirror = settings.mirror
        else { return nil }
        (self.changes, self.settings, self.mirror) = (changes, settings, mirror)
    }

    /// Flags that are saved or restored.
    private var savedFlags: [RecordRow] {
        changes.all.filter { $0.type == settings.type && $0.cause != .server }.compactMap(\.new)
    }

    /// The mirror, if it is saved.
    private var savedMirror: RecordChange? {
        changes.all.first { $0.type == mirror.type && $0.name == mirror.record && $0.new != nil }
    }

    // MARK: Records to read

    var companions: [Name] {
        var names = switches.map(\.name)
        let saved = savedFlags
        if !saved.isEmpty { names.append(mirror.record) }
        // The value of a flag may depend on other flags, and these on further ones.
        let audiences = (try? changes.catalog.audiences()) ?? .empty
        for flag in saved + flagsThere { names += (try? Flag(flag))?.flags(by: audiences).map { Name($0) } ?? [] }
        return names
    }

    private var flagsThere: [RecordRow] {
        let type = changes.catalog.types[settings.type]?.row.number
        return changes.companions.values.filter { $0.type == type }.sorted { $0.name < $1.name }
    }

    // MARK: From the mirror to flags

    /// Fields of the mirror whose number changes, with the new one.
    private var switches: [(name: Name, value: Int64)] {
        // A mirror restored from the trash is older than the current flags.
        guard let change = savedMirror, change.cause == .asked, let new = change.new else { return [] }
        let before = change.oldRow.map { $0.numbers } ?? [:]
        return new.numbers.filter { before[$0.key] != $0.value }.map { ($0.key, $0.value) }.sorted { $0.name < $1.name }
    }

    /// The Boolean flag for a field of the mirror.
    private func booleanFlag(_ name: Name) -> StoredFlag? {
        guard let row = flagsThere.first(where: { $0.name == name }) else { return nil }
        let flag = StoredFlag(row)
        guard case .success(let read) = flag.flag, read.kind == .boolean else { return nil }
        return flag
    }

    var switchedFlags: [CompanionChange] {
        guard let type = changes.catalog.types[settings.type] else { return [] }
        return switches.compactMap { name, value in
            guard let flag = booleanFlag(name),
                let edits = try? FlagSwitch.edits(flag, to: value == 1, at: changes.now),
                let patch = type.patch(edits)
            else { return nil }
            return CompanionChange(name, patch)
        }
    }

    // MARK: From flags to the mirror

    var mirrorChange: CompanionChange? {
        guard let type = changes.catalog.types[mirror.type], let row = changes.companions[mirror.record],
            row.type == type.row.number
        else { return nil }
        let (saved, before) = (savedFlags, row.numbers)
        var all = Dictionary(flagsThere.map { ($0.name, $0) }) { first, _ in first }
        for flag in saved { all[flag.name] = flag }
        let audiences = (try? changes.catalog.audiences()) ?? .empty
        let set = FlagSet(
            all.values.map { row in (row.name.text, Result { () throws(FlagFailure) in try Flag(row) }) }, audiences,
            now: changes.now)
        let edits = saved.compactMap { row -> (field: Name, edit: FieldEdit)? in
            guard let flag = try? Flag(row), flag.kind == .boolean, type.fields[row.name]?.kind == .int64 else {
                return nil
            }
            let number: Int64 = set.isTrue(flag, at: changes.now) ? 1 : 0
            return before[row.name] == number ? nil : (row.name, .number(number))
        }
        return type.patch(edits).map { CompanionChange(mirror.record, $0) }
    }

    // MARK: Refusals

    var refusals: [Int: Refusal] {
        let saved = savedFlags
        let isThere = changes.catalog.types[mirror.type] != nil
        var refusals: [Int: Refusal] = [:]
        for (place, change) in changes.all.enumerated() {
            guard let new = change.new else { continue }
            if change.type == settings.type, change.cause == .asked, savedMirror?.cause == .asked {
                refusals[place] = together
                continue
            }
            // An existing flag can be switched off, whatever happened to the mirror.
            if change.type == settings.type, change.old == nil, !isThere {
                refusals[place] = .badRequest(
                    "flag \(new.name.text.prefix(40)): the settings say that flags are mirrored in records of type \(mirror.type), "
                        + "which is not in the schema")
            } else if change.name == mirror.record, change.type == mirror.type {
                refusals[place] = refusal(saved)
            }
        }
        return refusals
    }

    private var together: Refusal {
        .badRequest(
            "record \(mirror.record) mirrors flags that are saved in this request: save them in different requests")
    }

    private func refusal(_ saved: [RecordRow]) -> Refusal? {
        guard saved.isEmpty else { return together }
        let isSwitchable = changes.catalog.types[settings.type]?.fields[FlagField.state] != nil
        if !isSwitchable, let name = switches.first(where: { booleanFlag($0.name) != nil })?.name {
            return .badRequest("\(name.excerptOfField) switches a flag, but type \(settings.type) has no field state")
        }
        guard let wrong = switches.first(where: { $0.value != 0 && $0.value != 1 && booleanFlag($0.name) != nil })
        else {
            return nil
        }
        return .badRequest("\(wrong.name.excerptOfField) switches a flag: expected 0 or 1, not \(wrong.value)")
    }
}

extension FlagSet {
    /// The value of a Boolean flag for an unknown caller; if the value depends on the caller, the value when the flag is off.
    fileprivate func isTrue(_ flag: Flag, at now: Milliseconds) -> Bool {
        let served = (try? evaluate(flag.id, for: EvaluationContext(now: now)))?.variant ?? flag.offVariant
        return served.json == Array("true".utf8)
    }
}

extension Name {
    fileprivate var excerptOfField: String { "field \(text.prefix(40))" }
}
