import NephosStorage
import Synchronization

/// Writes rows of described tables.
struct TableWriter {
    let connection: Connection
    let tables: TableSet

    func apply(_ change: RowChange, _ ledger: inout Ledger) throws(StorageError) {
        try change.count(in: &ledger)
        try apply(change)
    }

    /// For a table that no head counts.
    func apply(_ change: RowChange) throws(StorageError) {
        let (table, statements) = (change.table, statements(change.table))
        let (key, all) = (0..<table.key.count, 0..<table.columns.count)
        switch (change.old, change.new) {
        case (nil, let new?):
            var cursor = try connection.start(statements.insertion)
            cursor.bind(new, all)
            cursor.bind(change.newChecksum)
            try cursor.finish()
        case (let old?, let new?):
            var cursor = try connection.start(statements.change)
            cursor.bind(new, key.upperBound..<all.upperBound)
            cursor.bind(change.newChecksum)
            cursor.bind(old, key)
            if table.isGuarded { cursor.bind(change.oldChecksum) }
            try cursor.finish()
            try expectOne(table)
        case (let old?, nil):
            var cursor = try connection.start(statements.removal)
            cursor.bind(old, key)
            if table.isGuarded { cursor.bind(change.oldChecksum) }
            try cursor.finish()
            if table.isGuarded { try expectOne(table) }
            for removal in statements.removalsOfChildren {
                var cursor = try connection.start(removal)
                cursor.bind(old, key)
                try cursor.finish()
            }
        case (nil, nil): break
        }
    }

    /// Checks that the row was stored exactly as it was read.
    private func expectOne(_ table: Table) throws(StorageError) {
        guard connection.changes == 1 else {
            throw .failed("\(table.name): a row to change has changed since it was read")
        }
    }

    private func statements(_ table: Table) -> TableStatements {
        let key = TableStatements.Key(table, tables)
        return Self.statements.withLock { statements in
            if let known = statements[key] { return known }
            let made = TableStatements(
                insertion: TableSQL.insertion(table), change: TableSQL.change(table), removal: TableSQL.removal(table),
                removalsOfChildren: tables.children(of: table).map { TableSQL.removal(of: $0, key: table.key.count) })
            statements[key] = made
            return made
        }
    }

    /// Not a ``DerivedValueCache``, as in ``TableReader``.
    private static let statements = Mutex<[TableStatements.Key: TableStatements]>([:])
}
