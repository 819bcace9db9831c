import NephosStorage

/// A statement over a whole table, or the part of it that is a tenant's: page by page, in the order of the key, so that
/// no answer is large and none takes long.
struct PagedTable: Sendable {
    let table: StoredTable
    private let first: Statement
    private let next: Statement
    /// Where the columns of the key stand in a row.
    private let places: [Int32]

    /// - Parameters:
    ///   - columns: What to select, the columns of the key (``StoredTable/key``) among them.
    ///   - places: Where those stand; nil for first of all.
    ///   - bytes: SQL for how long the values of a row are, where they may be long.
    init(_ table: StoredTable, _ columns: String, keyAt places: [Int32]? = nil, bytes: String? = nil) {
        self.table = table
        self.places = places ?? table.key.indices.map { Int32($0) }
        let owner = table.ownerColumn
        let behind = table.isBehind(parameter: owner == nil ? 1 : 2)
        let isFirst =
            switch table.owner {
            case .database: "db < $1 AND db >= $2"
            case .tenant: "tenant = $1"
            case .directory: table.key.map { "\($0.name) >= \($0.least)" }.joined(separator: " AND ")
            }
        let isNext =
            switch table.owner {
            case .database: "db < $1 AND \(behind)"
            case .tenant: "tenant = $1 AND \(behind)"
            case .directory: behind
            }
        first = Statement(Self.sql(table, columns, where: isFirst, bytes))
        next = Statement(Self.sql(table, columns, where: isNext, bytes))
    }

    /// The rows of a described table, each with its checksum, the sequence of its database, and whether there is the user whose
    /// it is and the row with which it goes.
    init(_ table: Table) {
        let (name, stored) = (table.name, StoredTable(table))
        let head = table.owner == .database ? "(SELECT h.seq FROM heads AS h WHERE h.db = \(name).db)" : "0::bigint"
        let tenant = table.owner == .database ? "\(name).db / \(TenantNumber.databases)" : "\(name).tenant"
        let home =
            table.isAtHome
            ? "\(name).db = u.tenant * \(TenantNumber.databases) + CASE u.private_db WHEN 0 THEN 1 ELSE u.private_db END"
            : "true"
        let person = table.person.map { column in
            """
            (SELECT \(home) FROM users AS u WHERE u.tenant = \(tenant) AND u.id = \(name).\(column))
            """
        }
        let parent = table.parent.map { parent in
            let same = zip(parent.columns, parent.own).map { "p.\($0) = \(name).\($1)" }.joined(separator: " AND ")
            return "(SELECT true FROM \(parent.table) AS p WHERE \(same))"
        }
        let long = table.columns.filter { ![.database, .int, .user].contains($0.kind) }
        self.init(
            stored,
            (table.columns.map(\.name) + ["checksum", head, person ?? "true", parent ?? "true"])
                .joined(separator: ", "),
            bytes: long.isEmpty ? nil : long.map { "octet_length(\($0.name))" }.joined(separator: " + "))
    }

    private static func end(_ table: StoredTable) -> String { "\(order(table)) LIMIT \(pageRows)" }

    /// With the table's name, since subqueries among the columns may be called the same.
    private static func order(_ table: StoredTable) -> String {
        "ORDER BY \(table.key.map { "\(table.name).\($0.name)" }.joined(separator: ", "))"
    }

    private static func sql(
        _ table: StoredTable, _ columns: String, where condition: String, _ bytes: String?
    ) -> String {
        guard let bytes else { return "SELECT \(columns) FROM \(table.name) WHERE \(condition) \(end(table))" }
        return """
            SELECT \(columns) FROM (
                SELECT *, sum(\(bytes)) OVER (ORDER BY \(table.keyList) ROWS UNBOUNDED PRECEDING) - (\(bytes)) AS before
                FROM (SELECT * FROM \(table.name) WHERE \(condition) \(end(table))) AS page
            ) AS \(table.name)
            WHERE before < \(pageBytes) \(order(table))
            """
    }

    // MARK: Pages

    func firstPage(of tenant: TenantNumber) -> Call {
        Call(first) { addOwner(tenant, isFirst: true, to: &$0) }
    }

    /// - Parameter last: The last row of the page before.
    func nextPage(of tenant: TenantNumber, after last: Row) -> Call {
        Call(next) {
            addOwner(tenant, isFirst: false, to: &$0)
            for (column, place) in zip(table.key, places) {
                switch column.kind {
                case .database, .number: $0.add(last.int(place))
                case .name, .text, .id: $0.add(bytes: last.raw(place))
                }
            }
        }
    }

    private func addOwner(_ tenant: TenantNumber, isFirst: Bool, to values: inout Values) {
        switch table.owner {
        case .database:
            values.add(tenant.range.upperBound)
            if isFirst { values.add(tenant.range.lowerBound) }
        case .tenant: values.add(tenant.value)
        case .directory: break
        }
    }

    /// Names a row for people, by its key.
    func label(_ row: Row, of tenant: TenantNumber) -> String {
        let parts = zip(table.key, places).map { column, place in
            switch column.kind {
            case .database: "\(tenant.database(row.int(place)))"
            case .number: "\(row.int(place))"
            case .name, .text: row.string(place)
            case .id: row.raw(place).prefix(4).map { String($0, radix: 16) }.joined(separator: ".") + "…"
            }
        }
        return "row \(parts.joined(separator: "/"))"
    }
}

extension StoredTable {
    fileprivate var keyList: String { key.map(\.name).joined(separator: ", ") }

    /// SQL that is true for rows behind a key, which stands in the parameters from a number on.
    fileprivate func isBehind(parameter first: Int) -> String {
        let values = key.indices.map { "$\(first + $0)" }.joined(separator: ", ")
        return key.count == 1 ? "\(keyList) > \(values)" : "(\(keyList)) > (\(values))"
    }
}

extension StoredTable.Column {
    /// SQL of a value that no other is below. Where every page has a lower bound every page is read from a key on.
    fileprivate var least: String {
        switch kind {
        case .database, .number: "\(Int64.min)"
        case .name, .text, .id: "''"
        }
    }
}

/// Rows of a page, and bytes of their values, plus one row.
private let pageRows = 500
private let pageBytes = 4 << 20
