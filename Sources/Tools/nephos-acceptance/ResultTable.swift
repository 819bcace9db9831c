import NephosTesting

/// The table at the end of a run.
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
        return TextTable.text(of: rows, left: [0, 4])
    }
}
