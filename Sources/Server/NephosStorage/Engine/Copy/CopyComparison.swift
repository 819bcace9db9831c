/// What a store and its copy have, table by table, those of all tenants together.
package struct CopyComparison: Sendable {
    /// In the order in which they were met.
    package private(set) var tables: [(name: String, rows: Int)] = []
    /// Tables in which the two are not the same, with their places.
    package private(set) var differences: [String] = []
    /// Tables with rows whose secrets no key opens, and how many.
    package private(set) var closed: [String: Int] = [:]

    /// Sums of the source's tables that no digest counts, by ``CopyComparison/key(_:_:)``.
    private var uncounted: [String: TableSum] = [:]

    package init() {}

    package var rows: Int { tables.reduce(0) { $0 + $1.rows } }

    private static func key(_ table: CopiedTable, _ place: String) -> String { "\(table.name) of \(place)" }

    /// Whether a table of the source is still what was compared; true for one that digests count.
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
