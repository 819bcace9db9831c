public import CloudKitWire

/// A record to store: a new one, or the next state of one that was read.
public struct RecordWrite: Sendable {
    /// The stored state it replaces; nil for a record that is new. A tombstone of the name goes.
    public var old: RecordStub?
    /// The state to store.
    public var new: RecordRow
    /// All references the record holds from now on, each once (`new.referenceCount` of them); nil when they are
    /// the same as before.
    public var references: [ReferenceTarget]?
    /// All files the record holds from now on, each once; nil when they are the same as before. They are among the rows of
    /// `assets`. `new.flags` says whether there are any.
    public var assets: [AssetUse]?

    /// Creates a write; nil references or files mean that they stay as they are.
    public init(
        old: RecordStub?, new: RecordRow, references: [ReferenceTarget]?, assets: [AssetUse]? = nil
    ) {
        self.old = old
        self.new = new
        self.references = references
        self.assets = assets
    }
}

/// A record to delete, with the tombstone that stays.
public struct RecordDeletion: Sendable {
    /// The record as it was read.
    public var old: RecordStub
    /// What stays in its place until it is purged.
    public var tombstone: TombstoneRow
    /// Keep the record in the trash; nil forgets it.
    public var trash: Trash?

    /// Who put a record into the trash.
    public struct Trash: Sendable {
        /// nil for the server itself.
        public var deletedBy: UserID?
        /// Creates an entry of the trash.
        public init(deletedBy: UserID?) { self.deletedBy = deletedBy }
    }

    /// Creates a deletion; without `trash` the record cannot be restored.
    public init(old: RecordStub, tombstone: TombstoneRow, trash: Trash? = nil) {
        self.old = old
        self.tombstone = tombstone
        self.trash = trash
    }

    /// Of a record that goes by the change that the head of its database has just counted.
    public init(of old: RecordStub, by head: HeadRow, trash: Trash? = nil) {
        self.init(
            old: old,
            tombstone: TombstoneRow(
                database: old.database, zone: old.zone, name: old.name, sequence: head.sequence, type: old.type,
                deletedAt: head.time),
            trash: trash)
    }
}

/// A zone to create or to change.
public struct ZoneWrite: Sendable {
    /// The zone as it was read; nil for a new one.
    public var old: ZoneRow?
    /// The state to store.
    public var new: ZoneRow

    /// Creates a write of a zone.
    public init(old: ZoneRow?, new: ZoneRow) {
        self.old = old
        self.new = new
    }
}

/// A row of the catalog to add (`old` nil), change, or remove (`new` nil). Both name the same row.
public struct CatalogWrite: Sendable {
    /// The row as it was read; nil to add one.
    public var old: CatalogRow?
    /// The row to store; nil to remove it.
    public var new: CatalogRow?

    /// Creates a write; both rows have one key.
    public init(old: CatalogRow? = nil, new: CatalogRow?) {
        self.old = old
        self.new = new
    }
}

/// Another key for the secrets of a tenant.
public enum SecretChange: Sendable {
    /// What is written from now on is sealed under the key of this ``SecretKey/id``; what was before is still to be sealed anew.
    case seal(under: Int64)
    /// The signing key cannot be opened any more: another takes its place. Both keys are 32 random bytes; files that nobody can
    /// compare with their addresses any more came before `now`.
    case reset(under: Int64, signingKey: [UInt8], fileKey: [UInt8], now: Milliseconds)

    package var key: Int64 {
        switch self {
        case .seal(let key), .reset(let key, _, _, _): key
        }
    }
}

