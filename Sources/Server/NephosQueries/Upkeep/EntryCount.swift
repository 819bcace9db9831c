import CloudKitWire
package import NephosStorage

/// How many entries of indexes a write set touches: how much work it is for the writer besides its rows.
///
/// First what it touches at most is worked out from numbers alone. Only where that is a lot and lists or texts are indexed
/// are the records looked at, until it is known to be too much.
package struct EntryCount {
    /// The indexes of a type in a database; nil where there are none.
    package typealias Indexes = (TypeNumber, DatabaseNumber) throws(StorageError) -> KeptIndexes?
    /// Stored records, in any order.
    package typealias Stored = ([RecordStub]) throws(StorageError) -> [RecordRow]

    private struct Place: Hashable {
        var database: DatabaseNumber
        var number: RecordNumber
    }

    private typealias Change = (old: RecordStub?, new: RecordRow?)

    private let indexes: Indexes
    private let stored: Stored

    package init(indexes: @escaping Indexes, stored: @escaping Stored) {
        self.indexes = indexes
        self.stored = stored
    }

    /// Entries that go and come. Where they and the rows are few, or no record has several in an index, as many as there may
    /// be; else exactly, or some number that is too large as well.
    ///
    /// - Parameter rows: The set's ``WriteSet/rows``.
    package func entries(of set: WriteSet, rows: Int) throws(StorageError) -> Int {
        var most = 0
        var mayHaveSeveral = false
        func add(_ type: TypeNumber, _ database: DatabaseNumber, _ bytes: Int64) throws(StorageError) {
            guard let kept = try indexes(type, database) else { return }
            most += kept.entriesMax(bytes: bytes)
            if kept.mayHaveSeveral { mayHaveSeveral = true }
        }
        for deletion in set.deletions { try add(deletion.old.type, deletion.old.database, deletion.old.storedBytes) }
        for write in set.records {
            if let old = write.old { try add(old.type, old.database, old.storedBytes) }
            try add(write.new.type, write.new.database, write.new.storedBytes)
        }
        guard mayHaveSeveral, rows + most > WriteSet.aloneRows else { return most }
        return try exactly(set, atMost: commitRowsMax - rows)
    }

    /// - Parameter limit: Where counting ends, since more is not written anyway.
    private func exactly(_ set: WriteSet, atMost limit: Int) throws(StorageError) -> Int {
        var count = 0
        var changes: [Change] = set.deletions.map { ($0.old, nil) }
        changes += set.records.map { ($0.old, $0.new) }
        var rest = changes[...]
        while !rest.isEmpty, count <= limit {
            let chunk = rest.prefix(chunkRows)
            rest = rest.dropFirst(chunk.count)
            let before = try keys(ofStored: chunk.compactMap(\.old))
            for (old, new) in chunk {
                let gone = old.flatMap { before[Place(database: $0.database, number: $0.number)] } ?? []
                let come = try keys(of: new)
                guard let old, let new, old.number == new.number, old.type == new.type else {
                    for keys in gone + come { count += keys.count }
                    continue
                }
                for (gone, come) in zip(gone, come) where gone != come {
                    count += gone.withoutSorted(come).count + come.withoutSorted(gone).count
                }
            }
        }
        return count
    }

    private func keys(ofStored stubs: [RecordStub]) throws(StorageError) -> [Place: [[Bytes]]] {
        var indexed: [RecordStub] = []
        for stub in stubs where try indexes(stub.type, stub.database) != nil { indexed.append(stub) }
        var keys: [Place: [[Bytes]]] = [:]
        guard !indexed.isEmpty else { return keys }
        for row in try stored(indexed) {
            keys[Place(database: row.database, number: row.number)] = try self.keys(of: row)
        }
        return keys
    }

    private func keys(of record: RecordRow?) throws(StorageError) -> [[Bytes]] {
        guard let record else { return [] }
        return try indexes(record.type, record.database)?.keys(of: record) ?? []
    }
}

/// Records that are looked at together.
private let chunkRows = 16
