/// The result of comparing a store with its copy, by table; rows of the same table in all tenants are added up.
package struct CopyComparison: Sendable {
    /// The tables with the number of their rows in the copy, in the order in which they were compared.
    package private(set) var tables: [(name: String, rows: Int)] = []
    /// Descriptions of the tables that differ, with the tenant or directory that they belong to.
    package private(set) var differences: [String] = []
    /// The number of rows with secrets that no key opens, by table.
    package private(set) var closed: [String: Int] = [:]

    /// The sums of the source's tables that no digest covers, by ``CopyComparison/key(_:_:)``.
    private var uncounted: [String: TableSum] = [:]

    package init() {}

    package var rows: Int { tables.reduce(0) { $0 + $1.rows } }

    private static func key(_ table: CopiedTable, _ place: String) -> String { "\(table.name) of \(place)" }

    /// Whether a table of the source still has the sum that was compared. Always true for a table that digests cover.
    func agrees(_ table: CopiedTable, in place: String, _ sum: () throws(StorageError) -> TableSum) throws(StorageError)
        -> Bool
    {
        guard let known = uncounted[Self.key(table, place)] else { return true }
        return try sum() == known
    }

    mutating func note(_ source: TableSum, _ copy: TableSum, of copied: CopiedTable, in place: String) {
        let table = copied.name
        if !copied.isInDigest { uncounted[Self.key(copied, place)] = source }
        if source != copy {
            differences.append("\(table) of \(place): \(source.rows) rows, but \(copy.rows) in the copy")
        }
        if copy.closed > 0 { closed[table, default: 0] += copy.closed }
        if let known = tables.firstIndex(where: { $0.name == table }) {
            tables[known].rows += copy.rows
        } else {
            tables.append((table, copy.rows))
        }
    }
}
