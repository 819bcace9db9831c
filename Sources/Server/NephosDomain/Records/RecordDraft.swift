import CloudKitWire
import NephosStorage

/// A record as it will be stored, except for its numbers, which are assigned after all refusals are known. A class, because it is passed around
/// often.
final class RecordDraft: Sendable {
    let name: Name
    let type: Name
    let old: RecordRow?
    /// A record of a removed type with the same name. It is deleted.
    let hidden: RecordStub?
    let fields: Bytes
    let parent: Name?
    let flags: RecordRow.Flags
    /// Fields that the save adds to the schema.
    let newFields: [PatchedField]
    /// All references that the record contains from now on.
    let references: Set<ReferenceTarget>
    /// References that the stored record did not contain in fields that still exist.
    let newReferences: Set<ReferenceTarget>
    private let storesSameReferences: Bool
    /// All files that the record references from now on, ordered by address.
    let assets: [AssetUse]
    /// The number of places in which it references files.
    var assetPlaces: Int { assets.reduce(0) { $0 + Int($1.count) } }
    /// Files that the stored record did not reference.
    let newAssets: [AssetUse]
    private let storesSameAssets: Bool

    /// The starting point of an update.
    struct Base {
        var row: RecordRow
        /// Its fields, without those that were removed from the schema.
        var fields: Bytes

        init(_ row: RecordRow, type: RecordType) {
            self.row = row
            fields = row.liveFields(of: type)
        }
    }

    /// - Parameters:
    ///   - base: nil for a new record.
    ///   - kept: Fields of the base that are kept although the operation replaces them all.
    init(
        name: Name, type: Name, patch: FieldsPatch, replaces: Bool, keeping kept: Bytes? = nil, parent: Name?,
        base: Base?, hidden: RecordStub? = nil
    ) {
        self.name = name.owned
        self.type = type
        old = base?.row
        self.hidden = hidden
        self.parent = parent?.owned
        newFields = patch.fields
        let stays = replaces ? kept : base?.fields
        fields = CanonicalFields.merge(stored: stays ?? CanonicalFields.empty, patch: patch)
        let held = old?.flags.contains(.assets) == true ? old.map { AssetUse.all(in: $0.fields) } ?? [] : []
        assets = patch.assets.isEmpty && held.isEmpty ? [] : AssetUse.all(in: fields)
        let heldAddresses = Set(held.map(\.address))
        newAssets = assets.filter { !heldAddresses.contains($0.address) }
        storesSameAssets = assets == held
        flags = Self.flags(of: patch, type, old: old?.flags, replaces: replaces, holdsAssets: !assets.isEmpty)
        let count = old?.referenceCount ?? 0
        let before = Self.references(fields: base?.fields, count: count, parent: old?.parent)
        let mayRefer = !patch.references.isEmpty || self.parent != nil || (!replaces && !before.isEmpty)
        references = mayRefer ? Self.references(fields: fields, count: 1, parent: self.parent) : []
        newReferences = references.subtracting(before)
        // The count includes removed fields, so it is the same only if none of them contained a reference.
        storesSameReferences = newReferences.isEmpty && Int64(references.count) == count
    }

    /// An encrypted field may be gone by now; the flag then only costs a check.
    private static func flags(
        of patch: FieldsPatch, _ type: Name, old: RecordRow.Flags?, replaces: Bool, holdsAssets: Bool
    ) -> RecordRow.Flags {
        var flags = old ?? (type == ShareType.name ? .share : [])
        if replaces { flags.formIntersection([.share, .shareRoot]) }
        if holdsAssets { flags.insert(.assets) } else { flags.remove(.assets) }
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

    /// The row to store.
    ///
    /// - Parameters:
    ///   - number: For a new record.
    ///   - share: See ``RecordRow/share``; nil in the public database.
    func row(
        database: DatabaseNumber, zone: ZoneNumber, type: RecordTypeRow, number: RecordNumber, sequence: Sequence,
        time: Milliseconds, user: UserID, share: ShareNumber? = nil
    ) -> RecordRow {
        RecordRow(
            database: database, number: old?.number ?? number, zone: zone, name: name, sequence: sequence,
            tagSequence: sequence, type: type.number, createdAt: old?.createdAt ?? time,
            createdBy: old?.createdBy ?? user, modifiedAt: time, modifiedBy: user, parent: parent,
            share: share, flags: flags, fieldsEpoch: type.epoch,
            referenceCount: Int64(references.count), fields: fields)
    }

    func write(_ row: RecordRow) -> RecordWrite {
        RecordWrite(
            old: old.map { RecordStub($0) }, new: row,
            references: storesSameReferences ? nil : references.inOrder, assets: storesSameAssets ? nil : assets)
    }
}

extension AssetUse {
    /// The files that fields reference, each once, ordered by address.
    static func all(in fields: Bytes) -> [AssetUse] {
        var uses: [[UInt8]: AssetUse] = [:]
        for (_, asset) in CanonicalFields.assets(in: fields) {
            uses[asset.address, default: AssetUse(address: asset.address, size: asset.size, count: 0)].count += 1
        }
        return uses.values.sorted { $0.address.lexicographicallyPrecedes($1.address) }
    }
}

extension Set<ReferenceTarget> {
    /// By target and kind: always the same order, because decisions must be deterministic.
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
