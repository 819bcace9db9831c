import NephosRunner

/// A text table for people: a heading, and columns of the required width.
struct Table {
    let text: String

    init(_ heading: [String], _ rows: [[String]]) {
        let lines = ([heading] + rows).map { $0.map { $0.printable() } }
        let widths = heading.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        text = lines.map { line in
            zip(line, widths).dropLast()
                .map { cell, width in cell + String(repeating: " ", count: width - cell.count + 2) }
                .joined() + (line.last ?? "")
        }.joined(separator: "\n")
    }
}
