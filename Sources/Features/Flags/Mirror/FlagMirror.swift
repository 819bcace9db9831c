import CloudKitWire
import NephosDomain
import NephosStorage

/// Keeps flags and the record of an old design in sync: a saved flag writes its field there, and a field saved there switches its
/// flag, each in the transaction of the save (docs/flags.md, "Mirroring an old design").
struct FlagMirror: RecordRule {
    var changesOthers: Bool { true }

    func concerns(_ type: Name, in catalog: Catalog) -> Bool {
        guard let settings = catalog.mirroredFlags, let mirror = settings.mirror else { return false }
        return type == settings.type || type == mirror.type
    }

    func companions(_ changes: RecordChanges) -> [Name] { MirrorView(changes)?.companions ?? [] }

    func refusals(_ changes: RecordChanges, _ reading: FoundRows) -> [Int: Refusal] {
        MirrorView(changes)?.refusals ?? [:]
    }

    func companionChanges(_ changes: RecordChanges) -> [CompanionChange] {
        guard let view = MirrorView(changes) else { return [] }
        return [view.mirrorChange].compactMap(\.self) + view.switchedFlags
    }

    func follow(_ changes: RecordChanges, _ reading: FoundRows, _ rows: inout RuleWrites) {}
}
