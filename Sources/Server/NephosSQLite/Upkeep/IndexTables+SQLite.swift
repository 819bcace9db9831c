import CloudKitWire
import NephosQueries
package import NephosStorage

extension WriteSession: IndexTables {
    func unfinishedIndex(
        in database: DatabaseNumber?
    ) throws(StorageError) -> (database: DatabaseNumber, number: IndexNumber)? {
        _ = try catalog()
        for state in [IndexRow.State.building, .dropped] {
            var cursor = try connection.once(
                """
                SELECT db, index_no FROM indexes INDEXED BY indexes_unfinished
                WHERE state <> \(IndexRow.State.ready.rawValue) AND state = ? \(database == nil ? "" : "AND db = ?")
                ORDER BY db, index_no LIMIT 1
                """)
            cursor.bind(state.rawValue)
            if let database { cursor.bind(database) }
            if try cursor.next() { return (cursor.int(0), cursor.int(1)) }
        }
        return nil
    }

    func indexList(of database: DatabaseNumber) throws(StorageError) -> IndexList {
        _ = try catalog()
        guard let head = try reader.heads.head(database) else { throw .failed("there is no database \(database)") }
        return IndexList(head, try indexes(of: database))
    }

    func indexes(of database: DatabaseNumber) throws(StorageError) -> [IndexRow] {
        try reader.tables.rows(IndexRow.all(of: database))
    }

    func store(_ list: IndexList) throws(StorageError) {
        let changes = list.changes
        for change in changes { try writer.tables.apply(change) }
        if !changes.isEmpty { try changeHead(list.database) { $0.indexVersion = list.version } }
    }

    func fill(_ filling: inout IndexFilling, of database: DatabaseNumber) throws(StorageError) {
        let types = filling.types.map { "\($0)" }.joined(separator: ", ")
        var cursor = try connection.once(
            """
            SELECT \(RecordRow.columns.dropLast().joined(separator: ", ")), CASE WHEN type IN (\(types)) THEN fields END,
                (SELECT z.state FROM zones AS z WHERE z.db = records.db AND z.zone_no = records.zone_no)
            FROM records WHERE id BETWEEN \(RowKey.id("?1", "?2")) AND \(RowKey.id("?1", "?3")) ORDER BY id
            """)
        cursor.bind(database)
        cursor.bind(filling.range.lowerBound)
        cursor.bind(min(filling.range.upperBound, RowKey.numberMax))
        while try cursor.next(), let entries = try filling.entries(of: cursor) {
            try insert(entries, of: database)
        }
    }

    func records(_ numbers: [RecordNumber], in database: DatabaseNumber) throws(StorageError) -> [RecordRow] {
        try reader.records.records(numbers, in: database, byteLimit: .max).records
    }

    func insert(_ entries: [StoredEntry], of database: DatabaseNumber) throws(StorageError) {
        for entry in entries { try writer.entries.insert(entry, of: database) }
    }

    func remove(_ entries: [StoredEntry], of database: DatabaseNumber) throws(StorageError) {
        for entry in entries { try writer.entries.remove(entry, of: database) }
    }

    func firstUnswept(_ database: DatabaseNumber, from zone: ZoneNumber) throws(StorageError) -> ZoneNumber? {
        try reader.zones.firstUnswept(database, from: zone)
    }

    func removeEntries(_ limit: Int, of index: IndexRow, in zone: ZoneNumber) throws(StorageError) -> Int {
        try writer.entries.removeFirst(limit, of: index, in: zone)
    }
}

extension SQLiteTenantStore: IndexListing {
    package func buildIndexes(in database: DatabaseNumber?, _ chunk: IndexChunk) async throws -> Bool {
        try await perform { session throws(StorageError) in try session.workOnIndexes(in: database, chunk) }
    }

    package func changeIndexes(
        of database: DatabaseNumber, where isDue: (@Sendable (IndexRow) -> Bool)?,
        _ change: @escaping @Sendable (inout IndexList) -> Void
    ) async throws {
        // Avoids the queue of writers if there is nothing to do.
        if let isDue {
            let known = try readers.read { reader throws(StorageError) in
                try reader.tables.rows(IndexRow.all(of: database))
            }
            guard known.contains(where: isDue) else { return }
        }
        try await perform { session throws(StorageError) in
            var list = try session.indexList(of: database)
            change(&list)
            try session.store(list)
        }
    }
}
