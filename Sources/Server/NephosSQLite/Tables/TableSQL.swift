import NephosStorage

/// The statements of described tables in the SQL of SQLite.
enum TableSQL {
    static func list(_ table: Table) -> String { table.columns.map(\.name).joined(separator: ", ") }

    /// Parameters: the fixed values, the tuple that bounds the rest or one of many tuples, and the limit.
    static func scan<Row: StoredRow>(_ scan: Scan<Row>) -> String {
        let table = Row.table
        let columns = table.columns(of: scan.index).map(\.name)
        let fixed = columns.prefix(scan.shape.fixed)
        let rest = columns.dropFirst(scan.shape.fixed)
        var conditions = (scan.index?.condition).map { [$0] } ?? []
        conditions += fixed.map { "\($0) = ?" }
        switch scan.shape.rest {
        case .all: break
        case .above(let count): conditions.append(bound(rest.prefix(count), ">"))
        case .below(let count): conditions.append(bound(rest.prefix(count), "<"))
        case .among(let count): conditions += rest.prefix(count).map { "\($0) = ?" }
        }
        conditions += scan.shape.conditions.map { "\($0) ?" }
        var sql = "SELECT \(list(table)) FROM \(table.name)"
        if let index = scan.index, index.isNamedInFiles { sql += " INDEXED BY \(index.name)" }
        if !conditions.isEmpty { sql += " WHERE \(conditions.joined(separator: " AND "))" }
        if !scan.order.isEmpty { sql += " ORDER BY \(scan.order.joined(separator: ", "))" }
        return "\(sql) LIMIT ?"
    }

    static func bound(_ columns: some Collection<String>, _ sign: String) -> String {
        let list = columns.joined(separator: ", ")
        let values = columns.map { _ in "?" }.joined(separator: ", ")
        return columns.count == 1 ? "\(list) \(sign) \(values)" : "(\(list)) \(sign) (\(values))"
    }

    /// Parameters: all columns and the checksum.
    static func insertion(_ table: Table) -> String {
        insertion(into: table.name, table.columns.map(\.name) + ["checksum"])
    }

    /// Parameters: the columns.
    static func insertion(into table: String, _ columns: [String]) -> String {
        let values = columns.map { _ in "?" }.joined(separator: ",")
        return "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(values))"
    }

    /// Parameters: the columns, then those of the key.
    static func change(of table: String, _ columns: [String], key: [String]) -> String {
        let changes = columns.map { "\($0) = ?" }.joined(separator: ", ")
        return "UPDATE \(table) SET \(changes) WHERE \(key.map { "\($0) = ?" }.joined(separator: " AND "))"
    }

    /// Parameters: the columns that are not in the key, the checksum, the key, and, if the table is guarded, the checksum that was read.
    static func change(_ table: Table) -> String {
        change(of: table.name, changed(in: table), key: asRead(table))
    }

    /// The same without comparing the stored row: without the checksum that was read.
    static func replacement(_ table: Table) -> String { change(of: table.name, changed(in: table), key: table.key) }

    private static func changed(in table: Table) -> [String] {
        table.columns.dropFirst(table.key.count).map(\.name) + ["checksum"]
    }

    /// Parameters: the key, and, if the table is guarded, the checksum that was read.
    static func removal(_ table: Table) -> String {
        "DELETE FROM \(table.name) WHERE \(asRead(table).map { "\($0) = ?" }.joined(separator: " AND "))"
    }

    private static func asRead(_ table: Table) -> [String] {
        table.isGuarded ? table.key + ["checksum"] : table.key
    }

    /// Removes the rows that are removed with a row. Parameters: the key of that row.
    ///
    /// - Parameter key: The number of columns of that key.
    static func removal(of child: Table, key: Int) -> String {
        let columns = (child.parent?.own ?? []).prefix(key).map { "\($0) = ?" }
        return "DELETE FROM \(child.name) WHERE \(columns.joined(separator: " AND "))"
    }

    // MARK: Creation

    /// Creates a table, or adds columns to it, and indexes.
    static func createStatements(_ step: TableStep) -> String {
        let table = step.table
        let indexes = step.indexes.filter(\.isNamedInFiles).map { index in
            let condition = index.condition.map { " WHERE \($0)" } ?? ""
            let columns = index.columns.joined(separator: ", ")
            return
                "CREATE \(index.isUnique ? "UNIQUE " : "")INDEX \(index.name) ON \(table.name) (\(columns))\(condition);"
        }
        guard step.isFirst else {
            let columns = step.columns.map {
                "ALTER TABLE \(table.name) ADD COLUMN \($0.name) \(type($0)) NOT NULL DEFAULT \(nothing($0));"
            }
            return (columns + indexes).joined(separator: "\n")
        }
        let columns =
            step.columns.map { "\($0.name) \(type($0))\($0.isOptional ? "" : " NOT NULL")" }
            + ["checksum INTEGER NOT NULL"]
        let key = "PRIMARY KEY (\(table.key.joined(separator: ", ")))"
        let made = (columns + [key]).joined(separator: ",\n    ")
        return (["CREATE TABLE \(table.name) (\n    \(made)\n) STRICT, WITHOUT ROWID;"] + indexes).joined(
            separator: "\n")
    }

    /// The value of a column in rows that are older than the column.
    private static func nothing(_ column: Column) -> String {
        switch column.kind {
        case .database, .int: "0"
        case .text, .utf8: "''"
        case .user, .bytes: "x''"
        }
    }

    static func type(_ column: Column) -> String {
        switch column.kind {
        case .database, .int: "INTEGER"
        case .text, .utf8: "TEXT"
        case .user, .bytes: "BLOB"
        }
    }
}
