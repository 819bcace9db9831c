package import NephosStorage

/// Readings for tests without a store.
extension Reading {
    /// Fills in the results of all scans of one table in a read set.
    package mutating func answerAll<Row: StoredRow>(_ set: ReadSet, _ rows: (Scan<Row>) -> [Row]) {
        for case let scan as Scan<Row> in set.scans { self[scan] = rows(scan) }
    }

    /// Fills in empty results for all scans of described tables in a read set.
    package mutating func answerNothing(_ set: ReadSet) {
        for scan in set.scans { answerNothing(scan) }
    }

    private mutating func answerNothing(_ scan: some AnyScan) { self[scan.scan] = [] }
}
