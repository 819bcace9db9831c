import NephosStorage
import Synchronization

/// Writes rows of described tables: one statement for all of a table that are removed, one for those that are changed, and one
/// for those that are added.
struct TableWriter {
    let tenant: TenantNumber
    let transaction: Transaction
    let tables: TableSet

    func apply(_ changes: [RowChange], _ ledger: inout Ledger) throws(StorageError) {
        for change in changes { try change.count(in: &ledger) }
        try apply(changes)
    }

    /// Of tables that no head counts.
    func apply(_ changes: [RowChange]) throws(StorageError) {
        var tables: [(table: Table, changes: [RowChange])] = []
        for change in changes {
            if let index = tables.firstIndex(where: { $0.table === change.table }) {
                tables[index].changes.append(change)
            } else {
                tables.append((change.table, [change]))
            }
        }
        for (table, changes) in tables { try apply(changes, table) }
    }

    private func apply(_ changes: [RowChange], _ table: Table) throws(StorageError) {
        let statements = Self.statements(table, tables)
        var (removed, changed, added) = (
            Batch(table.columns.prefix(table.key.count), tenant), batch(table), batch(table)
        )
        for change in changes {
            switch (change.old, change.new) {
            case (let old?, nil): try removed.add(old, checksums: table.isGuarded ? [old.checksum] : [])
            case (let old?, let new?):
                guard table.isGuarded else { throw .failed("\(table.name): rows are not changed") }
                try changed.add(new, checksums: [new.checksum, old.checksum])
            case (nil, let new?): try added.add(new, checksums: [new.checksum])
            case (nil, nil): break
            }
        }
        send(removed, table, statements.removal, isGuarded: table.isGuarded)
        if removed.count > 0 {
            for removal in statements.removalsOfChildren {
                transaction.later(removal) { for array in removed.columns.arrays { $0.add(array) } }
            }
        }
        send(changed, table, statements.change, isGuarded: true)
        send(added, table, statements.insertion, isGuarded: false)
    }

    private func batch(_ table: Table) -> Batch { Batch(table.columns[...], tenant) }

    private func send(_ batch: Batch, _ table: Table, _ statement: Statement, isGuarded: Bool) {
        guard batch.count > 0 else { return }
        transaction.later(statement) {
            if table.owner == .tenant { $0.add(tenant.value) }
            for array in batch.columns.arrays + batch.checksums { $0.add(array) }
            if isGuarded { $0.add(Int64(batch.count)) }
        }
    }

    /// Rows on their way into one statement.
    private struct Batch {
        var columns: ColumnArrays
        var checksums: [MemberArray] = []
        var count = 0

        init(_ columns: ArraySlice<Column>, _ tenant: TenantNumber) { self.columns = ColumnArrays(columns, tenant) }

        mutating func add(_ row: some StoredRow, checksums sums: [Int64]) throws(StorageError) {
            try columns.add(row)
            if checksums.isEmpty { checksums = sums.map { _ in MemberArray(.bigint) } }
            for (place, sum) in sums.enumerated() { checksums[place].append(sum) }
            count += 1
        }
    }

    // MARK: Statements

    private struct Statements {
        let insertion, change, removal: Statement
        /// Of what goes with rows.
        let removalsOfChildren: [Statement]
    }

    private struct Key: Hashable {
        let table: Int
        let tables: ObjectIdentifier
    }

    private static let statements = Mutex<[Key: Statements]>([:])

    private static func statements(_ table: Table, _ tables: TableSet) -> Statements {
        let key = Key(table: table.number, tables: ObjectIdentifier(tables))
        return statements.withLock { statements in
            if let known = statements[key] { return known }
            let made = Statements(
                insertion: Statement(TableSQL.insertion(table)), change: Statement(TableSQL.change(table)),
                removal: Statement(TableSQL.removal(table)),
                removalsOfChildren: tables.children(of: table).map {
                    Statement(TableSQL.removal(of: $0, with: table))
                })
            statements[key] = made
            return made
        }
    }
}