/// What a decision writes. The engine applies it in bulk, keeps the counters of the heads, computes checksums and
/// moves the catalog's version and digest.
public struct WriteSet: Sendable {
    /// Heads that were read, advanced: sequence, record and zone number, time, purged sequence, annex. Their
    /// counters are ignored; the engine keeps those. A head never moves back, and stays of its kind and owner: an
    /// engine refuses the write.
    public var heads: [HeadRow] = []
    /// Zones to create or change.
    public var zones: [ZoneWrite] = []
    /// Records to create or change.
    public var records: [RecordWrite] = []
    /// Records to delete.
    public var deletions: [RecordDeletion] = []
    /// To be told to those who watch. The engine keeps the record with them where a query watches.
    public var events: [ChangeEventRow] = []
    /// Of rows of described tables: ``put(_:replacing:)``, ``remove(_:)``.
    public var changes: [RowChange] = []
    /// Records that leave the trash, as they were read from it; they are restored by `records`, or given up.
    public var takenFromTrash: [TrashRow] = []
    /// New users.
    public var users: [UserRow] = []
    /// New databases, numbered from `catalog.head.lastDatabase + 1` on; their zones stand in `zones`.
    public var databases: [HeadRow] = []
    /// Rows of the catalog to add, change or remove.
    public var catalog: [CatalogWrite] = []
    /// What processes remember of the catalog becomes wrong, though none of its rows changes.
    public var raisesCatalogVersion = false
    /// What processes remember of some sessions becomes wrong: those whose ``SessionRow/endNumber`` is the next of
    /// ``CatalogHead/endedSessions``.
    public internal(set) var endsSessions = false
    /// Another key for the tenant's secrets; nil to keep the one it has.
    public var secrets: SecretChange?
    /// Background work to be done in the tenant because of this, by its name, and when at the latest. Whoever commits it has it noted.
    public private(set) var work: [String: Milliseconds] = [:]
    /// Of the directory alone.
    public var containers = ContainerChange()
    /// What its secrets were sealed under.
    var sealingKey: SecretKey?

    /// Creates a set that writes nothing.
    public init() {}

    /// Whether nothing is written. ``work`` alone writes nothing.
    public var isEmpty: Bool {
        heads.isEmpty && zones.isEmpty && records.isEmpty && deletions.isEmpty && events.isEmpty
            && changes.isEmpty && takenFromTrash.isEmpty && users.isEmpty && databases.isEmpty
            && catalog.isEmpty && !raisesCatalogVersion && !endsSessions && secrets == nil && containers.isEmpty
    }

    /// Has background work done at a moment at the latest.
    public mutating func ask(for job: String, at time: Milliseconds) { work[job] = min(work[job] ?? .max, time) }

    /// Rows it touches but for entries of indexes, for the limits of a group and of a commit: records, tombstones, what goes
    /// to the trash, references and files that come and go, and all else.
    public var rows: Int {
        var count = zones.count + events.count + changes.count + takenFromTrash.count
        count += users.count + databases.count + catalog.count
        for write in records { count += write.rows }
        for deletion in deletions {
            count += 2 + Int(deletion.old.referenceCount) + (deletion.trash == nil ? 0 : 1)
        }
        return count
    }
}

extension RecordWrite {
    fileprivate var rows: Int {
        var count = 1 + (references?.count ?? 0) + (assets?.count ?? 0)
        if let old, references != nil || old.number != new.number { count += Int(old.referenceCount) }
        return count
    }
}

/// Rows and entries of indexes that one commit may touch. What would touch more is not written: its decision is called
/// again with ``Reading/oversized``.
///
/// One record that is deleted, with one in its place at most, may touch more, so that everything can be deleted.
public let commitRowsMax = 100_000

/// What a decision says after it has seen a reading.
public enum Decision<Answer: Sendable>: Sendable {
    /// Write this, then answer.
    case write(WriteSet, Answer)
    /// Read this too, after what was read, and go on with all of it; where nothing says how to go on, from the start. To decide from the
    /// start comes to the same, and happens where a transaction is tried again; what goes on does so once.
    case need(ReadSet, resume: (@Sendable (Reading) throws -> Decision)? = nil)
}

extension Decision {
    /// The same, where `body` is called with what is written, whether at once or after more was read.
    public consuming func noting(_ body: @escaping @Sendable (WriteSet) -> Void) -> Decision {
        // Taken apart and put together, so that nothing of it is copied.
        switch consume self {
        case .write(let writes, let answer):
            body(writes)
            return .write(writes, answer)
        case .need(let more, let resume):
            // Where it begins anew, so does whoever calls this.
            guard let resume else { return .need(more) }
            return .need(more) { (reading: Reading) throws -> Decision in try resume(reading).noting(body) }
        }
    }
}
