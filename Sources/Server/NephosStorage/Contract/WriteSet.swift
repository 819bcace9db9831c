public import CloudKitWire

/// A record to store: a new one, or the next state of one that was read.
public struct RecordWrite: Sendable {
    /// The stored state that it replaces; nil for a new record. A tombstone of the same name is removed.
    public var old: RecordStub?
    /// The state to store.
    public var new: RecordRow
    /// All references that the record holds from now on, each once (`new.referenceCount` of them); nil if they are
    /// unchanged.
    public var references: [ReferenceTarget]?
    /// All files that the record holds from now on, each once; nil if they are unchanged. The table `assets` must
    /// contain them. `new.flags` indicates whether there are any.
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

/// A record to delete, with the tombstone that replaces it.
public struct RecordDeletion: Sendable {
    /// The record as it was read.
    public var old: RecordStub
    /// The row that takes the place of the record until it is purged.
    public var tombstone: TombstoneRow
    /// Keeps the record in the trash; nil deletes it for good.
    public var trash: Trash?

    /// Who put a record into the trash.
    public struct Trash: Sendable {
        /// The user who deleted the record; nil for the server itself.
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

    /// Creates the deletion of a record by the change for which the head of its database was just advanced.
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

    /// Creates a write; both rows have the same key.
    public init(old: CatalogRow? = nil, new: CatalogRow?) {
        self.old = old
        self.new = new
    }
}

/// A change of the key that seals the secrets of a tenant.
public enum SecretChange: Sendable {
    /// What is written from now on is sealed under the key with this ``SecretKey/id``; earlier secrets must still be
    /// resealed.
    case seal(under: Int64)
    /// Replaces the signing key, which cannot be opened any more. Both keys are 32 random bytes. If the lost key also
    /// addressed files, `fileKey` replaces it for them, and files from before `now` cannot be compared with their
    /// addresses.
    case reset(under: Int64, signingKey: [UInt8], fileKey: [UInt8], now: Milliseconds)

    package var key: Int64 {
        switch self {
        case .seal(let key), .reset(let key, _, _, _): key
        }
    }
}

/// What a decision writes. The engine applies it in bulk, maintains the counters of the heads, computes checksums, and
/// updates the catalog's version and digest.
public struct WriteSet: Sendable {
    /// The new states of heads that were read: sequence, record and zone number, time, purged sequence, annex. Their
    /// counters are ignored: the engine maintains those. The engine refuses a write that moves a head back, or changes
    /// its kind or owner.
    public var heads: [HeadRow] = []
    /// Zones to create or change.
    public var zones: [ZoneWrite] = []
    /// Records to create or change.
    public var records: [RecordWrite] = []
    /// Records to delete.
    public var deletions: [RecordDeletion] = []
    /// Changes of which subscriptions are to be notified. The engine stores the record with an event if a query
    /// subscription watches.
    public var events: [ChangeEventRow] = []
    /// Changes of rows of described tables: ``put(_:replacing:)``, ``remove(_:)``.
    public var changes: [RowChange] = []
    /// Records to remove from the trash, as they were read from it: `records` restores them, or they are lost.
    public var takenFromTrash: [TrashRow] = []
    /// New users.
    public var users: [UserRow] = []
    /// New databases, numbered from `catalog.head.lastDatabase + 1` on; their zones are in `zones`.
    public var databases: [HeadRow] = []
    /// Rows of the catalog to add, change or remove.
    public var catalog: [CatalogWrite] = []
    /// Whether cached catalogs become invalid although none of the catalog's rows changes.
    public var raisesCatalogVersion = false
    /// Whether cached sessions become invalid: those whose ``SessionRow/endNumber`` is the next value of
    /// ``CatalogHead/endedSessions``.
    public internal(set) var endsSessions = false
    /// Another key for the tenant's secrets; nil to keep the one it has.
    public var secrets: SecretChange?
    /// Background work that this write makes necessary in the tenant: the name of each job, and the time at which it is
    /// due at the latest. The process that commits it notes the jobs (``JobStore/note(_:)``).
    public private(set) var work: [String: Milliseconds] = [:]
    /// Containers to create or delete; only in commits of the directory.
    public var containers = ContainerChange()
    /// The key that its secrets were sealed under; nil for a store in the clear.
    var sealingKey: SecretKey?

    /// Creates a set that writes nothing.
    public init() {}

    /// Whether nothing is written. ``work`` alone writes nothing.
    public var isEmpty: Bool {
        heads.isEmpty && zones.isEmpty && records.isEmpty && deletions.isEmpty && events.isEmpty
            && changes.isEmpty && takenFromTrash.isEmpty && users.isEmpty && databases.isEmpty
            && catalog.isEmpty && !raisesCatalogVersion && !endsSessions && secrets == nil && containers.isEmpty
    }

    /// Requests background work that is due at a given time at the latest.
    public mutating func ask(for job: String, at time: Milliseconds) { work[job] = min(work[job] ?? .max, time) }

    /// The number of rows that it touches, for the limits of a group and of a commit: records, tombstones, rows of the
    /// trash, references that are added or removed, files of saved records, and rows of other tables. Index entries,
    /// heads, and files that records release are not counted.
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

/// Maximum number of rows and index entries that one commit may touch. A write set that would touch more is not
/// written: its decision is called again with ``Reading/oversized``.
///
/// A write set that deletes exactly one record and saves at most one may touch more, so that every record can be
/// deleted.
public let commitRowsMax = 100_000

/// Maximum number of steps (``CommitReport/steps``) to find the index entries of one commit, with the same consequences:
/// about half a second. A single record of a megabyte that replaces another one takes less.
public let commitStepsMax = 40_000_000

/// The result of a decision about a reading.
public enum Decision<Answer: Sendable>: Sendable {
    /// Write this set, then return the answer.
    case write(WriteSet, Answer)
    /// Read this set too, append its results to the reading, and continue with `resume`, or from the start if it is
    /// nil. Deciding from the start must lead to the same result: it happens when a transaction is retried, and in the
    /// directory. `resume` is called at most once.
    case need(ReadSet, resume: (@Sendable (Reading) throws -> Decision)? = nil)
}

extension Decision {
    /// The same decision, which calls `body` with what it writes, whether immediately or after more was read.
    public consuming func noting(_ body: @escaping @Sendable (WriteSet) -> Void) -> Decision {
        // Taken apart and put together again, so that nothing is copied.
        switch consume self {
        case .write(let writes, let answer):
            body(writes)
            return .write(writes, answer)
        case .need(let more, let resume):
            // Deciding starts again then, and the caller calls this function again.
            guard let resume else { return .need(more) }
            return .need(more) { (reading: Reading) throws -> Decision in try resume(reading).noting(body) }
        }
    }
}
