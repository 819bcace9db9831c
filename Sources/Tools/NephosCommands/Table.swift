/// A table of text for people: a heading, columns as wide as they must be.
struct Table {
    let text: String

    init(_ heading: [String], _ rows: [[String]]) {
        let lines = [heading] + rows
        let widths = heading.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        text = lines.map { line in
            zip(line, widths).dropLast()
                .map { cell, width in cell + String(repeating: " ", count: width - cell.count + 2) }
                .joined() + (line.last ?? "")
        }.joined(separator: "\n")
    }
}
