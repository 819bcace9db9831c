import NephosStorage

/// Writes rows of described tables: one statement per table for all rows that are removed, one for those that are changed,
/// and one for those that are added.
struct TableWriter {
    let tenant: TenantNumber
    let transaction: Transaction
    let tables: TableSet

    func apply(_ changes: [RowChange], _ ledger: inout Ledger) throws(StorageError) {
        for change in changes { try change.count(in: &ledger) }
        try apply(changes)
    }

    /// For tables that no head counts.
    func apply(_ changes: [RowChange]) throws(StorageError) {
        let groups = changes.groups { Group(table: $0.table.number, database: $0.database) }
        for (group, changes) in groups { try apply(changes, changes[0].table, in: group.database) }
    }

    /// The scope of one statement: rows of one table, in one database.
    private struct Group: Equatable {
        let table: Int
        let database: DatabaseNumber?
    }

    private func apply(
        _ changes: [RowChange], _ table: Table, in database: DatabaseNumber?
    ) throws(StorageError) {
        let statements = statements(table)
        let owner = try database.map { number throws(StorageError) in try tenant.stored(number) }
        let place = table.owner == .tenant ? tenant.value : owner
        var (removed, changed, added) = (
            Batch(table.ownKey, place), Batch(table.ownColumns, place), Batch(table.ownColumns, place)
        )
        for change in changes {
            switch (change.old, change.new) {
            case (let old?, nil): removed.add(old, checksums: [change.oldChecksum])
            case (_?, let new?):
                changed.add(new, checksums: [change.newChecksum] + (table.isGuarded ? [change.oldChecksum] : []))
            case (nil, let new?): added.add(new, checksums: [change.newChecksum])
            case (nil, nil): break
            }
        }
        send(removed, statements.removal, isGuarded: table.isGuarded)
        for removal in statements.removalsOfChildren { send(removed, removal, isGuarded: false) }
        send(changed, statements.change, isGuarded: true)
        send(added, statements.insertion, isGuarded: table.owner == .database)
    }

    private func send(_ batch: Batch, _ statement: Statement, isGuarded: Bool) {
        guard batch.count > 0 else { return }
        var call = Call(statement)
        if let owner = batch.owner { call.values.add(owner) }
        for array in batch.columns.arrays + batch.checksums { call.values.add(array) }
        if isGuarded { call.values.add(Int64(batch.count)) }
        transaction.later(call)
    }

    /// Rows of one owner for one statement.
    private struct Batch {
        let owner: Int64?
        var columns: ColumnArrays
        var checksums: [MemberArray] = []
        var count = 0

        init(_ columns: ArraySlice<Column>, _ owner: Int64?) {
            self.owner = owner
            self.columns = ColumnArrays(columns)
        }

        mutating func add(_ row: some StoredRow, checksums sums: [Int64]) {
            columns.add(row)
            if checksums.isEmpty { checksums = sums.map { _ in MemberArray(.bigint) } }
            for (place, sum) in sums.enumerated() { checksums[place].append(sum) }
            count += 1
        }
    }

    private func statements(_ table: Table) -> TableStatements {
        Self.statements.value(TableStatements.Key(table, tables)) {
            TableStatements(
                insertion: TableSQL.insertion(table), change: TableSQL.change(table), removal: TableSQL.removal(table),
                removalsOfChildren: tables.children(of: table).map { TableSQL.removal(of: $0, with: table) })
        }
    }

    private static let statements = DerivedValueCache<TableStatements.Key, TableStatements>()
}
