import CloudKitWire
import NephosQueries
import NephosStorage

/// Keeps the entries of indexes in step with the records.
///
/// A database that never had an index pays nothing. A record whose type has none costs a look into memory.
final class IndexMaintenance {
    private let lists = KeptIndexLists()
    private let indexes: IndexReader
    private let entries: EntryWriter
    private let records: RecordReader

    init(_ connection: Connection, _ entries: EntryWriter) {
        indexes = IndexReader(connection)
        self.entries = entries
        records = RecordReader(connection: connection)
    }

    /// How many entries a write set touches.
    ///
    /// - Parameter heads: Those that its decision read.
    func entries(of set: WriteSet, rows: Int, _ heads: [HeadRow]) throws(StorageError) -> Int {
        guard heads.contains(where: { $0.indexVersion > 0 }) else { return 0 }
        return try EntryCount { [self] type, database throws(StorageError) in
            let head = heads.first { $0.database == database }
            return try kept(type, head)
        } stored: { [records] stubs throws(StorageError) in
            var rows: [RecordRow] = []
            for stub in stubs {
                if let row = try records.record(stub.number, in: stub.database) { rows.append(row) }
            }
            return rows
        }.entries(of: set, rows: rows)
    }

    /// The indexes of a type; nil where there are none.
    private func kept(_ type: TypeNumber, _ head: HeadRow?) throws(StorageError) -> KeptIndexes? {
        guard let head, head.indexVersion > 0 else { return nil }
        if let known = lists.list(head) { return known[type] }
        return lists.remember(try indexes.list(head.database), of: head)[type]
    }

    /// A stored record with its entries, as it was before the statement that changes it.
    struct Before {
        fileprivate var record: RecordRow
        fileprivate var indexes: KeptIndexes
        fileprivate var keys: [[Bytes]]
    }

    /// Reads a record that is about to change or to go; nil where its type has no index.
    func before(_ record: RecordStub, _ head: HeadRow?) throws(StorageError) -> Before? {
        guard let indexes = try kept(record.type, head) else { return nil }
        guard let stored = try records.record(record.number, in: record.database) else { return nil }
        return Before(record: stored, indexes: indexes, keys: indexes.keys(of: stored))
    }

    /// Removes the entries of a record that is gone.
    func remove(_ before: Before?) throws(StorageError) {
        guard let before else { return }
        for (index, keys) in zip(before.indexes.numbers, before.keys) {
            for key in keys { try entries.remove(key, of: before.record, in: index) }
        }
    }

    /// Adds the entries of a new record.
    func insert(_ record: RecordRow, _ head: HeadRow?) throws(StorageError) {
        guard let indexes = try kept(record.type, head) else { return }
        for (index, keys) in zip(indexes.numbers, indexes.keys(of: record)) {
            for key in keys { try entries.insert(key, of: record, in: index) }
        }
    }

    /// Gives a record that changed, and kept its number and zone, the entries of its new state.
    func replace(_ before: Before?, by record: RecordRow, _ head: HeadRow?) throws(StorageError) {
        guard let before, before.record.type == record.type else {
            try remove(before)
            return try insert(record, head)
        }
        let after = before.indexes.keys(of: record)
        for (place, index) in before.indexes.numbers.enumerated() {
            let (gone, new) = (before.keys[place], after[place])
            guard gone != new else { continue }
            for key in gone.withoutSorted(new) { try entries.remove(key, of: record, in: index) }
            for key in new.withoutSorted(gone) { try entries.insert(key, of: record, in: index) }
        }
    }
}
