import CloudKitWire
package import NephosStorage

/// Index entries of one database that are removed and added as its records change.
package struct EntryChanges {
    let database: DatabaseNumber
    fileprivate(set) var gone: [StoredEntry] = []
    fileprivate(set) var new: [StoredEntry] = []
}

/// Keeps the entries of indexes in sync with the records.
///
/// A database that never had an index has no cost. If the type of a record has one, the stored record is needed; usually the
/// decision has read it, otherwise it is read now.
extension IndexTables {
    /// The changes of entries when a write set is applied. Must be called before that.
    ///
    /// - Parameters:
    ///   - reading: The reading of its decision.
    ///   - heads: The heads of its databases.
    package func entryChanges(
        of set: WriteSet, _ reading: Reading, _ heads: [HeadRow]
    ) throws(StorageError) -> [EntryChanges] {
        let lists = try lists(of: set, heads)
        var steps = 0
        return lists.isEmpty ? [] : try changes(set.recordChanges[...], lists, reading, &steps)
    }

    package func apply(_ changes: [EntryChanges]) throws(StorageError) {
        for change in changes { try remove(change.gone, of: change.database) }
        for change in changes { try insert(change.new, of: change.database) }
    }

    /// How many entries a write set changes, and the steps to find them: the writer's work besides its rows.
    ///
    /// First an upper bound is computed from numbers alone. Only if that is large and lists or texts are indexed, the records are
    /// examined, until the count is known to be too large.
    ///
    /// - Returns: The number of removed and added entries. An upper bound without steps if that and the rows are few, or if no
    ///   record has several entries in an index; otherwise exact, or numbers of which one is also too large.
    package func report(
        of set: WriteSet, _ reading: Reading, _ heads: [HeadRow]
    ) throws(StorageError) -> CommitReport {
        var report = CommitReport(commits: 1, rows: set.rows)
        let lists = try lists(of: set, heads)
        guard !lists.isEmpty else { return report }
        var most = 0
        var mayHaveSeveral = false
        func add(_ type: TypeNumber, _ database: DatabaseNumber, _ bytes: Int64) {
            guard let kept = lists[database]?[type] else { return }
            most += kept.entriesMax(bytes: bytes)
            if kept.mayHaveSeveral { mayHaveSeveral = true }
        }
        let records = set.recordChanges
        for (old, new) in records {
            if let old { add(old.type, old.database, old.storedBytes) }
            if let new { add(new.type, new.database, new.storedBytes) }
        }
        guard mayHaveSeveral, report.rows + most > WriteSet.ownTransactionRows else {
            report.entries = most
            return report
        }
        var rest = records[...]
        while !rest.isEmpty, !report.isTooLarge {
            report.fitting = records.count - rest.count
            for change in try changes(rest.prefix(recordsAtOnce), lists, reading, &report.steps) {
                report.entries += change.gone.count + change.new.count
            }
            rest = rest.dropFirst(recordsAtOnce)
        }
        return report
    }

    /// The indexes of databases that a write set changes, if they have any.
    private func lists(of set: WriteSet, _ heads: [HeadRow]) throws(StorageError) -> Lists {
        var lists: Lists = [:]
        for head in heads where head.indexVersion > 0 && set.changesRecords(in: head.database) {
            var list = indexLists.list(head)
            if list == nil { list = indexLists.remember(try indexes(of: head.database), of: head) }
            if list?.isEmpty == false { lists[head.database] = list }
        }
        return lists
    }

    private func changes(
        _ records: ArraySlice<RecordChange>, _ lists: Lists, _ reading: Reading, _ steps: inout Int
    ) throws(StorageError) -> [EntryChanges] {
        let indexed = records.compactMap(\.old).filter { lists[$0.database]?[$0.type] != nil }
        let stored = try stored(indexed, reading)
        var changes: [DatabaseNumber: EntryChanges] = [:]
        for (old, new) in records {
            guard let database = old?.database ?? new?.database else { continue }
            let before = RecordKeys(
                old.flatMap { stored[Place(database: database, number: $0.number)] }, lists, &steps)
            let after = RecordKeys(new, lists, &steps)
            changes[database, default: EntryChanges(database: database)].gone += before?.entries(without: after) ?? []
            changes[database, default: EntryChanges(database: database)].new += after?.entries(without: before) ?? []
        }
        return changes.values.sorted { $0.database < $1.database }
    }

    /// Records as stored: those that the decision has read, and the others from the table.
    private func stored(
        _ stubs: [RecordStub], _ reading: Reading
    ) throws(StorageError) -> [Place: RecordRow] {
        var records: [Place: RecordRow] = [:]
        guard !stubs.isEmpty else { return records }
        let wanted = Set(stubs.map { Place(database: $0.database, number: $0.number) })
        for case .record(let row) in reading.records {
            let place = Place(database: row.database, number: row.number)
            if wanted.contains(place) { records[place] = row }
        }
        for (database, places) in wanted.subtracting(records.keys).groups(by: \.database) {
            for row in try self.records(places.map(\.number).sorted(), in: database) {
                records[Place(database: database, number: row.number)] = row
            }
        }
        return records
    }
}

private typealias Lists = [DatabaseNumber: [TypeNumber: MaintainedIndexes]]

private struct Place: Hashable {
    let database: DatabaseNumber
    let number: RecordNumber
}

/// A record that is added, changed or removed.
private typealias RecordChange = (old: RecordStub?, new: RecordRow?)

extension WriteSet {
    fileprivate func changesRecords(in database: DatabaseNumber) -> Bool {
        records.contains { $0.new.database == database } || deletions.contains { $0.old.database == database }
    }

    fileprivate var recordChanges: [RecordChange] {
        deletions.map { ($0.old, nil) } + records.map { ($0.old, $0.new) }
    }
}

/// The keys of a record, index by index.
private struct RecordKeys {
    private let record: RecordRow
    private let indexes: [IndexNumber]
    private let keys: [[Bytes]]

    /// - Returns: nil if there is no record, or its type has no index.
    init?(_ record: RecordRow?, _ lists: Lists, _ steps: inout Int) {
        guard let record, let kept = lists[record.database]?[record.type] else { return nil }
        self.record = record
        indexes = kept.numbers
        keys = kept.keys(of: record, &steps)
    }

    /// The entries that the record has, without those that it also has in another state.
    func entries(without other: RecordKeys?) -> [StoredEntry] {
        var others: [[Bytes]]?
        if let other, other.record.number == record.number, other.record.type == record.type { others = other.keys }
        return indexes.indices.flatMap { place in
            (others.map { keys[place].withoutSorted($0[place]) } ?? keys[place]).map {
                StoredEntry(zone: record.zone, index: indexes[place], key: $0, record: record.number)
            }
        }
    }
}

/// How many records are examined together.
private let recordsAtOnce = 4
