/// What a store and its copy have, table by table, those of all tenants together.
package struct CopyComparison: Sendable {
    /// In the order in which they were met.
    package private(set) var tables: [(name: String, rows: Int)] = []
    /// Tables in which the two are not the same, with their places.
    package private(set) var differences: [String] = []
    /// Tables with rows whose secrets no key opens, and how many.
    package private(set) var closed: [String: Int] = [:]

    package init() {}

    package var rows: Int { tables.reduce(0) { $0 + $1.rows } }

    mutating func note(_ source: TableSum, _ copy: TableSum, of table: String, in place: String) {
        if source != copy {
            differences.append("\(table) of \(place): \(source.rows) rows, and \(copy.rows) in the copy")
        }
        if copy.closed > 0 { closed[table, default: 0] += copy.closed }
        if let known = tables.firstIndex(where: { $0.name == table }) {
            tables[known].rows += copy.rows
        } else {
            tables.append((table, copy.rows))
        }
    }
}
