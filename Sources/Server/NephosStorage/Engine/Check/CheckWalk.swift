/// Walks whole tables for a check, in one snapshot. What cannot be read is a finding, never the end of the walk.
package protocol CheckWalk {
    associatedtype Answer: AnswerRow

    var report: WalkReport { get set }

    /// Shows every row of a table to `judge`.
    ///
    /// - Parameters:
    ///   - database: Only records of this one; nil for all rows.
    ///   - isCounted: The progress of the walk counts these rows.
    mutating func show(
        _ table: AuditedTable, of database: DatabaseNumber?, isCounted: Bool,
        _ judge: (Answer, inout Findings) throws(StorageError) -> Void
    ) throws(StorageError)
}

extension CheckWalk {
    package var findings: Findings {
        get { report.findings }
        set { report.findings = newValue }
    }

    /// Shows every row of a table to `judge`, with the place of its checksum. What stands around it comes after that.
    package mutating func each(
        _ table: AuditedTable, of database: DatabaseNumber? = nil, isCounted: Bool = true,
        _ judge: (Answer, Int32, inout Findings) throws(StorageError) -> Void
    ) throws(StorageError) {
        let last = table.last
        try show(table, of: database, isCounted: isCounted) { row, findings throws(StorageError) in
            try judge(row, last, &findings)
        }
    }
}

/// What a walk found, and how far it is.
package struct WalkReport {
    package var findings = Findings()
    private let progress: (Int, Int) -> Void
    private var done = 0
    private var total = 0

    /// - Parameter progress: Called with the number of rows looked at and how many there are in all.
    package init(progress: @escaping (Int, Int) -> Void = { _, _ in }) { self.progress = progress }

    /// Says how many rows will be looked at.
    package mutating func begin(rows: Int) {
        total = rows
        progress(done, total)
    }

    /// Looks at a row. One that cannot be read is a finding.
    ///
    /// - Parameters:
    ///   - label: Names the row for people.
    ///   - isCounted: It is one of ``begin(rows:)``.
    package mutating func look(
        at table: String, _ label: @autoclosure () -> String, isCounted: Bool,
        _ judge: (inout Findings) throws(StorageError) -> Void
    ) throws(StorageError) {
        do throws(StorageError) { try judge(&findings) } catch {
            guard case .corrupt(let what) = error else { throw error }
            findings.add(table, "\(label()): \(what)")
        }
        guard isCounted else { return }
        done += 1
        if done.isMultiple(of: 1_000) || done == total { progress(done, total) }
    }
}
