import CloudKitWire
import NephosStorage

/// Why a ``Batch`` or ``ZoneBatch`` decides to fail.
enum Refused: Error, Equatable {
    case noZone
    /// The record has changed since the state that the change is based on.
    case conflict
    case wrongType(FieldType)
}

/// One change of a record.
struct Change: Sendable {
    enum Action: Sendable {
        case save(fields: Bytes, type: TypeNumber, references: [ReferenceTarget], assets: [AssetUse])
        case delete
        /// Deletes into the trash.
        case discard
    }

    var name: Name
    var action: Action
    /// The required tag of the stored record; nil for any.
    var tag: Sequence?

    static func save(
        _ name: Name, _ fields: String = "{}", type: TypeNumber = TestTenant.note,
        references: [ReferenceTarget] = [], assets: [AssetUse] = [], tag: Sequence? = nil
    ) -> Change {
        Change(
            name: name, action: .save(fields: Bytes(fields), type: type, references: references, assets: assets),
            tag: tag)
    }

    /// A record that is deleted with its target.
    static func save(_ name: Name, ownedBy target: Name) -> Change {
        .save(name, references: [ReferenceTarget(target: target, kind: .deleteSelf)])
    }

    static func delete(_ name: Name) -> Change { Change(name: name, action: .delete) }
    static func discard(_ name: Name) -> Change { Change(name: name, action: .discard) }
}

/// Changes of one zone that are written together, as the simplest domain logic on an engine. Each name may occur once; deleting a
/// missing record does nothing.
struct Batch: Sendable {
    let database: TestDatabase
    let zone: Name
    let changes: [Change]
    let time: Milliseconds

    var reading: ReadSet {
        let key = ZoneKey.name(database.number, zone)
        var set = ReadSet()
        set.databases = [database.number]
        set.zones = [key]
        for change in changes {
            switch change.action {
            case .save: set.records.append(RecordKey(zone: key, name: change.name))
            case .delete, .discard: set.stubs.append(RecordKey(zone: key, name: change.name))
            }
        }
        return set
    }

    /// The write set alone, for cases that make another decision with it.
    func writes(_ reading: Reading) throws -> WriteSet { try writer(reading).writes }

    func decide(_ reading: Reading) throws -> Decision<[RecordRow]> {
        let writer = try writer(reading)
        return .write(writer.writes, writer.rows)
    }

    private func writer(_ reading: Reading) throws -> BatchWriter {
        guard let head = reading.databases[0], var zone = reading.zones[0] else { throw Refused.noZone }
        let old = zone
        var writer = BatchWriter(head: head, zone: zone.number, user: database.user, time: time)
        var records = reading.records.makeIterator()
        var stubs = reading.stubs.makeIterator()
        for change in changes {
            switch change.action {
            case .save: try writer.save(change, over: records.next())
            case .delete: if let stub = stubs.next() ?? nil { writer.delete(stub) }
            case .discard:
                if let stub = stubs.next() ?? nil { writer.delete(stub, trash: .init(deletedBy: database.user)) }
            }
        }
        if writer.head.sequence > head.sequence {
            zone.changedSequence = writer.head.sequence
            writer.writes.zones = [ZoneWrite(old: old, new: zone)]
            writer.writes.heads = [writer.head]
        }
        return writer
    }
}

/// Numbers rows from a head, and collects them.
private struct BatchWriter {
    var head: HeadRow
    let zone: ZoneNumber
    let user: UserID
    var writes = WriteSet()
    var rows: [RecordRow] = []

    init(head: HeadRow, zone: ZoneNumber, user: UserID, time: Milliseconds) {
        self.head = head
        self.head.time = max(head.time, time)
        self.zone = zone
        self.user = user
    }

    mutating func save(_ change: Change, over found: Found?) throws {
        guard case .save(let fields, let type, let references, let assets) = change.action else { return }
        var old: RecordRow?
        if case .record(let row) = found { old = row }
        if let tag = change.tag, tag != old?.tagSequence { throw Refused.conflict }
        head.sequence += 1
        if old == nil { head.recordNumber += 1 }
        let row = RecordRow(
            database: head.database, number: old?.number ?? head.recordNumber, zone: zone, name: change.name,
            sequence: head.sequence, tagSequence: head.sequence, type: type, createdAt: old?.createdAt ?? head.time,
            createdBy: old?.createdBy ?? user, modifiedAt: head.time, modifiedBy: user,
            parent: references.first { $0.kind == .parent }?.target, flags: assets.isEmpty ? [] : .assets,
            referenceCount: Int64(references.count),
            fields: fields)
        rows.append(row)
        let holdsOrHeld = !assets.isEmpty || old?.flags.contains(.assets) == true
        writes.records.append(
            RecordWrite(
                old: old.map(RecordStub.init), new: row, references: references, assets: holdsOrHeld ? assets : nil))
        note(change.name, old == nil ? .created : .updated)
    }

    mutating func delete(_ stub: RecordStub, trash: RecordDeletion.Trash? = nil) {
        head.sequence += 1
        let tombstone = TombstoneRow(
            database: head.database, zone: zone, name: stub.name, sequence: head.sequence, type: stub.type,
            deletedAt: head.time)
        writes.deletions.append(RecordDeletion(old: stub, tombstone: tombstone, trash: trash))
        note(stub.name, .deleted)
    }

    private mutating func note(_ name: Name, _ kind: ChangeEventRow.Kind) {
        guard head.isWatched else { return }
        writes.events.append(
            ChangeEventRow(database: head.database, sequence: head.sequence, zone: zone, name: name, kind: kind))
    }
}
