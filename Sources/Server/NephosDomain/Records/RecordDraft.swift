import CloudKitWire
import NephosStorage

/// A record as it will be stored, but for its numbers, which are given out when all that fails has failed.
struct RecordDraft {
    let name: Name
    let type: Name
    let old: RecordRow?
    let fields: Bytes
    let parent: Name?
    let flags: RecordRow.Flags
    /// What the save adds to the schema, if it is new there.
    let newFields: [PatchedField]
    /// All references the record holds from now on.
    let references: Set<ReferenceTarget>
    /// Those that the stored record did not hold.
    let newReferences: Set<ReferenceTarget>

    init(name: Name, type: Name, patch: FieldsPatch, replaces: Bool, parent: Name?, old: RecordRow?) {
        self.name = name.owned
        self.type = type
        self.old = old
        self.parent = parent?.owned
        newFields = patch.fields
        let base = replaces ? CanonicalFields.empty : old?.fields ?? CanonicalFields.empty
        fields = CanonicalFields.merge(stored: base, patch: patch)
        flags = Self.flags(of: patch, old: replaces ? nil : old)
        let before = Self.references(fields: old?.fields, count: old?.referenceCount ?? 0, parent: old?.parent)
        let mayRefer = !patch.references.isEmpty || self.parent != nil || (!replaces && !before.isEmpty)
        references = mayRefer ? Self.references(fields: fields, count: 1, parent: self.parent) : []
        newReferences = references.subtracting(before)
    }

    /// A field that was encrypted may be gone by now; the flag then only costs a look.
    private static func flags(of patch: FieldsPatch, old: RecordRow?) -> RecordRow.Flags {
        var flags = old?.flags ?? []
        if patch.hasEncrypted { flags.insert(.encrypted) }
        return flags
    }

    private static func references(fields: Bytes?, count: Int64, parent: Name?) -> Set<ReferenceTarget> {
        var targets: Set<ReferenceTarget> = []
        guard count > 0, let fields else { return targets }
        for reference in CanonicalFields.references(in: fields) {
            targets.insert(ReferenceTarget(target: reference.target.owned, kind: ReferenceKind(reference.action)))
        }
        if let parent { targets.insert(ReferenceTarget(target: parent, kind: .parent)) }
        return targets
    }

    /// The row to store. - Parameter number: For a record that is new.
    func row(
        database: DatabaseNumber, zone: ZoneNumber, type: RecordTypeRow, number: RecordNumber, sequence: Sequence,
        time: Milliseconds, user: UserID
    ) -> RecordRow {
        RecordRow(
            database: database, number: old?.number ?? number, zone: zone, name: name, sequence: sequence,
            tagSequence: sequence, type: type.number, createdAt: old?.createdAt ?? time,
            createdBy: old?.createdBy ?? user, modifiedAt: time, modifiedBy: user, parent: parent,
            shareRoot: old?.shareRoot, flags: flags, fieldsEpoch: type.epoch,
            referenceCount: Int64(references.count), fields: fields)
    }

    func write(_ row: RecordRow) -> RecordWrite {
        let unchanged = newReferences.isEmpty && Int64(references.count) == old?.referenceCount ?? 0
        return RecordWrite(
            old: old.map { RecordStub($0) }, new: row,
            references: unchanged ? nil : references.inOrder)
    }
}

extension Set<ReferenceTarget> {
    /// By target and kind: the same every time, as decisions must be.
    var inOrder: [ReferenceTarget] { sorted { ($0.target, $0.kind.rawValue) < ($1.target, $1.kind.rawValue) } }
}

extension ReferenceKind {
    init(_ action: ReferenceAction) {
        switch action {
        case .none: self = .none
        case .deleteSelf: self = .deleteSelf
        case .validate: self = .validate
        }
    }
}
