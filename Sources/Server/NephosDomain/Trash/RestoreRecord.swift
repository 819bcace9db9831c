public import CloudKitWire
public import NephosStorage

/// Saves a deleted record of the public database again, as it stood: name, fields, parent, creator and time of
/// creation. It gets a new place in the order of changes and a new time of change. Of several of one name it is the
/// last deleted.
public struct RestoreRecord: Sendable {
    private let name: Name
    private let now: Milliseconds
    private let zone = ZoneKey.name(NewUser.publicDatabase, defaultZoneName)

    public init(_ name: Name, now: Milliseconds) {
        self.name = name
        self.now = now
    }

    public var reading: ReadSet {
        var set = NewUser.reading
        set.trash = [TrashScan(database: NewUser.publicDatabase, name: name, limit: 1)]
        set.stubs = [RecordKey(zone: zone, name: name)]
        return set
    }

    /// Answers the record.
    ///
    /// - Throws: ``Refusal/recordNotFound`` when none of that name was deleted; ``Refusal/recordExists(_:)`` when the
    ///   name is taken; ``Refusal/badRequest(_:)`` when its type was removed; ``Refusal/referenceViolation(_:)`` when
    ///   its parent, or the target of a VALIDATE reference, is not there.
    public func decide(_ reading: Reading) throws(Refusal) -> Decision<StoredRecord> {
        guard let trashed = reading.trash.first?.first else { throw .recordNotFound }
        let hidden = reading.stubs.first ?? nil
        if let hidden, !reading.catalog.hides(hidden) { throw .recordExists(nil) }
        guard let type = reading.catalog.type(trashed.record.type) else {
            throw .badRequest("its record type was removed from the schema")
        }
        let draft = draft(trashed.record, type)
        if let more = try check(draft, reading) { return .need(more) }
        guard var head = reading.databases[0], let zone = reading.zones[0] else { throw .failed }
        head.time = max(head.time, now)
        var set = WriteSet()
        if let hidden { set.deletions = [deletion(of: hidden, &head)] }
        let row = row(draft, trashed.record, type, &head, zone)
        set.records = [draft.write(row)]
        set.takenFromTrash = [trashed]
        set.note(.created, row.name, in: zone.number, head)
        var moved = zone
        moved.changedSequence = head.sequence
        set.heads = [head]
        set.zones = [ZoneWrite(old: zone, new: moved)]
        return .write(set, StoredRecord(saved: row, type: type.row.name))
    }

    private func draft(_ record: RecordRow, _ type: RecordType) -> RecordDraft {
        let fields = record.liveFields(of: type)
        return RecordDraft(
            name: record.name, type: type.row.name,
            patch: FieldsPatch(
                set: fields, references: CanonicalFields.references(in: fields),
                hasEncrypted: record.flags.contains(.encrypted), assets: CanonicalFields.assets(in: fields).map(\.asset)
            ),
            replaces: true, parent: record.parent, base: nil)
    }

    /// Makes sure that what must exist does. - Returns: What must be read first.
    private func check(_ draft: RecordDraft, _ reading: Reading) throws(Refusal) -> ReadSet? {
        let binding = draft.references.inOrder.filter {
            ($0.kind == .parent || $0.kind == .validate) && $0.target != draft.name
        }
        guard reading.stubs.count == 1 + binding.count else {
            var more = ReadSet()
            more.stubs = binding.map { RecordKey(zone: zone, name: $0.target) }
            return more
        }
        for (reference, stub) in zip(binding, reading.stubs.dropFirst()) {
            if let stub, !reading.catalog.hides(stub) { continue }
            let what = reference.kind == .parent ? "parent" : "reference (action VALIDATE)"
            throw .referenceViolation(
                "its \(what) '\(reference.target.text.prefix(40))' does not exist; restore that one first")
        }
        return nil
    }

    private func row(
        _ draft: RecordDraft, _ record: RecordRow, _ type: RecordType, _ head: inout HeadRow, _ zone: ZoneRow
    ) -> RecordRow {
        head.sequence += 1
        head.recordNumber += 1
        var row = draft.row(
            database: head.database, zone: zone.number, type: type.row, number: head.recordNumber,
            sequence: head.sequence, time: head.time, user: record.createdBy)
        row.createdAt = record.createdAt
        // Nobody else wrote what is in it.
        row.modifiedBy = record.modifiedBy
        return row
    }

    private func deletion(of hidden: RecordStub, _ head: inout HeadRow) -> RecordDeletion {
        head.sequence += 1
        return RecordDeletion(
            old: hidden,
            tombstone: TombstoneRow(
                database: hidden.database, zone: hidden.zone, name: hidden.name, sequence: head.sequence,
                type: hidden.type, deletedAt: head.time))
    }
}

/// Forgets deleted records of the public database, some at a time.
public struct EmptyTrash: Sendable {
    private let limit: Int
    private let now: Milliseconds

    /// - Parameter limit: Most records of one transaction.
    public init(limit: Int, now: Milliseconds) {
        self.limit = limit
        self.now = now
    }

    public var reading: ReadSet {
        var set = ReadSet()
        set.databases = [NewUser.publicDatabase]
        set.trash = [TrashScan(database: NewUser.publicDatabase, limit: limit)]
        return set
    }

    /// Answers how many there were.
    public func decide(_ reading: Reading) throws(Refusal) -> Decision<Int> {
        guard var head = reading.databases[0] else { throw .failed }
        // Files that nobody holds then are let go at this time.
        head.time = max(head.time, now)
        var set = WriteSet()
        set.heads = [head]
        set.takenFromTrash = reading.trash.first ?? []
        return .write(set, set.takenFromTrash.count)
    }
}
