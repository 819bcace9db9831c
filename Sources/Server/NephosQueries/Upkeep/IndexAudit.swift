package import NephosStorage

/// A walk through all tables that can look up index entries.
package protocol EntryWalk: CheckWalk {
    /// Whether each of these entries exists.
    func areThere(_ entries: [StoredEntry], in database: DatabaseNumber) throws(StorageError) -> [Bool]
}

/// Compares indexes with records during a check: they must contain the keys of every indexed record, and nothing else.
///
/// Each key of a record is looked up among the entries. Found entries are counted; any more entries than that belong to no
/// record.
package struct IndexAudit {
    /// An index of a database.
    private struct Place: Hashable, Comparable {
        let database: DatabaseNumber
        let index: IndexNumber

        static func < (one: Place, other: Place) -> Bool {
            (one.database, one.index) < (other.database, other.index)
        }
    }

    private var indexes: [Place: IndexRow] = [:]
    /// The number of entries that belong to a record.
    private var found: [Place: Int] = [:]
    /// The number of existing entries.
    private var counts: [Place: Int] = [:]

    package static func check(_ walk: inout some EntryWalk) throws(StorageError) {
        var audit = IndexAudit()
        try audit.checkIndexes(&walk)
        for database in Set(audit.indexes.keys.map(\.database)).sorted() {
            try audit.checkRecords(of: database, &walk)
        }
        try audit.checkEntries(&walk)
    }

    // MARK: Indexes

    private mutating func checkIndexes(_ walk: inout some EntryWalk) throws(StorageError) {
        try walk.each(.indexes) { row, last, findings throws(StorageError) in
            let index = try row.row(IndexRow.self)
            guard index.isReadable else {
                throw .corrupt("the definition of index \(index.number) of database \(index.database) cannot be read")
            }
            examine(index, checksum: row.int(last), version: row.int(last + 1), &findings)
        }
    }

    /// - Parameter version: The version in the head of its database; 0 if there is none.
    private mutating func examine(_ row: IndexRow, checksum: Int64, version: Int64, _ findings: inout Findings) {
        let name = "index \(row.number) of database \(row.database)"
        indexes[Place(database: row.database, index: row.number)] = row
        findings.expect(row.checksum == checksum, "indexes", "\(name): its checksum is wrong")
        findings.expect(row.number <= version, "indexes", "\(name): its number was never assigned")
    }

    // MARK: Records

    /// Looks up the expected entries of records, many at a time.
    private mutating func checkRecords(
        of database: DatabaseNumber, _ walk: inout some EntryWalk
    ) throws(StorageError) {
        let kept = MaintainedIndexes.byType(indexes.values.filter { $0.database == database })
        let tables = walk
        var wanted: [(entry: StoredEntry, isDue: Bool)] = []
        try walk.each(.indexedRecords, of: database, isCounted: false) { row, last, findings throws(StorageError) in
            guard let indexes = kept[try row.type(RecordRow.typeColumn)] else { return }
            // A dead zone loses its entries before its records, so they are optional there.
            let isLive = row.int(last + 1) == ZoneRow.State.live.rawValue
            wanted += indexes.entries(of: try RecordRow(row)).map { ($0, isLive && isIn($0, database)) }
            if wanted.count >= entriesAtOnce { try look(for: &wanted, of: database, tables, &findings) }
        }
        try walk.report.look(at: "index_rows", "database \(database)", isCounted: false) {
            findings throws(StorageError) in try look(for: &wanted, of: database, tables, &findings)
        }
    }

    /// Whether the index of an entry has reached its record. Other entries may exist while their index is being built.
    private func isIn(_ entry: StoredEntry, _ database: DatabaseNumber) -> Bool {
        guard let index = indexes[Place(database: database, index: entry.index)] else { return false }
        return index.state == .ready || entry.record <= index.builtTo
    }

    /// - Parameter wanted: Empty afterwards.
    private mutating func look(
        for wanted: inout [(entry: StoredEntry, isDue: Bool)], of database: DatabaseNumber, _ tables: some EntryWalk,
        _ findings: inout Findings
    ) throws(StorageError) {
        let entries = wanted
        wanted = []
        let answers = try tables.areThere(entries.map(\.entry), in: database)
        for ((entry, isDue), isThere) in zip(entries, answers) {
            if isThere { found[Place(database: database, index: entry.index), default: 0] += 1 }
            findings.expect(
                isThere || !isDue, "index_rows",
                "index \(entry.index) of database \(database): an entry of record \(entry.record) is missing")
        }
    }

    // MARK: Entries

    /// Counts all entries, and reports those that belong to no record.
    private mutating func checkEntries(_ walk: inout some EntryWalk) throws(StorageError) {
        try walk.each(.entries) { row, _, _ throws(StorageError) in
            counts[Place(database: row.database(0), index: row.int(2)), default: 0] += 1
        }
        for (place, count) in counts.sorted(by: { $0.key < $1.key }) {
            let name = "index \(place.index) of database \(place.database)"
            guard let index = indexes[place] else {
                walk.findings.add("index_rows", "\(name): there is no such index, but it has \(count) entries")
                continue
            }
            // The entries of a dropped index are no longer updated: they are removed, whatever they contain.
            guard index.state != .dropped else { continue }
            let known = found[place] ?? 0
            walk.findings.expect(
                count == known, "index_rows", "\(name): \(count - known) entries belong to no record")
        }
    }
}

/// How many entries are looked up at once, not counting those of one more record.
private let entriesAtOnce = 500
