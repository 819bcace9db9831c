import CloudKitWire

/// Compares all data of a tenant, except for the row of its catalog, with checksums, counters and the digest, for any
/// engine.
///
/// A changed row is detected by its checksum. An added or removed row is detected by what counts it: the digest for the
/// catalog, the head for the contents of a database, the last assigned number for heads, and a head or a server key for
/// users.
package struct DatabaseCheck {
    private var counts: DatabaseCounts
    private let knowsTables: Bool

    /// - Parameter knowsTables: Whether this program knows all tables of the store. Otherwise digests are not compared.
    package init(knowsTables: Bool) {
        self.knowsTables = knowsTables
        counts = DatabaseCounts(knowsTables: knowsTables)
    }

    /// - Parameters:
    ///   - catalog: The catalog's row; nil if it cannot be read.
    ///   - checkIndexes: Called to check indexes and their entries.
    package mutating func run<Walk: CheckWalk>(
        _ walk: inout Walk, _ tables: TableSet, _ catalog: CatalogHead?,
        checkIndexes: (inout Walk) throws(StorageError) -> Void
    ) throws(StorageError) {
        try checkUsers(&walk)
        try checkZones(&walk)
        try checkRecords(&walk)
        try checkTombstones(&walk)
        try checkReferences(&walk)
        try checkEvents(&walk)
        try checkTrash(&walk)
        let digest = try walk.check(tables.audits, &counts)
        if knowsTables { walk.findings.examineCatalogDigest(stored: catalog?.digest, found: digest) }
        try checkAssets(&walk)
        try checkIndexes(&walk)
        try checkHeads(&walk, catalog)
    }

    // MARK: Users

    private func checkUsers(_ walk: inout some CheckWalk) throws(StorageError) {
        try walk.each(.users, isCounted: false) { row, last, findings throws(StorageError) in
            // A row that cannot be read becomes a finding when its table is checked.
            guard let user = try? row.row(UserRow.self) else { return }
            findings.examine(user, ownsDatabase: row.int(last + 1) == 1, isOfKey: row.int(last + 2) == 1)
        }
        try walk.each(.keyUsers, isCounted: false) { row, last, findings throws(StorageError) in
            guard row.int(last + 1) != UserRow.Source.serverKey.rawValue else { return }
            findings.addMissingUser(Hexadecimal.text(row.bytes(1)).uppercased(), ofKey: row.string(0))
        }
    }

    // MARK: Zones, records

    private mutating func checkZones(_ walk: inout some CheckWalk) throws(StorageError) {
        try walk.each(.zones) { row, last, findings throws(StorageError) in
            counts[row.database(0)].head.zones += 1
            let zone = try ZoneRow(row)
            counts.count(zone)
            findings.examine(zone, checksum: row.int(last), HeadMarks(row, last + 1))
        }
    }

    private mutating func checkRecords(_ walk: inout some CheckWalk) throws(StorageError) {
        try walk.each(.records) { row, last, findings throws(StorageError) in
            counts[row.database(0)].head.records += 1
            counts[row.database(0)].head.recordBytes += row.int(RecordRow.sizeColumn)
            let around = RecordRelations(
                head: HeadMarks(row, last + 1), zoneState: row.optionalInt(last + 3), zoneSequence: row.int(last + 4),
                references: row.int(last + 5), holdsAssets: row.int(last + 6) == 1,
                hasTombstone: row.int(last + 7) == 1,
                sharesSequence: row.int(last + 8) == 1, isUnderOwnKey: row.int(last + 9) == 1)
            findings.examine(
                try RecordRow(row), checksum: row.int(last), size: row.int(RecordRow.sizeColumn), around)
        }
    }

    private mutating func checkTombstones(_ walk: inout some CheckWalk) throws(StorageError) {
        try walk.each(.tombstones) { row, last, findings throws(StorageError) in
            counts[row.database(0)].head.tombstones += 1
            let tombstone = TombstoneRow(
                database: row.database(0), zone: row.int(1), name: row.name(3), sequence: row.int(2),
                type: try row.type(4), deletedAt: row.int(5))
            findings.examine(tombstone, checksum: row.int(last), zone: row.optionalInt(last + 1))
        }
    }

    private mutating func checkReferences(_ walk: inout some CheckWalk) throws(StorageError) {
        try walk.each(.references) { row, last, findings throws(StorageError) in
            counts[row.database(0)].head.references += 1
            let reference = ReferenceRow(
                database: row.database(0), zone: row.int(1), target: row.name(2),
                kind: try row.kind(3, of: ReferenceKind.self), record: row.int(4))
            findings.examine(reference, checksum: row.int(last), hasRecord: row.int(last + 1) == 1)
        }
    }

    // MARK: Events, trash

    private mutating func checkEvents(_ walk: inout some CheckWalk) throws(StorageError) {
        try walk.each(.events) { row, last, findings throws(StorageError) in
            counts[row.database(0)].head.events += 1
            findings.examine(
                try row.row(ChangeEventRow.self), checksum: row.int(last), head: row.int(last + 1),
                hasCopy: row.int(last + 2) == 1, isCurrent: row.int(last + 3) == 1)
        }
        try walk.each(.eventRecords) { row, last, findings throws(StorageError) in
            let (record, event) = (try RecordRow(row, from: 2), row.int(1))
            let kind = row.optionalInt(last + 1)
            let isItsOwn = record.sequence == event || kind.flatMap(ChangeEventRow.Kind.init)?.copiesRecord == true
            findings.examine(
                copyOf: record, for: event, checksum: row.int(last), size: row.int(RecordRow.sizeColumn + 2),
                hasEvent: kind != nil && isItsOwn)
        }
    }

    private mutating func checkTrash(_ walk: inout some CheckWalk) throws(StorageError) {
        try walk.each(.trash) { row, last, findings throws(StorageError) in
            counts[row.database(0)].head.trash += 1
            findings.examine(
                try row.row(TrashRow.self), checksum: row.int(last), size: row.int(RecordRow.sizeColumn),
                HeadMarks(row, last + 1))
        }
    }

    // MARK: Files

    private mutating func checkAssets(_ walk: inout some CheckWalk) throws(StorageError) {
        try walk.each(.assets) { row, last, findings throws(StorageError) in
            findings.examine(
                try row.row(AssetRow.self), checksum: row.int(last), hasDatabase: row.int(last + 1) == 1,
                isHeld: row.int(last + 2) == 1)
        }
        try walk.each(.assetUses) { row, last, findings throws(StorageError) in
            let held = try row.row(AssetUseRow.self)
            held.count(in: &counts[held.database].head, times: 1, checksum: held.checksum)
            findings.examine(
                held, checksum: row.int(last), size: row.optionalInt(last + 1),
                hasRecord: row.int(last + 2) == 1 || row.int(last + 3) == 1)
        }
    }

    // MARK: Heads

    private mutating func checkHeads(_ walk: inout some CheckWalk, _ catalog: CatalogHead?) throws(StorageError) {
        try walk.each(.heads) { row, last, findings throws(StorageError) in
            counts.meetHead(of: row.database(0), &findings)
            counts.examine(
                try HeadRow(row), checksum: row.int(last), hasOwner: row.int(last + 1) == 1, catalog, &findings)
        }
        counts.finish(catalog, &walk.findings)
    }
}

extension HeadMarks {
    /// Reads two columns, beginning with `first`; nil if there is no head.
    fileprivate init?(_ row: some AnswerRow, _ first: Int32) {
        guard let sequence = row.optionalInt(first) else { return nil }
        self.init(sequence: sequence, lastNumber: row.int(first + 1))
    }
}
