package import NephosStorage

/// The tables of an engine, for tests that change them directly, in the SQL dialect of its database.
package protocol StoredTables: Sendable {
    /// Opens an engine on them, with the tables of the server and those passed at creation.
    func open() throws -> any StorageEngine
    /// Opens an engine that knows these tables.
    func open(_ tables: TableSet) throws -> any StorageEngine
    /// Runs statements on the tables of a tenant, or on those of accounts and containers.
    func run(_ statements: [String], in place: StoredPlace) throws
    /// The single number that a query on a tenant's tables returns.
    func number(_ query: String) throws -> Int64?
    /// The columns of a tenant's table, with their types.
    func columnTypes(of table: String) throws -> [(name: String, type: String)]
    /// The type of a described column.
    func type(_ column: Column) -> String
    /// The columns that the engine derives from others of the row, with their expressions.
    func derivedColumns(in table: String, of value: (String) -> String) -> [String: String]
    /// The table that records a store's completed migration steps.
    var migrations: String { get }

    /// A condition: whether a row of the table is of ``Tenant/conformance``.
    func isOfTenant(_ table: String) -> String
    /// An expression whose value differs from the one in this column.
    func another(_ column: String, of table: String) throws -> String
    /// Statements after which every row written to a table decrements the only number of the table `faults`, and fails, with its
    /// statement, if it is zero.
    func failing(_ table: String) -> [String]
    /// A literal of bytes.
    func literal(hexadecimal digits: String) -> String
}

/// The owner of tables.
package enum StoredPlace: Sendable, CaseIterable {
    case tenant, directory
}

extension StoredPlace {
    /// The tables, with the unique key of each one's rows.
    package var keys: [String: String] {
        switch self {
        case .directory: ["accounts": "id", "containers": "id", "meta": "id"]
        case .tenant:
            Dictionary(
                uniqueKeysWithValues: [("catalog", "container")]
                    + TableSet.server.stored.map { ($0.name, $0.key.map(\.name).joined(separator: ", ")) })
        }
    }
}

extension StoredTables {
    package func derivedColumns(in table: String, of value: (String) -> String) -> [String: String] { [:] }

    func columns(of table: String) throws -> [String] { try columnTypes(of: table).map(\.name) }

    /// A literal of these bytes.
    func literal(_ bytes: [UInt8]) -> String {
        literal(hexadecimal: bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
    }

    /// Changes the last row of a table.
    func update(_ table: String, _ column: String, to value: String) throws {
        try run(["UPDATE \(table) SET \(column) = \(value) WHERE \(isLast(in: table))"], in: .tenant)
    }

    /// Removes the last row of a table.
    func removeLast(of table: String) throws {
        try run(["DELETE FROM \(table) WHERE \(isLast(in: table))"], in: .tenant)
    }

    /// Adds a row like the last one of its table, except for some columns and those derived from them.
    func add(_ row: AddedRow) throws {
        let columns = try columns(of: row.table)
        let made = derivedColumns(in: row.table) { row.values[$0] ?? $0 }
        let values = columns.map { made[$0] ?? row.values[$0] ?? $0 }.joined(separator: ", ")
        let sql = "SELECT \(values) FROM \(row.table) WHERE \(isLast(in: row.table))"
        try run(["INSERT INTO \(row.table) (\(columns.joined(separator: ", "))) \(sql)"], in: .tenant)
    }

    private func isLast(in table: String) -> String {
        let key = StoredPlace.tenant.keys[table] ?? "db"
        let order = key.split(separator: ",").map { "\($0) DESC" }.joined(separator: ", ")
        let owner = isOfTenant(table)
        return "\(owner) AND (\(key)) = (SELECT \(key) FROM \(table) WHERE \(owner) ORDER BY \(order) LIMIT 1)"
    }

    // MARK: Restoring

    /// Copies every table, to be restored by ``mend(_:)``.
    func keep() throws {
        for place in StoredPlace.allCases {
            try run(place.keys.keys.sorted().map { "CREATE TABLE kept_\($0) AS SELECT * FROM \($0)" }, in: place)
        }
    }

    func mend(_ place: StoredPlace) throws {
        let tables = place.keys.keys.sorted()
        try run(tables.flatMap { ["DELETE FROM \($0)", "INSERT INTO \($0) SELECT * FROM kept_\($0)"] }, in: place)
    }
}
