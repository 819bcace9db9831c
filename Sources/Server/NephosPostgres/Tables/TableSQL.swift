import NephosStorage

/// The statements of described tables in the SQL of PostgreSQL. The table has the alias `t`.
enum TableSQL {
    static func list(_ table: Table) -> String { table.columns.map { "t.\($0.name)" }.joined(separator: ", ") }

    /// Parameters: the owner (``range(_:)``), the fixed values, the tuple that bounds the rest or one array for each column
    /// of many tuples, and the limit.
    static func scan<Row: StoredRow>(_ scan: Scan<Row>, isForUpdate: Bool) -> String {
        let table = Row.table
        var parameters = Parameters()
        let columns = table.columns(of: scan.index)
        let rest = columns.dropFirst(scan.shape.fixed)
        var (source, conditions) = ("\(table.name) AS t", [String]())
        switch range(scan) {
        case .tenant: conditions.append("t.tenant = \(parameters.next())")
        case .index: conditions.append("t.db >> 40 = \(parameters.next())")
        case .databases: conditions += ["t.db >= \(parameters.next())", "t.db < \(parameters.next())"]
        case .database, .whole: break
        }
        if let condition = scan.index?.condition { conditions.append("t.\(condition)") }
        for column in columns.prefix(scan.shape.fixed) { conditions.append("t.\(column.name) = \(parameters.next())") }
        switch scan.shape.rest {
        case .all: break
        case .above(let count): conditions.append(bound(rest.prefix(count), ">", &parameters))
        case .below(let count): conditions.append(bound(rest.prefix(count), "<", &parameters))
        case .among(1):
            conditions += rest.prefix(1).map { "t.\($0.name) = ANY(\(parameters.next())::\(type($0))[])" }
        case .among(let count):
            let arrays = rest.prefix(count).map { "\(parameters.next())::\(type($0))[]" }
            let names = rest.prefix(count).map(\.name)
            source = "unnest(\(list(arrays))) AS k (\(list(names))) JOIN \(source)"
            source += " ON \(names.map { "t.\($0) = k.\($0)" }.joined(separator: " AND "))"
        }
        conditions += scan.shape.conditions.map { "t.\($0) \(parameters.next())" }
        var sql = "SELECT \(list(table)) FROM \(source)"
        if !conditions.isEmpty { sql += " WHERE \(conditions.joined(separator: " AND "))" }
        if !scan.order.isEmpty { sql += " ORDER BY \(list(scan.order.map { "t.\($0)" }))" }
        sql += " LIMIT \(parameters.next())"
        return isForUpdate ? sql + lock(scan.shape.lock) : sql
    }

    /// Where a scan finds the tenant's rows.
    enum Range {
        /// In a table of tenants.
        case tenant
        /// In an index of all databases, which begins with the number of the tenant.
        case index
        /// In the range from the first of its databases to the last.
        case databases
        /// In a table of the directory.
        case whole
        /// In the single database that the scan names, or in those of its tuples.
        case database
    }

    static func range<Row: StoredRow>(_ scan: Scan<Row>) -> Range {
        switch Row.table.owner {
        case .tenant: return .tenant
        case .installation: return .whole
        case .database: break
        }
        if Row.table.columns(of: scan.index).first?.kind != .database { return .index }
        if case .among = scan.shape.rest { return .database }
        return scan.shape.fixed == 0 ? .databases : .database
    }

    private static func lock(_ lock: RowLock) -> String {
        switch lock {
        case .none: ""
        case .update: " FOR UPDATE OF t"
        case .keyShare: " FOR KEY SHARE OF t"
        case .skipLocked: " FOR UPDATE OF t SKIP LOCKED"
        }
    }

    private static func bound(
        _ columns: some Collection<Column>, _ sign: String, _ parameters: inout Parameters
    ) -> String {
        let names = columns.map { "t.\($0.name)" }
        let values = columns.map { _ in parameters.next() }
        return names.count == 1
            ? "\(list(names)) \(sign) \(list(values))" : "(\(list(names))) \(sign) (\(list(values)))"
    }

    // MARK: Writing

    // The first parameter of each of these is the owner of the rows: the tenant, or the database. Tables of the installation have none.

    /// Parameters: the owner, an array for each other column, one of checksums, and for rows of a database their number.
    static func insertion(_ table: Table) -> String {
        var parameters = Parameters()
        let owner = table.owner.column.map { _ in parameters.next() }
        let names = (table.owner.column.map { [$0] } ?? []) + table.ownColumns.map(\.name) + ["checksum"]
        let arrays = rows(table.ownColumns, ["checksum"], "n", &parameters)
        let into = "INSERT INTO \(table.name) (\(list(names)))"
        guard let owner else { return "\(into) SELECT n.* FROM \(arrays)" }
        guard table.owner == .database else { return "\(into) SELECT \(owner)::bigint, n.* FROM \(arrays)" }
        // Joined with the head's row, as in ``BulkInsertion``; a writer here need not hold the head, so the number of rows is checked.
        return Guard.touching(
            parameters.next(),
            "\(into) SELECT h.db, n.* FROM heads AS h, \(arrays) WHERE h.db = \(owner) RETURNING 1")
    }

