/// Iterates over whole tables for a check, in one snapshot. Rows and tables that cannot be read are findings, and do
/// not end the walk.
package protocol CheckWalk {
    associatedtype Answer: AnswerRow

    var report: WalkReport { get set }

    /// Passes every row of a table to `body`.
    ///
    /// - Parameters:
    ///   - database: The database whose rows are passed; nil for all rows.
    ///   - key: The key after which rows are passed, for a table whose rows are read in the order of the key; nil for
    ///     all.
    func rows(
        of table: AuditedTable, in database: DatabaseNumber?, after key: [ColumnValue]?,
        _ body: (Answer) throws(StorageError) -> Void
    ) throws(StorageError)

    /// Returns the number of rows of a table.
    func count(_ table: StoredTable) throws(StorageError) -> Int64

    /// Returns the migration steps that the store has done.
    func steps() throws(StorageError) -> Set<String>

    /// Sets, returns to, or releases a savepoint, so that a statement that fails does not end the snapshot.
    func put(_ mark: WalkMark)
}

/// An operation on the savepoint to which a walk returns if a table cannot be read.
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

    /// Passes every row of a table to `judge`, with the position of its checksum, which the related values follow.
    ///
    /// - Parameters:
    ///   - database: The database whose rows are passed; nil for all rows.
    ///   - isCounted: Whether these rows are among those that ``count(_:)`` counts.
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

    /// Calls `body`. If it throws ``StorageError/corrupt(_:)``, adds a finding that the table cannot be read
    /// completely, and returns.
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

    /// Sets the number of rows that will be examined.
    mutating func begin(rows: Int) {
        total = rows
        progress(done, total)
    }

    /// Examines a row. A row that cannot be read is a finding.
    ///
    /// - Parameters:
    ///   - label: The name of the row in messages.
    ///   - isCounted: Whether the row is among those of ``begin(rows:)``.
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
