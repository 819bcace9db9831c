/// The statements that write a described table, as an engine wants them.
package struct TableStatements: Sendable {
    package let insertion, change, removal: Statement
    /// Of what goes with a row.
    package let removalsOfChildren: [Statement]

    package init(insertion: String, change: String, removal: String, removalsOfChildren: [String]) {
        self.insertion = Statement(insertion)
        self.change = Statement(change)
        self.removal = Statement(removal)
        self.removalsOfChildren = removalsOfChildren.map { Statement($0) }
    }

    /// What tells them apart: a table, and the set whose tables may go with it.
    package struct Key: Hashable, Sendable {
        private let table: Int
        private let tables: ObjectIdentifier

        package init(_ table: Table, _ tables: TableSet) {
            self.table = table.number
            self.tables = ObjectIdentifier(tables)
        }
    }
}
