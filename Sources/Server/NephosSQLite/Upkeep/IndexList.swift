import CloudKitWire
import NephosQueries
public import NephosStorage

/// The indexes of one database, inside a transaction that changes which there are.
///
/// Every change raises the version in the head, and a new index gets that version as its number: so no number comes
/// twice, and entries that a dropped index still has never become another's.
struct IndexList {
    private let session: WriteSession
    private let database: DatabaseNumber
    private var storedVersion: Int64
    private var version: Int64
    private(set) var rows: [IndexRow]

    /// - Throws: ``StorageError/failed(_:)`` when there is no such database.
    init(_ session: WriteSession, _ database: DatabaseNumber) throws(StorageError) {
        _ = try session.catalog()
        guard let head = try session.reader.heads.head(database) else {
            throw .failed("there is no database \(database)")
        }
        self.session = session
        self.database = database
        storedVersion = head.indexVersion
        version = storedVersion
        rows = try session.reader.indexes.list(database)
    }

    mutating func open(_ shapes: [IndexShape], at now: Milliseconds) throws(StorageError) {
        try dropUnreadable()
        let last = version
        for shape in shapes where !rows.contains(where: { $0.shape == shape && $0.state != .dropped }) {
            version += 1
            let row = IndexRow(
                database: database, number: version, shape: shape, createdAt: now, usedAt: now.startOfHour)
            try session.writer.indexes.insert(row)
            rows.append(row)
        }
        for type in Set(shapes.map(\.type)) { try dropSurplus(of: type, newerThan: last) }
        try storeVersion()
    }

    /// Drops indexes of an older form. Whoever wants one of them opens it anew.
    mutating func dropUnreadable() throws(StorageError) {
        for row in try session.reader.indexes.unreadable(database) {
            try session.writer.indexes.remove(row.number, in: database)
            try session.writer.indexes.insert(row)
            rows.append(row)
            version += 1
        }
        try storeVersion()
    }

    /// Drops what was not used for longest, and of what was just opened only where that alone is too much.
    private mutating func dropSurplus(of type: TypeNumber, newerThan last: IndexNumber) throws(StorageError) {
        let kept = rows.indices.filter { rows[$0].shape.type == type && rows[$0].state != .dropped }
        let byUse = kept.sorted { one, other in
            func order(_ row: IndexRow) -> (Int, Milliseconds, IndexNumber) {
                (row.number > last ? 1 : 0, row.usedAt, row.number)
            }
            return order(rows[one]) < order(rows[other])
        }
        for place in byUse.dropLast(indexesMax) { try drop(place) }
    }

    mutating func drop(_ numbers: [IndexNumber]) throws(StorageError) {
        for place in rows.indices where numbers.contains(rows[place].number) && rows[place].state != .dropped {
            try drop(place)
        }
        try storeVersion()
    }

    private mutating func drop(_ place: Int) throws(StorageError) {
        rows[place].state = .dropped
        // From here on it counts the zones that are cleared.
        rows[place].builtTo = 0
        try session.writer.indexes.update(rows[place])
        version += 1
    }

    /// Says that these indexes hold all records up to `record`.
    mutating func build(
        _ numbers: [IndexNumber], to record: RecordNumber, isReady: Bool
    ) throws(StorageError) {
        for place in rows.indices where numbers.contains(rows[place].number) {
            rows[place].builtTo = record
            if isReady { rows[place].state = .ready }
            try session.writer.indexes.update(rows[place])
        }
        if isReady { version += 1 }
        try storeVersion()
    }

    /// Says that a dropped index has no entries in zones before `zone`; nil when it has none at all, and goes.
    mutating func clear(_ index: IndexRow, to zone: ZoneNumber?) throws(StorageError) {
        guard let place = rows.firstIndex(where: { $0.number == index.number }) else { return }
        if let zone {
            rows[place].builtTo = zone
            try session.writer.indexes.update(rows[place])
        } else {
            rows.remove(at: place)
            try session.writer.indexes.remove(index.number, in: database)
            version += 1
        }
        try storeVersion()
    }

    mutating func noteUse(of numbers: [IndexNumber], at now: Milliseconds) throws(StorageError) {
        for place in rows.indices where rows[place].isUseToBeNoted(of: numbers, at: now) {
            rows[place].usedAt = now.startOfHour
            try session.writer.indexes.update(rows[place])
        }
    }

    private mutating func storeVersion() throws(StorageError) {
        guard version != storedVersion else { return }
        try session.changeHead(database) { $0.indexVersion = version }
        storedVersion = version
    }
}

extension IndexRow {
    fileprivate func isUseToBeNoted(of numbers: [IndexNumber], at now: Milliseconds) -> Bool {
        numbers.contains(number) && usedAt < now.startOfHour
    }
}

extension Milliseconds {
    /// Uses are remembered to the hour, so that a busy index is not written all the time.
    fileprivate var startOfHour: Milliseconds { self - self % 3_600_000 }
}

extension SQLiteTenantStore {
    public func openIndexes(
        _ shapes: [IndexShape], in database: DatabaseNumber, at now: Milliseconds
    ) async throws {
        try await perform { session throws(StorageError) in
            var list = try IndexList(session, database)
            try list.open(shapes, at: now)
        }
    }

    public func dropIndexes(_ numbers: [IndexNumber], in database: DatabaseNumber) async throws {
        try await perform { session throws(StorageError) in
            var list = try IndexList(session, database)
            try list.drop(numbers)
        }
    }

    public func noteUse(of numbers: [IndexNumber], in database: DatabaseNumber, at now: Milliseconds) async throws {
        // Within the hour there is nothing to write, and the writer need not be asked.
        let isNews = try readers.read { reader throws(StorageError) in
            try reader.indexes.list(database).contains { $0.isUseToBeNoted(of: numbers, at: now) }
        }
        guard isNews else { return }
        try await perform { session throws(StorageError) in
            var list = try IndexList(session, database)
            try list.noteUse(of: numbers, at: now)
        }
    }
}
