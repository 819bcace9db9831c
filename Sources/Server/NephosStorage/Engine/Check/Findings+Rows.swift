import CloudKitWire

/// Values in the head of a row's database.
package struct HeadMarks {
    package var sequence: Sequence
    /// The last number that was assigned: of zones for a zone, of records for a record.
    package var lastNumber: Int64

    package init(sequence: Sequence, lastNumber: Int64) {
        self.sequence = sequence
        self.lastNumber = lastNumber
    }
}

/// The related values of a record in other tables.
package struct RecordRelations {
    /// Values in the head of the database; nil if there is no such database.
    package var head: HeadMarks?
    /// The state of the zone as it is stored; nil if there is no such zone.
    package var zoneState: Int64?
    /// The sequence of the last change of the zone.
    package var zoneSequence: Sequence
    /// The number of rows in `refs` that have the record as their source.
    package var references: Int64
    /// Whether a row of `asset_refs` names the record as the holder of a file.
    package var holdsAssets: Bool
    /// Whether there is a tombstone with the name of the record.
    package var hasTombstone: Bool
    /// Whether there is a tombstone with the sequence of the record.
    package var sharesSequence: Bool
    /// Whether the record is stored under the key that its numbers determine.
    package var isUnderOwnKey: Bool

    package init(
        head: HeadMarks?, zoneState: Int64?, zoneSequence: Sequence, references: Int64,
        holdsAssets: Bool, hasTombstone: Bool, sharesSequence: Bool, isUnderOwnKey: Bool
    ) {
        self.head = head
        self.zoneState = zoneState
        self.zoneSequence = zoneSequence
        self.references = references
        self.holdsAssets = holdsAssets
        self.hasTombstone = hasTombstone
        self.sharesSequence = sharesSequence
        self.isUnderOwnKey = isUnderOwnKey
    }
}

/// The findings about the rows of a database, each compared with its checksum and the related values.
extension Findings {
    /// - Parameter head: Values in the head of the database; nil if there is no such database.
    package mutating func examine(_ zone: ZoneRow, checksum: Int64, _ head: HeadMarks?) {
        let name = "zone \(zone.number) of database \(zone.database)"
        expect(zone.checksum == checksum, "zones", "\(name): its checksum is wrong")
        expect(head != nil, "zones", "\(name): there is no such database")
        expect(
            zone.createdSequence <= zone.changedSequence && zone.changedSequence <= head?.sequence ?? 0, "zones",
            "\(name): its sequences are beyond the head")
        expect(zone.number <= head?.lastNumber ?? 0, "zones", "\(name): its number was never assigned")
    }

    /// - Parameter size: The stored size of the record in bytes.
    package mutating func examine(
        _ record: RecordRow, checksum: Int64, size: Int64, _ around: RecordRelations
    ) {
        let name = "record \(record.number) of database \(record.database)"
        expect(record.checksum == checksum, "records", "\(name): its checksum is wrong")
        expect(record.storedBytes == size, "records", "\(name): its size is wrong")
        expect(around.head != nil, "records", "\(name): there is no such database")
        expect(
            record.tagSequence <= record.sequence
                && record.sequence <= min(around.head?.sequence ?? 0, around.zoneSequence),
            "records", "\(name): its sequence is beyond its zone or head")
        expect(
            record.number <= around.head?.lastNumber ?? 0, "records", "\(name): its number was never assigned")
        let state = around.zoneState.flatMap { ZoneRow.State(rawValue: $0) }
        expect(state == .live || state == .dead, "records", "\(name): its zone \(record.zone) does not exist")
        // A sweep of a dead zone removes references first, possibly in an earlier transaction.
        expect(
            record.referenceCount == around.references || state == .dead, "records",
            "\(name): counts \(record.referenceCount) references, not \(around.references)")
        expect(
            record.flags.contains(.assets) == around.holdsAssets || state == .dead, "asset_refs",
            "\(name): its mark for files does not match its files")
        expect(!around.hasTombstone, "records", "\(name): exists next to a tombstone with the same name")
        expect(!around.sharesSequence, "records", "\(name): shares its sequence with a tombstone")
        expect(around.isUnderOwnKey, "records", "\(name): it is stored under the key of another record")
    }

    /// - Parameter zone: The sequence of the zone's last change; nil if there is no such zone, or if it was swept.
    package mutating func examine(_ row: TombstoneRow, checksum: Int64, zone: Sequence?) {
        let name = "tombstone \(row.sequence) of zone \(row.zone) of database \(row.database)"
        expect(row.checksum == checksum, "tombstones", "\(name): its checksum is wrong")
        expect(zone != nil, "tombstones", "\(name): there is no such zone")
        expect(row.sequence <= zone ?? 0, "tombstones", "\(name): its sequence is beyond its zone")
    }

    package mutating func examine(_ row: ReferenceRow, checksum: Int64, hasRecord: Bool) {
        let name = "reference of record \(row.record) of database \(row.database) to '\(row.target)'"
        expect(row.checksum == checksum, "refs", "\(name): its checksum is wrong")
        expect(hasRecord, "refs", "\(name): there is no such record")
    }

    /// - Parameters:
    ///   - head: The last sequence of the database; 0 if there is no such database.
    ///   - hasCopy: Whether there is a copy of the record for the event.
    ///   - isCurrent: Whether the record is unchanged since the event.
    package mutating func examine(
        _ row: ChangeEventRow, checksum: Int64, head: Sequence, hasCopy: Bool, isCurrent: Bool
    ) {
        let name = "event \(row.sequence) of database \(row.database)"
        expect(row.checksum == checksum, "change_events", "\(name): its checksum is wrong")
        expect(row.sequence <= head, "change_events", "\(name): its sequence is beyond the head")
        let needsCopy = row.hasRecord && !isCurrent
        expect(hasCopy == needsCopy, "event_records", "\(name): its copy of the record is missing or unexpected")
    }

    /// Examines the copy of a record that belongs to an event.
    ///
    /// - Parameter hasEvent: Whether the event exists, and is about the same record.
    package mutating func examine(
        copyOf record: RecordRow, for event: Sequence, checksum: Int64, size: Int64, hasEvent: Bool
    ) {
        let name = "the record of event \(event) of database \(record.database)"
        expect(record.checksum == checksum, "event_records", "\(name): its checksum is wrong")
        expect(record.storedBytes == size, "event_records", "\(name): its size is wrong")
        expect(hasEvent, "event_records", "\(name): there is no such event")
    }

    /// - Parameters:
    ///   - size: The stored size of the record in bytes.
    ///   - head: Values in the head of the database; nil if there is no such database.
    package mutating func examine(_ row: TrashRow, checksum: Int64, size: Int64, _ head: HeadMarks?) {
        let (record, name) = (row.record, "record \(row.record.number) of database \(row.record.database)")
        expect(row.checksum == checksum, "trash", "\(name): its checksum is wrong")
        expect(record.storedBytes == size, "trash", "\(name): its size is wrong")
        expect(record.sequence <= head?.sequence ?? 0, "trash", "\(name): its sequence is beyond the head")
        expect(record.number <= head?.lastNumber ?? 0, "trash", "\(name): its number was never assigned")
    }
}
