import CloudKitWire
import NephosQueries
import NephosStorage

/// Keeps the entries of indexes in step with the records.
///
/// A database that never had an index pays nothing. Where the type of a record has one, the record must be seen as it is
/// stored; mostly the decision has read it, else it is read now.
struct IndexMaintenance {
    let session: WriteSession

    /// How many entries a write set touches.
    ///
    /// - Parameter heads: The heads that are locked.
    func entries(
        of set: WriteSet, rows: Int, _ reading: Reading, _ heads: [DatabaseNumber: HeadRow]
    ) throws(StorageError) -> Int {
        guard heads.values.contains(where: { $0.indexVersion > 0 }) else { return 0 }
        let databases = Set(set.deletions.map(\.old.database) + set.records.map(\.new.database))
        let lists = try lists(of: databases) { heads[$0] }
        guard !lists.isEmpty else { return 0 }
        return try EntryCount { type, database throws(StorageError) in
            lists[database]?[type]
        } stored: { stubs throws(StorageError) in
            Array(try storedRecords(stubs, reading).values)
        }.entries(of: set, rows: rows)
    }

    /// Entries that go and entries that come.
    struct Changes {
        fileprivate var gone: [DatabaseNumber: [EntryWriter.Entry]] = [:]
        fileprivate var new: [DatabaseNumber: [EntryWriter.Entry]] = [:]
    }

    private struct Place: Hashable {
        var database: DatabaseNumber
        var number: RecordNumber
    }

    /// What happens to the entries when records go and others are written. To be asked before they do.
    func changes(
        gone: [RecordStub], writes: [RecordWrite], _ reading: Reading, _ ledger: Ledger
    ) throws(StorageError) -> Changes {
        let lists = try lists(of: Set(gone.map(\.database) + writes.map(\.new.database))) { ledger.head($0) }
        var changes = Changes()
        guard !lists.isEmpty else { return changes }
        let changing = writes.compactMap { write in write.old.flatMap { $0.number == write.new.number ? $0 : nil } }
        let touched = (gone + changing).filter { lists[$0.database]?[$0.type] != nil }
        let stored = try storedRecords(touched, reading)
        for stub in touched {
            guard let record = stored[Place(database: stub.database, number: stub.number)] else { continue }
            changes.gone[record.database, default: []] += entries(of: record, lists)
        }
        for write in writes { changes.new[write.new.database, default: []] += entries(of: write.new, lists) }
        return changes.withoutCommon()
    }

    func apply(_ changes: Changes) throws(StorageError) {
        for (database, entries) in changes.gone.sorted(by: { $0.key < $1.key }) {
            try EntryWriter.remove(entries, of: database, session.tenant, session.transaction)
        }
        for (database, entries) in changes.new.sorted(by: { $0.key < $1.key }) {
            try EntryWriter.insert(entries, of: database, session.tenant, session.transaction)
        }
    }

    private typealias Lists = [DatabaseNumber: [TypeNumber: KeptIndexes]]

    /// The indexes of databases that have any.
    private func lists(
        of databases: Set<DatabaseNumber>, _ head: (DatabaseNumber) -> HeadRow?
    ) throws(StorageError) -> Lists {
        var lists: Lists = [:]
        for database in databases {
            guard let head = head(database), head.indexVersion > 0 else { continue }
            let known = session.store.indexLists
            var list = known.list(head)
            if list == nil {
                let rows = try IndexReader(tenant: session.tenant).list(database, session.transaction)
                list = known.remember(rows, of: head)
            }
            if list?.isEmpty == false { lists[database] = list }
        }
        return lists
    }

    private func entries(of record: RecordRow, _ lists: Lists) -> [EntryWriter.Entry] {
        guard let indexes = lists[record.database]?[record.type] else { return [] }
        return zip(indexes.numbers, indexes.keys(of: record)).flatMap { index, keys in
            keys.map { (record.zone, index, $0, record.number) }
        }
    }

    /// The records as they are stored: those that the decision has read, and the others from the table.
    private func storedRecords(
        _ stubs: [RecordStub], _ reading: Reading
    ) throws(StorageError) -> [Place: RecordRow] {
        var records: [Place: RecordRow] = [:]
        guard !stubs.isEmpty else { return records }
        let wanted = Set(stubs.map { Place(database: $0.database, number: $0.number) })
        for found in reading.records {
            guard case .record(let row) = found else { continue }
            let place = Place(database: row.database, number: row.number)
            if wanted.contains(place) { records[place] = row }
        }
        let missing = stubs.filter { records[Place(database: $0.database, number: $0.number)] == nil }
        for (database, rows) in missing.groups(by: \.database) {
            let read = try RecordReader(tenant: session.tenant).records(
                rows.map(\.number), in: database, byteLimit: .max, session.transaction)
            for row in read.records { records[Place(database: database, number: row.number)] = row }
        }
        return records
    }
}

extension IndexMaintenance.Changes {
    /// Without entries that would go and come again. Both sides in the order in which they lie in the table.
    fileprivate func withoutCommon() -> Self {
        var changes = self
        for (database, entries) in gone {
            let staying = Set(entries.map(EntryKey.init)).intersection((new[database] ?? []).map(EntryKey.init))
            changes.gone[database] = entries.filter { !staying.contains(EntryKey($0)) }
            changes.new[database] = (new[database] ?? []).filter { !staying.contains(EntryKey($0)) }
        }
        return changes
    }
}

/// An entry to compare with others.
private struct EntryKey: Hashable {
    let zone: ZoneNumber, index: IndexNumber, key: Bytes, record: RecordNumber

    init(_ entry: EntryWriter.Entry) { (zone, index, key, record) = entry }
}
