import NephosStorage

/// Walks whole tables for a check. What cannot be read is a finding, never the end of the walk.
struct TableWalk {
    let connection: Connection
    var findings = Findings()
    private let progress: (Int, Int) -> Void
    private var done = 0
    private var total = 0

    /// - Parameter progress: Called with the number of rows looked at and how many there are in all.
    init(_ connection: Connection, progress: @escaping (Int, Int) -> Void) {
        self.connection = connection
        self.progress = progress
    }

    /// Says which tables will be walked.
    mutating func count(_ tables: [String]) throws(StorageError) {
        var count = 0
        for table in tables {
            try each(table, "SELECT count(*) FROM \(table)", isCounted: false) { cursor, _ throws(StorageError) in
                count += Int(cursor.int(0))
            }
        }
        total = count
        progress(done, total)
    }

    /// Shows every row of a statement to `judge`.
    ///
    /// - Parameter isCounted: These are rows of ``count(_:)``.
    mutating func each(
        _ table: String, _ sql: String, isCounted: Bool = true,
        _ judge: (borrowing Cursor, inout Findings) throws(StorageError) -> Void
    ) throws(StorageError) {
        do throws(StorageError) {
            var cursor = try connection.once(sql)
            while try cursor.next() {
                do throws(StorageError) { try judge(cursor, &findings) } catch {
                    guard case .corrupt(let what) = error else { throw error }
                    findings.add(table, "row \(cursor.string(0))/\(cursor.string(1)): \(what)")
                }
                guard isCounted else { continue }
                done += 1
                if done.isMultiple(of: 1_000) || done == total { progress(done, total) }
            }
        } catch {
            guard case .corrupt(let what) = error else { throw error }
            findings.add(table, "cannot be read to its end: \(what)")
        }
    }

    /// What SQLite itself says of its file.
    mutating func checkPages() throws(StorageError) {
        try each("file", "PRAGMA quick_check(20)", isCounted: false) { cursor, findings throws(StorageError) in
            let line = cursor.string(0)
            findings.expect(line == "ok", "file", line)
        }
    }
}
