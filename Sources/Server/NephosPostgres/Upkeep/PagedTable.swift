import NephosStorage
import Synchronization

/// A statement over a whole table, or the part of it that is a tenant's: page by page, in the order of the key, so that
/// no answer is large and none takes long.
struct PagedTable: Sendable {
    let table: StoredTable
    private let first: Statement
    private let next: Statement

    /// - Parameters:
    ///   - columns: What to select, the columns of the key (``StoredTable/key``) first.
    ///   - bytes: SQL for how long the values of a row are, where they may be long.
    init(_ table: StoredTable, _ columns: String, bytes: String? = nil) {
        self.table = table
        let owner = table.owner.column
        let behind = table.isBehind(parameter: owner == nil ? 1 : 2)
        let isFirst =
            switch table.owner {
            case .database: "db < $1 AND db >= $2"
            case .tenant: "tenant = $1"
            case .installation: table.key.map { "\($0.name) >= \($0.least)" }.joined(separator: " AND ")
            }
        let isNext =
            switch table.owner {
            case .database: "db < $1 AND \(behind)"
            case .tenant: "tenant = $1 AND \(behind)"
            case .installation: behind
            }
        first = Statement(Self.sql(table, columns, where: isFirst, bytes))
        next = Statement(Self.sql(table, columns, where: isNext, bytes))
    }

    /// What a check reads of a table.
    static func of(_ table: AuditedTable) -> PagedTable {
        audited.withLock { known in
            if let pages = known[ObjectIdentifier(table)] { return pages.paged }
            let bytes = table.long.map { "octet_length(\($0))" }.joined(separator: " + ")
            let pages = PagedTable(
                table.table, table.selection(dialect), bytes: bytes.isEmpty ? nil : bytes)
            known[ObjectIdentifier(table)] = (table, pages)
            return pages
        }
    }

    /// With the tables, so that no other gets the identifier of one of them.
    private static let audited = Mutex<[ObjectIdentifier: (table: AuditedTable, paged: PagedTable)]>([:])
    private static let dialect = TableDialect(tenantBits: TenantNumber.databaseBits)

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

    /// - Parameter owners: Those of a tenant, or one of its databases.
    func firstPage(of owners: Range<Int64>) -> Call {
        Call(first) { add(owners, isFirst: true, to: &$0) }
    }

    /// - Parameter last: The last row of the page before.
    func nextPage(of owners: Range<Int64>, after last: Row) -> Call {
        Call(next) {
            add(owners, isFirst: false, to: &$0)
            for (place, column) in zip(Int32(0)..., table.key) {
                switch column.kind {
                case .database, .int: $0.add(last.int(place))
                case .user, .text, .utf8, .bytes: $0.add(bytes: last.raw(place))
                }
            }
        }
    }

    private func add(_ owners: Range<Int64>, isFirst: Bool, to values: inout Values) {
        switch table.owner {
        case .database:
            values.add(owners.upperBound)
            if isFirst { values.add(owners.lowerBound) }
        case .tenant: values.add(owners.lowerBound)
        case .installation: break
        }
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

extension Column {
    /// SQL of a value that no other is below. Where every page has a lower bound every page is read from a key on.
    fileprivate var least: String {
        switch kind {
        case .database, .int: "\(Int64.min)"
        case .user, .text, .utf8, .bytes: "''"
        }
    }
}

/// Rows of a page, and bytes of their values, plus one row.
private let pageRows = 500
private let pageBytes = 4 << 20
