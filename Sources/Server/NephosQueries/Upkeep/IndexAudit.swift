package import NephosStorage

/// Compares indexes with what the records say during a check: the keys of every record that is in, and nothing else.
///
/// Each key of a record is looked up among the entries. Those that were found are counted; an entry more than that is
/// one that belongs to no record.
package struct IndexAudit {
    /// An index of a database.
    package struct Place: Hashable, Comparable {
        package var database: DatabaseNumber
        package var index: IndexNumber

        package init(database: DatabaseNumber, index: IndexNumber) {
            self.database = database
            self.index = index
        }

        package static func < (one: Place, other: Place) -> Bool {
            (one.database, one.index) < (other.database, other.index)
        }
    }

    /// An entry that a record has by what it holds.
    package struct Entry {
        package let place: Place
        package let zone: ZoneNumber
        package let key: Bytes
        package let record: RecordNumber
        /// It must be there; others may be, while their index is being built.
        fileprivate let isDue: Bool
    }

    private var indexes: [Place: IndexRow] = [:]
    /// Entries that belong to a record.
    private var found: [Place: Int] = [:]
    /// Entries that there are.
    private var counts: [Place: Int] = [:]

    package init() {}

    /// Looks at all indexes.
    package mutating func checkIndexes(_ walk: inout some CheckWalk) throws(StorageError) {
        try walk.each(.indexes) { row, last, findings throws(StorageError) in
            guard let index = try IndexRow(readable: row) else {
                throw .corrupt("the shape of index \(row.int(1)) of database \(row.database(0)) cannot be read")
            }
            judge(index, checksum: row.int(last), version: row.int(last + 1), &findings)
        }
    }

    /// Counts all entries, and says which belong to no record.
    package mutating func checkEntries(_ walk: inout some CheckWalk) throws(StorageError) {
        try walk.each(.entries) { row, _, _ throws(StorageError) in
            counts[Place(database: row.database(0), index: row.int(2)), default: 0] += 1
        }
        finish(&walk.findings)
    }

    /// - Parameter version: The version in the head of its database; 0 where there is none.
    private mutating func judge(_ row: IndexRow, checksum: Int64, version: Int64, _ findings: inout Findings) {
        let name = "index \(row.number) of database \(row.database)"
        indexes[Place(database: row.database, index: row.number)] = row
        findings.expect(row.checksum == checksum, "indexes", "\(name): its checksum is wrong")
        findings.expect(row.number <= version, "indexes", "\(name): its number was never given out")
    }

    /// The databases that have indexes, ascending.
    package var databases: [DatabaseNumber] { Set(indexes.keys.map(\.database)).sorted() }

    /// The indexes of a database that are kept, by their type.
    package func kept(in database: DatabaseNumber) -> [TypeNumber: KeptIndexes] {
        KeptIndexes.byType(indexes.values.filter { $0.database == database })
    }

    /// The entries that a record has by what it holds, in indexes of its type.
    ///
    /// - Parameter isLive: Its zone lives. A dead zone loses its entries before its records, so that there they need
    ///   not be.
    package func entries(of record: RecordRow, in kept: KeptIndexes, isLive: Bool) -> [Entry] {
        zip(kept.numbers, kept.keys(of: record)).flatMap { number, keys in
            let place = Place(database: record.database, index: number)
            let isReady = indexes[place].map { $0.state == .ready || record.number <= $0.builtTo } ?? false
            return keys.map {
                Entry(place: place, zone: record.zone, key: $0, record: record.number, isDue: isLive && isReady)
            }
        }
    }

    package mutating func judge(_ entry: Entry, isThere: Bool, _ findings: inout Findings) {
        if isThere { found[entry.place, default: 0] += 1 }
        findings.expect(
            isThere || !entry.isDue, "index_rows",
            "index \(entry.place.index) of database \(entry.place.database): an entry of record \(entry.record) "
                + "is missing")
    }

    /// Says which entries belong to no record, when all were counted.
    private func finish(_ findings: inout Findings) {
        for (place, count) in counts.sorted(by: { $0.key < $1.key }) {
            let name = "index \(place.index) of database \(place.database)"
            guard let index = indexes[place] else {
                findings.add("index_rows", "\(name): there is no such index, but it has \(count) entries")
                continue
            }
            // Nobody keeps the entries of a dropped index: they go, whatever they say.
            guard index.state != .dropped else { continue }
            let known = found[place] ?? 0
            findings.expect(
                count == known, "index_rows", "\(name): \(count - known) entries belong to no record")
        }
    }
}
