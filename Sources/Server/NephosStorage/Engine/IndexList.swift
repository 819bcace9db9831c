/// The indexes of one database, and the rows that a transaction that changes the list must write.
///
/// Every change increments the version in the head, and a new index gets that version as its number. So no number is
/// used twice, and remaining entries of a dropped index are never attributed to another index.
package struct IndexList {
    package let database: DatabaseNumber
    /// The next value of the head's `indexVersion`.
    package private(set) var version: Int64
    /// The indexes whose shapes can be read.
    package private(set) var rows: [IndexRow]
    private var unreadable: [IndexRow]
    /// All indexes as they are stored.
    private let stored: [IndexRow]

    /// - Parameters:
    ///   - head: The head of the database, locked.
    ///   - stored: All indexes of the database.
    package init(_ head: HeadRow, _ stored: [IndexRow]) {
        database = head.database
        version = head.indexVersion
        rows = stored.filter(\.isReadable)
        unreadable = stored.filter { !$0.isReadable }
        self.stored = stored
    }

    /// The changes to write.
    package var changes: [RowChange] {
        let now = rows + unreadable
        let gone = stored.filter { old in !now.contains { $0.number == old.number } }
        return gone.map { RowChange(removing: $0) }
            + now.compactMap { row in
                let old = stored.first { $0.number == row.number }
                return old == row ? nil : old.map { RowChange(changing: $0, to: row) } ?? RowChange(row)
            }
    }

    package mutating func open(_ shapes: [IndexShape], at now: Milliseconds) {
        dropUnreadable()
        let last = version
        for shape in shapes where !rows.contains(where: { $0.shape == shape && $0.state != .dropped }) {
            version += 1
            let row = IndexRow(
                database: database, number: version, shape: shape, createdAt: now, usedAt: now.startOfHour)
            rows.append(row)
        }
        for type in Set(shapes.map(\.type)) { dropSurplus(of: type, newerThan: last) }
    }

    /// Drops indexes of an older format. A query that needs one of them opens it again.
    package mutating func dropUnreadable() {
        for row in unreadable {
            rows.append(
                IndexRow(
                    database: database, number: row.number, shape: row.shape, state: .dropped,
                    createdAt: row.createdAt, usedAt: row.usedAt))
            version += 1
        }
        unreadable = []
    }

    /// Drops the least recently used indexes of a type that are more than ``indexesMax``. Indexes that were just opened
    /// are dropped only if they alone are too many.
    private mutating func dropSurplus(of type: TypeNumber, newerThan last: IndexNumber) {
        let kept = rows.indices.filter { rows[$0].shape.type == type && rows[$0].state != .dropped }
        let byUse = kept.sorted { one, other in
            func order(_ row: IndexRow) -> (Int, Milliseconds, IndexNumber) {
                (row.number > last ? 1 : 0, row.usedAt, row.number)
            }
            return order(rows[one]) < order(rows[other])
        }
        for place in byUse.dropLast(indexesMax) { drop(place) }
    }

    package mutating func drop(_ numbers: [IndexNumber]) {
        for place in rows.indices where numbers.contains(rows[place].number) && rows[place].state != .dropped {
            drop(place)
        }
    }

    private mutating func drop(_ place: Int) {
        rows[place].state = .dropped
        // From now on, this is the number of the zone before which all entries have been removed.
        rows[place].builtTo = 0
        version += 1
    }

    /// Records that these indexes contain all records up to `record`, and whether they are ready.
    package mutating func build(_ numbers: [IndexNumber], to record: RecordNumber, isReady: Bool) {
        for place in rows.indices where numbers.contains(rows[place].number) {
            rows[place].builtTo = record
            if isReady { rows[place].state = .ready }
        }
        if isReady { version += 1 }
    }

    /// Records that a dropped index has no entries in zones before `zone`. If `zone` is nil, the index has no entries
    /// at all, and is removed.
    package mutating func clear(_ index: IndexRow, to zone: ZoneNumber?) {
        guard let place = rows.firstIndex(where: { $0.number == index.number }) else { return }
        if let zone {
            rows[place].builtTo = zone
        } else {
            rows.remove(at: place)
            version += 1
        }
    }

    package mutating func noteUse(of numbers: [IndexNumber], at now: Milliseconds) {
        for place in rows.indices where rows[place].isUseToBeNoted(of: numbers, at: now) {
            rows[place].usedAt = now.startOfHour
        }
    }
}

/// The indexes to build next: those that contain the fewest records, all in one walk, which ends at the position of the
/// other indexes that are being built.
package struct IndexWalk {
    package let indexes: [IndexRow]
    /// The records to examine.
    package let range: ClosedRange<RecordNumber>
    private let others: RecordNumber?

    /// - Returns: nil if none of `rows` is being built.
    package init?(_ rows: [IndexRow]) {
        let building = rows.filter { $0.state == .building }
        guard let start = building.map(\.builtTo).min() else { return nil }
        indexes = building.filter { $0.builtTo == start }
        others = building.map(\.builtTo).filter { $0 > start }.min()
        range = (start + 1)...(others ?? .max)
    }

    /// Records the progress of the walk in `list`.
    ///
    /// - Parameters:
    ///   - last: The last record that was examined; nil if there was none.
    ///   - isAtEnd: Whether there is no further record in ``range``.
    package func end(at last: RecordNumber?, isAtEnd: Bool, in list: inout IndexList) {
        let end = isAtEnd ? others ?? last : last
        list.build(
            indexes.map(\.number), to: end ?? range.lowerBound - 1, isReady: isAtEnd && others == nil)
    }
}

extension [IndexRow] {
    /// Returns those of `shapes` that exist in this list, or can be opened without dropping an index that was used at
    /// `time` or later.
    package func room(for shapes: [IndexShape], sparing time: Milliseconds) -> [IndexShape] {
        var taken: [TypeNumber: Int] = [:]
        var standing: Set<IndexShape> = []
        for row in self where row.state != .dropped {
            standing.insert(row.shape)
            if row.usedAt >= time { taken[row.shape.type, default: 0] += 1 }
        }
        return shapes.filter { shape in
            if standing.contains(shape) { return true }
            taken[shape.type, default: 0] += 1
            return taken[shape.type, default: 0] <= indexesMax
        }
    }
}

extension IndexRow {
    /// Whether this index is among `numbers`, and no use of it was recorded in this hour yet.
    package func isUseToBeNoted(of numbers: [IndexNumber], at now: Milliseconds) -> Bool {
        numbers.contains(number) && usedAt < now.startOfHour
    }
}

extension Milliseconds {
    /// The time rounded down to the hour. Uses are recorded with this precision, so that the row of a busy index is
    /// rarely written.
    fileprivate var startOfHour: Milliseconds { self - self % 3_600_000 }
}
