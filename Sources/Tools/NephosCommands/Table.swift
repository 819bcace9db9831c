/// A text table for people: a heading, and columns of the required width.
struct Table {
    let text: String

    init(_ heading: [String], _ rows: [[String]]) {
        let lines = ([heading] + rows).map { $0.map { $0.withoutControls() } }
        let widths = heading.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        text = lines.map { line in
            zip(line, widths).dropLast()
                .map { cell, width in cell + String(repeating: " ", count: width - cell.count + 2) }
                .joined() + (line.last ?? "")
        }.joined(separator: "\n")
    }
}

extension String {
    /// Replaces each control character with a symbol: stored data must not control a terminal.
    ///
    /// - Parameter kept: Control characters to keep.
    func withoutControls(but kept: String = "") -> String {
        func isBad(_ scalar: Unicode.Scalar) -> Bool {
            scalar.properties.generalCategory == .control && !kept.unicodeScalars.contains(scalar)
        }
        guard unicodeScalars.contains(where: isBad) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { isBad($0) ? "\u{FFFD}" : $0 }))
    }
}
