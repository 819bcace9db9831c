package import NephosStorage

/// Readings of tests that have no store.
extension Reading {
    /// Answers whatever a read set asks of one table.
    package mutating func answerAll<Row: StoredRow>(_ set: ReadSet, _ rows: (Scan<Row>) -> [Row]) {
        for case let scan as Scan<Row> in set.scans { self[scan] = rows(scan) }
    }

    /// Answers that nothing was found, whatever a read set asks of described tables.
    package mutating func answerNothing(_ set: ReadSet) {
        for scan in set.scans { answerNothing(scan) }
    }

    private mutating func answerNothing(_ scan: some AnyScan) { self[scan.scan] = [] }
}
