/// Removes a person together with the head of their private database, once the database is empty. The head is removed
/// last because it counts the rows of the database.
struct PersonRemoval {
    let session: any UpkeepSession
    let user: UserRow
    let now: Milliseconds
    /// All tables of a tenant.
    let tables: [StoredTable]

    /// - Returns: Whether the person is removed; false if the database is not empty yet.
    func run() throws(StorageError) -> Bool {
        let database = user.privateDatabase
        try session.lock([database])
        // Another process may have removed the person before this one got the lock.
        guard let found = try session.rows(UserRow.keyed([user.id])).first else { return true }
        if try session.lockHead(database) != nil {
            guard try isEmpty(database) else { return false }
            try session.run(Self.removals.map { $0(.database(database)) })
            try session.removeHead(database)
            try session.apply(RowChange(LeftDatabaseRow(number: database, leftAt: now)))
        }
        try session.apply(RowChange(removing: found))
        return true
    }

    /// Whether the database has nothing but its head, its indexes, and zones that are not dead: these contain nothing
    /// that a person has stored, and are removed with the head.
    private func isEmpty(_ database: DatabaseNumber) throws(StorageError) -> Bool {
        let rest = [StoredTable.heads, .zones, .indexes].map(\.name)
        let others = tables.filter { $0.owner == .database && !rest.contains($0.name) }.map {
            SharedStatement("SELECT CAST(1 AS bigint) FROM \($0.name) WHERE db = $1 LIMIT 1")
        }
        var isEmpty = true
        try session.run((others + [Self.unswept]).map { $0(.database(database)) }) { _, _ in isEmpty = false }
        return isEmpty
    }

    private static let unswept = SharedStatement(
        "SELECT CAST(1 AS bigint) FROM zones WHERE db = $1 AND state = 1 LIMIT 1")
    private static let removals = ["zones", "indexes"].map { SharedStatement("DELETE FROM \($0) WHERE db = $1") }
}
