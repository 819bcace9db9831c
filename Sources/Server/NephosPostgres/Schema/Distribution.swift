/// How the tables lie on a PostgreSQL that spreads them over nodes (the extension `citus`). docs/scaling.md shows these
/// statements.
///
/// Tables with the column `db` are cut by it and lie together, so that all of a person is on one node. Every node has all of
/// the others: they are small, read often and written seldom.
enum Distribution {
    /// Whether the database spreads tables: a value of type `boolean`.
    static let isThere = "EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')"

    /// Everything, with the list of migrations first.
    static func statements(_ migrations: Migrations) -> [String] {
        [statement(MadeTable(name: "migrations", isOfDatabases: false))] + statements(migrations.steps)
    }

    /// Of tables that these steps make, in the order in which they are made. Heads come first of those with `db`.
    static func statements(_ steps: [Migration]) -> [String] { steps.flatMap(\.tables).map(statement) }

    private static func statement(_ table: MadeTable) -> String {
        guard table.isOfDatabases else { return "SELECT create_reference_table('\(table.name)')" }
        let place = table.name == "heads" ? "" : ", colocate_with => 'heads'"
        return "SELECT create_distributed_table('\(table.name)', 'db'\(place))"
    }
}

/// A table that a step makes.
struct MadeTable: Equatable {
    let name: String
    /// It has the column `db`.
    let isOfDatabases: Bool
}

extension Migration {
    /// The tables that it makes.
    var tables: [MadeTable] {
        sql.matches(of: #/CREATE TABLE (?<name>\w+) \((?<columns>[^;]*)/#).map { made in
            MadeTable(name: String(made.name), isOfDatabases: made.columns.contains(#/\bdb bigint\b/#))
        }
    }
}
