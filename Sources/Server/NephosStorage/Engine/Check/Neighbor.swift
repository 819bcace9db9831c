/// A value in another table that is related to a row, for a check. It is found by an index.
struct Neighbor: Sendable {
    enum Value: Sendable {
        /// The value of a column in the only matching row; null if there is no such row.
        case column(String)
        /// The maximum of a column in all matching rows; null if there is no such row.
        case greatest(String)
        /// 1 if there is a matching row, otherwise null.
        case presence
        /// The number of matching rows.
        case count
        /// 1 if the row itself is stored under the key that its columns determine. Needs no other row.
        case ownKey
    }

    /// Columns of the other table, each with the column of this table that must be equal to it. `db` may be compared
    /// with a column that contains the number of a database within its tenant.
    typealias Same = KeyValuePairs<String, String>

    /// The placeholder for the number of a user's home database: the private one, or the public one for a server key.
    static let home = "home"

    let value: Value
    let table: StoredTable
    let same: [(there: String, here: String)]
    /// An additional condition that the other row must meet, in SQL.
    let condition: String?

    init(_ value: Value, of table: StoredTable, _ same: Same, where condition: String? = nil) {
        self.value = value
        self.table = table
        self.same = same.map { ($0.key, $0.value) }
        self.condition = condition
    }

    /// Whether there is a matching row.
    static func presence(of table: StoredTable, _ same: Same) -> Neighbor { Neighbor(.presence, of: table, same) }

    /// A column of the head of the row's database.
    static func head(_ column: String) -> Neighbor { Neighbor(.column(column), of: .heads, ["db": "db"]) }

    /// A column of the row's zone.
    static func zone(_ column: String, where condition: String? = nil) -> Neighbor {
        Neighbor(.column(column), of: .zones, ["db": "db", "zone_no": "zone_no"], where: condition)
    }

    // MARK: SQL

    /// Returns the value as an SQL expression.
    ///
    /// - Parameter here: The table to whose rows the value is related.
    func sql(around here: StoredTable, _ dialect: TableDialect) -> String {
        let conditions = conditions(here, dialect)
        let source =
            "FROM \(table.name) AS o" + (conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))")
        switch value {
        case .column(let column): return "(SELECT o.\(column) \(source))"
        case .greatest(let column): return "(SELECT max(o.\(column)) \(source))"
        case .presence: return "(SELECT CAST(1 AS bigint) \(source) LIMIT 1)"
        case .count: return "(SELECT count(*) \(source))"
        case .ownKey:
            guard let key = dialect.recordKey else { return "CAST(1 AS bigint)" }
            return "(\(here.name).id = \(key("\(here.name).db", "\(here.name).record_no")))"
        }
    }

    private func conditions(_ here: StoredTable, _ dialect: TableDialect) -> [String] {
        var (conditions, same) = ([String](), same)
        if table.owner == .tenant, dialect.tenantBits != nil {
            conditions.append("o.tenant = \(dialect.tenant(of: here, here.name))")
        }
        if table.name == "records", let key = dialect.recordKey, same.contains(where: { $0.there == "record_no" }) {
            conditions.append("o.id = \(key("\(here.name).db", "\(here.name).record_no"))")
            same.removeAll { $0.there == "db" || $0.there == "record_no" }
        }
        conditions += same.map { pair in
            let home = "CASE o.private_db WHEN 0 THEN 1 ELSE o.private_db END"
            let there = pair.there == Self.home ? home : "o.\(pair.there)"
            let left = pair.here == "db" ? dialect.database(there, pair.there, of: table, "o") : there
            let own = "\(here.name).\(pair.here)"
            return "\(left) = \(pair.there == "db" ? dialect.database(own, pair.here, of: here, here.name) : own)"
        }
        return conditions + (condition.map { ["o.\($0)"] } ?? [])
    }
}

/// The way in which the tables of an engine identify the owner of a row.
package struct TableDialect: Sendable {
    /// If all tenants share tables, the number of lower bits of `db` above which it contains the number of the tenant;
    /// tables of tenants then have the column `tenant`. nil if each tenant has its own tables.
    let tenantBits: Int64?
    /// Returns the key of a record in SQL, from SQL for its database and its number; nil if the key consists of these
    /// two.
    let recordKey: (@Sendable (String, String) -> String)?

    package init(tenantBits: Int64? = nil, recordKey: (@Sendable (String, String) -> String)? = nil) {
        self.tenantBits = tenantBits
        self.recordKey = recordKey
    }

    fileprivate func tenant(of table: StoredTable, _ alias: String) -> String {
        table.owner == .tenant ? "\(alias).tenant" : "(\(alias).db >> \(tenantBits ?? 0))"
    }

    /// Returns the value of `db` for a database in SQL, from a column with the number of the database within its
    /// tenant.
    fileprivate func database(_ value: String, _ column: String, of table: StoredTable, _ alias: String) -> String {
        guard let tenantBits, column != "db" else { return value }
        return "(\(tenant(of: table, alias)) << \(tenantBits) | \(value))"
    }
}
