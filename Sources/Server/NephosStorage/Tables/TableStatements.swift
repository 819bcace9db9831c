/// The statements that write a described table, in the form of an engine.
package struct TableStatements: Sendable {
    package let insertion, change, removal: Statement
    /// Remove the rows that are removed with a row.
    package let removalsOfChildren: [Statement]

    package init(insertion: String, change: String, removal: String, removalsOfChildren: [String]) {
        self.insertion = Statement(insertion)
        self.change = Statement(change)
        self.removal = Statement(removal)
        self.removalsOfChildren = removalsOfChildren.map { Statement($0) }
    }

    /// The key of a cache: a table, and the set of tables whose rows may be removed with its rows.
    package struct Key: Hashable, Sendable {
        private let table: Int
        private let tables: ObjectIdentifier

        package init(_ table: Table, _ tables: TableSet) {
            self.table = table.number
            self.tables = ObjectIdentifier(tables)
        }
    }
}
