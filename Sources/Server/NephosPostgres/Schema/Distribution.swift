/// The distribution of the tables in a PostgreSQL that spreads them over nodes (the extension `citus`). docs/scaling.md shows
/// these statements.
///
/// Tables with the column `db` are distributed by it and colocated, so that all data of a person is on one node. The others
/// are copied to every node: they are small, read often and written rarely.
enum Distribution {
    /// Whether the database distributes tables: a value of type `boolean`.
    static let isThere = "EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')"

    /// The statements for all tables, with the list of migrations first.
    static func statements(_ migrations: Migrations) -> [String] {
        [statement(CreatedTable(name: "migrations", isOfDatabases: false))] + statements(migrations.steps)
    }

    /// The statements for tables that these steps create, in order of creation. Heads are first among those with `db`.
    static func statements(_ steps: [Migration]) -> [String] { steps.flatMap(\.tables).map(statement) }

    private static func statement(_ table: CreatedTable) -> String {
        guard table.isOfDatabases else { return "SELECT create_reference_table('\(table.name)')" }
        let place = table.name == "heads" ? "" : ", colocate_with => 'heads'"
        return "SELECT create_distributed_table('\(table.name)', 'db'\(place))"
    }
}

/// A table that a step creates.
struct CreatedTable: Equatable {
    let name: String
    /// Whether it has the column `db`.
    let isOfDatabases: Bool
}

extension Migration {
    /// The tables that it creates.
    var tables: [CreatedTable] {
        sql.matches(of: #/CREATE TABLE (?<name>\w+) \((?<columns>[^;]*)/#).map { made in
            CreatedTable(name: String(made.name), isOfDatabases: made.columns.contains(#/\bdb bigint\b/#))
        }
    }
}