    /// Parameters: the owner, an array for each other column, one of checksums, one of the checksums that were read if the
    /// table is guarded, and the number of rows.
    static func change(_ table: Table) -> String {
        var parameters = Parameters()
        let owner = owner(table, &parameters)
        let others = table.columns.dropFirst(table.key.count).map(\.name) + ["checksum"]
        let before = table.isGuarded ? ["before"] : []
        let arrays = rows(table.ownColumns, ["checksum"] + before, "n", &parameters)
        let isAsRead = before.map { "t.checksum = n.\($0)" }.first ?? "true"
        return Guard.touching(
            parameters.next(),
            """
            UPDATE \(table.name) AS t SET \(list(others.map { "\($0) = n.\($0)" })) FROM \(arrays)
            WHERE \(owner)\(isSame(table, as: "n"))\(isAsRead) RETURNING 1
            """)
    }

    /// Parameters: the owner, an array for each other column of the key, one of checksums, and, if the table is guarded, the number of rows.
    static func removal(_ table: Table) -> String {
        var parameters = Parameters()
        let owner = owner(table, &parameters)
        let arrays = rows(table.ownKey, ["checksum"], "o", &parameters)
        let sql = "DELETE FROM \(table.name) AS t USING \(arrays) WHERE \(owner)\(isSame(table, as: "o"))"
        return table.isGuarded
            ? Guard.touching(parameters.next(), "\(sql)t.checksum = o.checksum RETURNING 1") : "\(sql)true"
    }

    /// Removes the rows that are removed with other rows. Parameters: those of ``removal(_:)`` except the last.
    static func removal(of child: Table, with table: Table) -> String {
        var parameters = Parameters()
        let owner = owner(table, &parameters)
        let arrays = rows(table.ownKey, ["checksum"], "o", &parameters)
        let own = (child.parent?.own ?? []).dropFirst(table.key.count - table.ownKey.count)
        let same = zip(own, table.ownKey).map { "t.\($0) = o.\($1.name)" }.joined(separator: " AND ")
        return "DELETE FROM \(child.name) AS t USING \(arrays) WHERE \(owner)\(same)"
    }

    private static func owner(_ table: Table, _ parameters: inout Parameters) -> String {
        table.owner.column.map { "t.\($0) = \(parameters.next()) AND " } ?? ""
    }

    private static func isSame(_ table: Table, as other: String) -> String {
        table.ownKey.map { "t.\($0.name) = \(other).\($0.name) AND " }.joined()
    }

    /// Arrays as rows, with columns of numbers after the others.
    private static func rows(
        _ columns: some Collection<Column>, _ numbers: [String], _ alias: String, _ parameters: inout Parameters
    ) -> String {
        let types = columns.map(type) + numbers.map { _ in "bigint" }
        let arrays = types.map { "\(parameters.next())::\($0)[]" }
        return "unnest(\(list(arrays))) AS \(alias) (\(list(columns.map(\.name) + numbers)))"
    }

    // MARK: Creation

    /// Creates a table, or adds columns to it, and indexes: statements that end with `;` and a newline.
    static func createStatements(_ step: TableStep) -> String {
        let table = step.table
        let owner = table.owner == .tenant ? ["tenant"] : []
        let indexes = step.indexes.map { index in
            let first = table.owner != .database ? owner : index.columns.first == "db" ? [] : ["(db >> 40)"]
            let condition = index.condition.map { " WHERE \($0)" } ?? ""
            let unique = index.isUnique ? "UNIQUE " : ""
            return
                "CREATE \(unique)INDEX \(index.name) ON \(table.name) (\(list(first + index.columns)))\(condition);\n"
        }
        let columns = step.columns.map { "\($0.name) \(type($0))\($0.isOptional ? "" : " NOT NULL")" }
        guard step.isFirst else {
            let added = zip(columns, step.columns).map { "ADD COLUMN \($0) DEFAULT \(nothing($1))" }
            return "ALTER TABLE \(table.name) \(list(added));\n" + indexes.joined()
        }
        let all =
            owner.map { "\($0) bigint NOT NULL" } + columns
            + ["checksum bigint NOT NULL", "PRIMARY KEY (\(list(owner + table.key)))"]
        let made = all.joined(separator: ",\n    ")
        guard table.owner != .installation else {
            return "CREATE TABLE \(table.name) (\n    \(made)\n);\n" + indexes.joined()
        }
        // Without it, the planner, which knows nothing of an empty table, expects only few rows per owner.
        let statistics = "ALTER TABLE \(table.name) ALTER COLUMN \(owner.first ?? "db") SET (n_distinct = 1);\n"
        return "CREATE TABLE \(table.name) (\n    \(made)\n);\n" + indexes.joined() + statistics
    }

    /// The value of a column in rows that are older than the column.
    private static func nothing(_ column: Column) -> String {
        switch column.kind {
        case .database, .int: "0"
        case .text: "''"
        case .user, .utf8, .bytes: "'\\x'"
        }
    }

    private static func list(_ parts: some Swift.Sequence<String>) -> String { parts.joined(separator: ", ") }

    static func type(_ column: Column) -> String {
        switch column.kind {
        case .database, .int: "bigint"
        case .user, .utf8, .bytes: "bytea"
        case .text: "text"
        }
    }

    /// Numbers parameters.
    private struct Parameters {
        private var last = 0

        mutating func next() -> String {
            last += 1
            return "$\(last)"
        }
    }
}

extension Table.Owner {
    /// The column that contains the owner of a row; nil in the directory.
    var column: String? {
        switch self {
        case .database: "db"
        case .tenant: "tenant"
        case .installation: nil
        }
    }
}

extension Table {
    /// The columns that a statement does not take from ``Table/Owner/column``.
    var ownColumns: ArraySlice<Column> { columns.dropFirst(owner == .database ? 1 : 0) }

    var ownKey: ArraySlice<Column> { columns.prefix(key.count).dropFirst(owner == .database ? 1 : 0) }
}
