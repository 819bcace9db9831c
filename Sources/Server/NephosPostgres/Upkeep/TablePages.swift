import NephosStorage

/// Reads a whole table, or a tenant's part of it, for a check: page by page, in the order of the key, so that no result is
/// large and no statement takes long.
struct TablePages {
    private let table: AuditedTable
    private let owners: Range<Int64>
    private let columns: String

    /// - Parameter owners: The owners of a tenant's rows, or one of its databases.
    init(_ table: AuditedTable, of owners: Range<Int64>) {
        self.table = table
        self.owners = owners
        columns = table.selection(TableDialect(tenantBits: TenantNumber.databaseBits))
    }

    var first: Call {
        switch table.table.owner {
        case .database: Call(page("db < $1 AND db >= $2"), owners.upperBound, owners.lowerBound)
        case .tenant: Call(page("tenant = $1"), owners.lowerBound)
        case .installation: Call(page(key.map { "\($0.name) >= \($0.least)" }.joined(separator: " AND ")))
        }
    }

    /// - Parameter last: The last row of the previous page.
    func next(after last: Row) -> Call {
        var call = callAfterKey
        for (place, column) in zip(Int32(0)..., key) {
            switch column.kind {
            case .database, .int: call.values.add(last.int(place))
            case .user, .text, .utf8, .bytes: call.values.add(bytes: last.raw(place))
            }
        }
        return call
    }

    /// - Parameters:
    ///   - last: The key of a row, which need not be there.
    ///   - tenant: Whose databases it names.
    func next(after last: [ColumnValue], _ tenant: TenantNumber) throws(StorageError) -> Call {
        var call = callAfterKey
        for value in last { try call.values.add(value, tenant) }
        return call
    }

    /// Without the values of the key that its rows come after.
    private var callAfterKey: Call {
        switch table.table.owner {
        case .database: Call(page("db < $1 AND \(isAfter(parameter: 2))"), owners.upperBound)
        case .tenant: Call(page("tenant = $1 AND \(isAfter(parameter: 2))"), owners.lowerBound)
        case .installation: Call(page(isAfter(parameter: 1)))
        }
    }

    /// SQL that is true for rows after a key, which is in the parameters from this number on.
    private func isAfter(parameter first: Int) -> String {
        let values = key.indices.map { "$\(first + $0)" }.joined(separator: ", ")
        return key.count == 1 ? "\(keyList) > \(values)" : "(\(keyList)) > (\(values))"
    }

    private var key: [Column] { table.table.key }
    private var keyList: String { key.map(\.name).joined(separator: ", ") }

    // MARK: Statements

    private func page(_ condition: String) -> Statement { .kept(sql(where: condition)) }

    private func sql(where condition: String) -> String {
        let name = table.table.name
        // With the table's name, since subqueries among the columns may have the same names.
        let order = "ORDER BY \(key.map { "\(name).\($0.name)" }.joined(separator: ", "))"
        let end = "\(order) LIMIT \(pageRows)"
        guard !table.long.isEmpty else { return "SELECT \(columns) FROM \(name) WHERE \(condition) \(end)" }
        // Of a column with nothing in it there is no length, and a row without one would be on no page.
        let bytes = table.long.map { "coalesce(octet_length(\($0)), 0)" }.joined(separator: " + ")
        return """
            SELECT \(columns) FROM (
                SELECT *, sum(\(bytes)) OVER (ORDER BY \(keyList) ROWS UNBOUNDED PRECEDING) - (\(bytes)) AS before
                FROM (SELECT * FROM \(name) WHERE \(condition) \(end)) AS page
            ) AS \(name)
            WHERE before < \(pageBytes) \(order)
            """
    }
}

extension Column {
    /// SQL of the lowest value. With a lower bound in every page, every page is read from a key on.
    fileprivate var least: String {
        switch kind {
        case .database, .int: "\(Int64.min)"
        case .user, .text, .utf8, .bytes: "''"
        }
    }
}

/// Maximum number of rows of a page, and of bytes of their values, plus one row.
private let pageRows = 500
private let pageBytes = 4 << 20
