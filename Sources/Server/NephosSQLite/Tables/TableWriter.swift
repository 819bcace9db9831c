import NephosStorage

/// Writes rows of described tables.
final class TableWriter {
    private struct Statements {
        let insertion, change, removal: Query
        /// Of what goes with a row.
        let removalsOfChildren: [Query]
    }

    private let connection: Connection
    /// By ``Table/number``.
    private var statements: [Int: Statements] = [:]

    private let tables: TableSet

    init(_ connection: Connection, _ tables: TableSet) {
        self.connection = connection
        self.tables = tables
    }

    func apply(_ change: RowChange, _ ledger: inout Ledger) throws(StorageError) {
        try change.count(in: &ledger)
        try apply(change)
    }

    /// Of a table that no head counts.
    func apply(_ change: RowChange) throws(StorageError) {
        let (table, statements) = (change.table, statements(change.table))
        let (key, all) = (0..<table.key.count, 0..<table.columns.count)
        switch (change.old, change.new) {
        case (nil, let new?):
            var cursor = try statements.insertion.start()
            cursor.bind(new, all)
            cursor.bind(new.checksum)
            try cursor.finish()
        case (let old?, let new?):
            guard table.isGuarded else { throw .failed("\(table.name): rows are not changed") }
            var cursor = try statements.change.start()
            cursor.bind(new, key.upperBound..<all.upperBound)
            cursor.bind(new.checksum)
            cursor.bind(old, key)
            cursor.bind(old.checksum)
            try cursor.finish()
            try expectOne(table)
        case (let old?, nil):
            var cursor = try statements.removal.start()
            cursor.bind(old, key)
            if table.isGuarded { cursor.bind(old.checksum) }
            try cursor.finish()
            if table.isGuarded { try expectOne(table) }
            for removal in statements.removalsOfChildren {
                var cursor = try removal.start()
                cursor.bind(old, key)
                try cursor.finish()
            }
        case (nil, nil): break
        }
    }

    /// The row lay there just as it was read.
    private func expectOne(_ table: Table) throws(StorageError) {
        guard connection.changes == 1 else { throw .failed("\(table.name): a row to change is not as it was read") }
    }

    private func statements(_ table: Table) -> Statements {
        if let known = statements[table.number] { return known }
        let made = Statements(
            insertion: Query(connection, TableSQL.insertion(table)), change: Query(connection, TableSQL.change(table)),
            removal: Query(connection, TableSQL.removal(table)),
            removalsOfChildren: tables.children(of: table).map {
                Query(connection, TableSQL.removal(of: $0, key: table.key.count))
            })
        statements[table.number] = made
        return made
    }
}
