/// The table that a run ends with.
enum ResultTable {
    static func text(of findings: [Findings]) -> String {
        var rows = [["file", "types", "records", "queries", "left out", "mismatches"]]
        for finding in findings {
            rows.append([
                finding.file, "\(finding.types)", "\(finding.records)", "\(finding.queries)",
                finding.leftOut.joined(separator: ", "),
                "\(finding.mismatches.count)",
            ])
        }
        rows.append([
            "total", "\(findings.map(\.types).reduce(0, +))",
            "\(findings.map(\.records).reduce(0, +))", "\(findings.map(\.queries).reduce(0, +))", "",
            "\(findings.map(\.mismatches.count).reduce(0, +))",
        ])
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            row.indices.map { column in
                let space = String(repeating: " ", count: widths[column] - row[column].count)
                return column == 0 || column == 4 ? row[column] + space : space + row[column]
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }
}
