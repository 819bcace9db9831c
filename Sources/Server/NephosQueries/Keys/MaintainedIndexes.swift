import CloudKitWire
package import NephosStorage

/// The indexes of one record type in one database that writers update: those being built and those ready.
package struct MaintainedIndexes {
    package let numbers: [IndexNumber]
    private let maker: IndexKeys
    /// The number of indexes in which a record has at most one entry, and of those in which it may have several.
    private let singles: Int
    private let severals: Int

    /// - Parameter indexes: At least one, all of one type.
    package init(_ indexes: [IndexRow]) {
        numbers = indexes.map(\.number)
        maker = IndexKeys(indexes.map(\.shape))
        severals = indexes.count(where: \.shape.mayHaveSeveralKeys)
        singles = indexes.count - severals
    }

    var mayHaveSeveral: Bool { severals > 0 }

    /// The maximum number of entries of a record of this size: members of lists and words take at least two bytes each, with
    /// their separators.
    package func entriesMax(bytes: Int64) -> Int {
        singles + severals * min(DistinctParts.countMax, Int(clamping: bytes / 2 + 1))
    }

    /// The keys of a record for each index, in the order of ``numbers``: distinct, ascending.
    package func keys(of record: RecordRow) -> [[Bytes]] { maker.keys(of: record) }

    /// - Parameter steps: The work is added (``CommitReport/steps``).
    func keys(of record: RecordRow, _ steps: inout Int) -> [[Bytes]] { maker.keys(of: record, &steps) }
}

/// A row of the table `index_rows`: an entry, and its place in the database.
package struct StoredEntry: Sendable {
    package let zone: ZoneNumber
    package let index: IndexNumber
    package let key: Bytes
    package let record: RecordNumber
}

extension MaintainedIndexes {
    /// The entries of a record for all indexes.
    package func entries(of record: RecordRow) -> [StoredEntry] {
        zip(numbers, keys(of: record)).flatMap { index, keys in
            keys.map { StoredEntry(zone: record.zone, index: index, key: $0, record: record.number) }
        }
    }

    /// The indexes of `indexes` that are kept up to date, by type.
    package static func byType(_ indexes: [IndexRow]) -> [TypeNumber: MaintainedIndexes] {
        let kept = indexes.filter { $0.state != .dropped && $0.isReadable }
        return Dictionary(grouping: kept, by: \.shape.type).mapValues(MaintainedIndexes.init)
    }
}

extension IndexShape {
    /// Whether a record may have several entries.
    fileprivate var mayHaveSeveralKeys: Bool {
        parts.contains { part in
            switch part {
            case .member, .token: true
            case .value, .cell, .order: false
            }
        }
    }
}

extension [Bytes] {
    /// The keys that are not in `others`; both are ascending.
    func withoutSorted(_ others: [Bytes]) -> [Bytes] {
        if self == others { return [] }
        var others = others[...]
        return filter { key in
            while let first = others.first, first.lexicographicallyPrecedes(key) { others.removeFirst() }
            return others.first != key
        }
    }
}
