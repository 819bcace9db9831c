import NephosStorage

/// Seals the cleartext secrets in a tenant's file of an earlier version, and removes its sessions from the digest (docs/decisions/0021).
///
/// Damage is preserved: a row whose checksum is wrong has a wrong one afterwards, so that a check still finds it.
struct OldSecrets {
    private let connection: Connection
    private let tables: TableSet
    private let key: SecretKey

    /// - Parameter key: The key to seal under.
    init(_ connection: Connection, _ tables: TableSet, _ key: SecretKey) {
        self.connection = connection
        self.tables = tables
        self.key = key
    }

    /// Runs in one transaction; a file that is sealed already is not changed.
    func seal() throws(StorageError) {
        guard try connection.number("SELECT secret_key FROM catalog") == 0 else { return }
        try connection.transaction { connection throws(StorageError) in
            // Two processes may have opened the file at the same time.
            var head = try CatalogReader(connection: connection).head()
            guard head.sealing.key == 0 else { return }
            // The file cannot have had a file key: the addresses of its files are still derived from the signing key.
            for rows in tables.all where rows.table.hasSecrets { head.digest &+= try seal(rows) }
            try head.seal(under: key)
            // Cached catalogs still describe the file as in the clear.
            head.version += 1
            let writer = TenantWriter(connection, tables).catalogs
            try writer.update(head)
            try writer.updateSecrets(head)
        }
    }

    /// - Returns: The difference that it adds to the digest.
    private func seal<Row: StoredRow>(_ rows: Row.Type) throws(StorageError) -> Int64 {
        var difference: Int64 = 0
        let replacement = Statement.kept(TableSQL.replacement(Row.table))
        for (old, stored) in try all(rows) {
            let new = try old.sealed(under: key)
            let damage = stored &- old.checksum
            difference &+= new.digestShare(damage) &- old.digestShare(damage)
            guard new.checksum != old.checksum else { continue }
            var cursor = try connection.start(replacement)
            let key = Row.table.key.count
            cursor.bind(new, key..<Row.table.columns.count)
            cursor.bind(new.checksum &+ damage)
            cursor.bind(old, 0..<key)
            try cursor.finish()
        }
        return difference
    }

    /// The rows that can be read, each with its stored checksum.
    private func all<Row: StoredRow>(_ rows: Row.Type) throws(StorageError) -> [(row: Row, checksum: Int64)] {
        var cursor = try connection.once("SELECT \(TableSQL.list(Row.table)), checksum FROM \(Row.table.name)")
        var found: [(Row, Int64)] = []
        while try cursor.next() {
            guard let row = try readable(cursor, rows) else { continue }
            found.append((row, cursor.int(Int32(Row.table.columns.count))))
        }
        return found
    }

    private func readable<Row: StoredRow>(
        _ cursor: borrowing Cursor, _ rows: Row.Type
    ) throws(StorageError) -> Row? {
        do throws(StorageError) { return try cursor.row(rows) } catch {
            // A check finds it.
            guard case .corrupt = error else { throw error }
            return nil
        }
    }
}

extension StoredRow {
    /// What the row adds to the digest, including its damage.
    fileprivate func digestShare(_ damage: Int64) -> Int64 { isInDigest ? checksum &+ damage : 0 }
}
