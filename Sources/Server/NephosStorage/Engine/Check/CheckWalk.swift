/// Iterates over whole tables for a check, in one snapshot. What cannot be read is a finding, and does not end the walk.
package protocol CheckWalk {
    associatedtype Answer: AnswerRow

    var report: WalkReport { get set }

    /// Passes every row of a table to `body`.
    ///
    /// - Parameters:
    ///   - database: Only records of this one; nil for all rows.
    ///   - key: Only rows after it, of a table whose rows come in the order of the key; nil for all.
    func rows(
        of table: AuditedTable, in database: DatabaseNumber?, after key: [ColumnValue]?,
        _ body: (Answer) throws(StorageError) -> Void
    ) throws(StorageError)

    /// The number of rows of a table.
    func count(_ table: StoredTable) throws(StorageError) -> Int64

    /// The migration steps that the store has done.
    func steps() throws(StorageError) -> Set<String>

    /// Sets a savepoint, so that a statement that fails does not end the snapshot.
    func put(_ mark: WalkMark)
}

/// The savepoint to which a walk returns if it cannot read on.
package enum WalkMark: String {
    case set = "SAVEPOINT walk"
    case back = "ROLLBACK TO SAVEPOINT walk"
    case release = "RELEASE SAVEPOINT walk"
}

extension CheckWalk {
    package var findings: Findings {
        get { report.findings }
        set { report.findings = newValue }
    }

    package func put(_ mark: WalkMark) {}

    /// Counts the rows of the tables to be walked.
    mutating func count(_ tables: TableSet) throws(StorageError) {
        var count: Int64 = 0
        for table in tables.stored {
            try keepingOn(table.name) { walk throws(StorageError) in count += try walk.count(table) }
        }
        report.begin(rows: Int(count))
    }

    /// Passes every row of a table to `judge`, with the position of its checksum. The related values follow after that.
    ///
    /// - Parameters:
    ///   - database: Only records of this database; nil for all rows.
    ///   - isCounted: Whether these rows are among those of ``count(_:)``.
    package mutating func each(
        _ table: AuditedTable, of database: DatabaseNumber? = nil, isCounted: Bool = true,
        _ judge: (Answer, Int32, inout Findings) throws(StorageError) -> Void
    ) throws(StorageError) {
        let (name, last) = (table.table.name, table.last)
        try keepingOn(name) { walk throws(StorageError) in
            try walk.rows(of: table, in: database, after: nil) { row throws(StorageError) in
                try walk.report.look(
                    at: name, table.table.label(row), isCounted: isCounted
                ) { findings throws(StorageError) in try judge(row, last, &findings) }
            }
        }
    }

    /// Continues after `body` if a table cannot be read to its end.
    package mutating func keepingOn(
        _ table: String, _ body: (inout Self) throws(StorageError) -> Void
    ) throws(StorageError) {
        put(.set)
        do throws(StorageError) {
            try body(&self)
        } catch {
            guard case .corrupt(let what) = error else { throw error }
            findings.add(table, "cannot be read completely: \(what)")
            put(.back)
        }
        put(.release)
    }
}

/// The findings of a walk, and its progress.
package struct WalkReport {
    package var findings = Findings()
    private let progress: (Int, Int) -> Void
    private var done = 0
    private var total = 0

    /// - Parameter progress: Called with the number of rows examined and the total number of rows.
    package init(progress: @escaping (Int, Int) -> Void = { _, _ in }) { self.progress = progress }

    /// Sets how many rows will be examined.
    mutating func begin(rows: Int) {
        total = rows
        progress(done, total)
    }

    /// Examines a row. A row that cannot be read is a finding.
    ///
    /// - Parameters:
    ///   - label: Names the row in messages.
    ///   - isCounted: Whether it is one of ``begin(rows:)``.
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
