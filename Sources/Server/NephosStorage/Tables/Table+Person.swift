public import CloudKitWire

/// Finds the rows of a person in tables that are known only by their descriptions.
extension Table {
    /// ``person``, if it names a user of the tenant.
    package var user: String? { owner == .installation ? nil : person }

    /// Whether rows can be found by the value of a column: by the key, by an index over all databases, or in each database by its key.
    func isFound(by column: String) -> Bool { way(to: column) != nil }

    private enum Way { case index(String?), keyOfDatabases }

    private func way(to column: String) -> Way? {
        if key.first == column { return .index(nil) }
        if let index = indexes.first(where: { $0.columns.first == column && $0.condition == nil }) {
            return .index(index.name)
        }
        return owner == .database && key.dropFirst().first == column ? .keyOfDatabases : nil
    }

    /// - Parameter databases: The databases to search in if rows are found only by the key within a database.
    fileprivate func scans<Row: StoredRow>(
        _ column: String?, _ value: ColumnValue, in databases: [DatabaseNumber], limit: Int
    ) -> [Scan<Row>] {
        switch column.flatMap(way) {
        case .index(let name): [Scan(by: name, value, limit: limit, lock: .update)]
        case .keyOfDatabases: databases.map { Scan(.database($0), value, limit: limit, lock: .update) }
        case nil: []
        }
    }
}

extension StoredRow {
    /// Finds the rows that name a user, at most `limit` per scan.
    ///
    /// - Parameter databases: The person's own database, and those that everybody shares.
    public static func rows(of user: UserID, in databases: [DatabaseNumber], limit: Int) -> [Scan<Self>] {
        table.scans(table.user, .user(user), in: databases, limit: limit)
    }

    /// Finds the rows of the installation that name an account or have its address, at most `limit` per scan.
    ///
    /// - Parameter email: nil if it is no longer known.
    public static func rows(ofAccount account: String, _ email: String?, limit: Int) -> [Scan<Self>] {
        guard table.owner == .installation else { return [] }
        let named: [Scan<Self>] = table.scans(table.person, .text(account), in: [], limit: limit)
        return named + (email.map { table.scans(table.address, .text($0), in: [], limit: limit) } ?? [])
    }
}
