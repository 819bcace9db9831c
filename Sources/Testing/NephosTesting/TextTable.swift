/// A text table for people.
package enum TextTable {
    /// - Parameters:
    ///   - rows: The heading first; all of the same length.
    ///   - left: Left-aligned columns; the others are right-aligned, like numbers.
    package static func text(of rows: [[String]], left: Set<Int>) -> String {
        guard let heading = rows.first else { return "" }
        let widths = heading.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            row.indices.map { column in
                let space = String(repeating: " ", count: widths[column] - row[column].count)
                return left.contains(column) ? row[column] + space : space + row[column]
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }
}
