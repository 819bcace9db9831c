/// Rows of text under a heading, printed in columns.
struct Table {
    private var rows: [[String]]

    init(_ heading: [String]) { rows = [heading] }

    mutating func add(_ row: [String]) { rows.append(row) }

    /// `sum / count` with one digit.
    static func ratio(_ sum: Int, _ count: Int) -> String {
        let tenths = sum * 10 / max(count, 1)
        return "\(tenths / 10).\(tenths % 10)"
    }

    func print() {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        for row in rows {
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            Swift.print(cells.joined(separator: "  "))
        }
    }
}
