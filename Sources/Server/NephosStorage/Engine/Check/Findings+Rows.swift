import CloudKitWire

/// What the head of a row's database says.
package struct HeadMarks {
    package var sequence: Sequence
    /// The last number given out: of zones for a zone, of records for a record.
    package var lastNumber: Int64

    package init(sequence: Sequence, lastNumber: Int64) {
        self.sequence = sequence
        self.lastNumber = lastNumber
    }
}

/// What stands around a record in other tables.
package struct RecordSurroundings {
    /// nil where there is no such database.
    package var head: HeadMarks?
    /// As it is stored; nil where there is no such zone.
    package var zoneState: Int64?
    package var zoneSequence: Sequence
    /// How many rows of `refs` name the record as their source.
    package var references: Int64
    /// It is the holder of some row of `asset_refs`.
    package var holdsAssets: Bool
    /// There is a tombstone of its name, or with its sequence.
    package var isBuried: Bool
    package var sharesSequence: Bool
    /// It lies where its numbers say.
    package var isUnderOwnKey: Bool

    package init(
        head: HeadMarks?, zoneState: Int64?, zoneSequence: Sequence, references: Int64,
        holdsAssets: Bool, isBuried: Bool, sharesSequence: Bool, isUnderOwnKey: Bool
    ) {
        self.head = head
        self.zoneState = zoneState
        self.zoneSequence = zoneSequence
        self.references = references
        self.holdsAssets = holdsAssets
        self.isBuried = isBuried
        self.sharesSequence = sharesSequence
        self.isUnderOwnKey = isUnderOwnKey
    }
}

/// What is to be said of the rows of a database, each against its checksum and what stands around it.
extension Findings {
    /// - Parameter head: nil where there is no such database.
    package mutating func judge(_ zone: ZoneRow, checksum: Int64, _ head: HeadMarks?) {
        let name = "zone \(zone.number) of database \(zone.database)"
        expect(zone.checksum == checksum, "zones", "\(name): its checksum is wrong")
        expect(head != nil, "zones", "\(name): there is no such database")
        expect(
            zone.createdSequence <= zone.changedSequence && zone.changedSequence <= head?.sequence ?? 0, "zones",
            "\(name): its sequences lie beyond the head")
        expect(zone.number <= head?.lastNumber ?? 0, "zones", "\(name): its number was never given out")
    }

    /// - Parameter size: What the row says of the record's bytes.
    package mutating func judge(
        _ record: RecordRow, checksum: Int64, size: Int64, _ around: RecordSurroundings
    ) {
        let name = "record \(record.number) of database \(record.database)"
        expect(record.checksum == checksum, "records", "\(name): its checksum is wrong")
        expect(record.storedBytes == size, "records", "\(name): its size is wrong")
        expect(around.head != nil, "records", "\(name): there is no such database")
        expect(
            record.tagSequence <= record.sequence
                && record.sequence <= min(around.head?.sequence ?? 0, around.zoneSequence),
            "records", "\(name): its sequence lies beyond its zone or its head")
        expect(
            record.number <= around.head?.lastNumber ?? 0, "records", "\(name): its number was never given out")
        let state = around.zoneState.flatMap { ZoneRow.State(rawValue: $0) }
        expect(state == .live || state == .dead, "records", "\(name): there is no zone \(record.zone) for it")
        // A sweep takes the references first, perhaps in an earlier transaction.
        expect(
            record.referenceCount == around.references || state == .dead, "records",
            "\(name): counts \(record.referenceCount) references, not \(around.references)")
        expect(
            record.flags.contains(.assets) == around.holdsAssets || state == .dead, "asset_refs",
            "\(name): holds files, or none, and says the other")
        expect(!around.isBuried, "records", "\(name): lives beside a tombstone of its name")
        expect(!around.sharesSequence, "records", "\(name): shares its sequence with a tombstone")
        expect(around.isUnderOwnKey, "records", "\(name): its key is that of another record")
    }

    /// - Parameter zone: The sequence of the zone's last change; nil where there is no such zone, or a swept one.
    package mutating func judge(_ row: TombstoneRow, checksum: Int64, zone: Sequence?) {
        let name = "tombstone \(row.sequence) of zone \(row.zone) of database \(row.database)"
        expect(row.checksum == checksum, "tombstones", "\(name): its checksum is wrong")
        expect(zone != nil, "tombstones", "\(name): there is no such zone")
        expect(row.sequence <= zone ?? 0, "tombstones", "\(name): its sequence lies beyond its zone")
    }

    package mutating func judge(_ row: ReferenceRow, checksum: Int64, hasRecord: Bool) {
        let name = "reference of record \(row.record) of database \(row.database) to '\(row.target)'"
        expect(row.checksum == checksum, "refs", "\(name): its checksum is wrong")
        expect(hasRecord, "refs", "\(name): there is no such record")
    }

    /// - Parameters:
    ///   - head: The last sequence of the database; 0 where there is none.
    ///   - hasCopy: There is a copy of the record for it.
    ///   - isCurrent: The record still stands as the event saved it.
    package mutating func judge(
        _ row: ChangeEventRow, checksum: Int64, head: Sequence, hasCopy: Bool, isCurrent: Bool
    ) {
        let name = "event \(row.sequence) of database \(row.database)"
        expect(row.checksum == checksum, "change_events", "\(name): its checksum is wrong")
        expect(row.sequence <= head, "change_events", "\(name): its sequence lies beyond the head")
        let needsCopy = row.hasRecord && !isCurrent
        expect(hasCopy == needsCopy, "event_records", "\(name): its record is missing, or one too many")
    }

    /// A copy of a record. - Parameter hasEvent: There is an event for it, of this very record.
    package mutating func judge(
        copyOf record: RecordRow, for event: Sequence, checksum: Int64, size: Int64, hasEvent: Bool
    ) {
        let name = "the record of event \(event) of database \(record.database)"
        expect(record.checksum == checksum, "event_records", "\(name): its checksum is wrong")
        expect(record.storedBytes == size, "event_records", "\(name): its size is wrong")
        expect(hasEvent, "event_records", "\(name): there is no such event")
    }

    /// - Parameters:
    ///   - size: What the row says of the record's bytes.
    ///   - head: nil where there is no such database.
    package mutating func judge(_ row: TrashRow, checksum: Int64, size: Int64, _ head: HeadMarks?) {
        let (record, name) = (row.record, "record \(row.record.number) of database \(row.record.database)")
        expect(row.checksum == checksum, "trash", "\(name): its checksum is wrong")
        expect(record.storedBytes == size, "trash", "\(name): its size is wrong")
        expect(record.sequence <= head?.sequence ?? 0, "trash", "\(name): its sequence lies beyond the head")
        expect(record.number <= head?.lastNumber ?? 0, "trash", "\(name): its number was never given out")
    }
}
