public import NephosStorage

/// Removes rows of a described table in batches, whatever feature it belongs to.
public struct RemoveRows<Row: StoredRow>: Sendable {
    private let scan: Scan<Row>
    private let databases: [DatabaseNumber]

    /// - Parameter found: What the scan has found, for the databases of the rows.
    public init(_ scan: Scan<Row>, _ found: [Row]) {
        self.scan = scan
        databases = Set(found.compactMap(\.database)).sorted()
    }

    public var reading: ReadSet {
        var set = ReadSet()
        set.databases = databases
        set.ask(scan)
        return set
    }

    /// Rows that were added meanwhile in other databases are found the next time.
    public func decide(_ reading: Reading) -> Decision<Void> {
        let there = Set(reading.databases.compactMap { $0?.database })
        var set = WriteSet()
        for row in reading[scan] where row.database.map(there.contains) ?? true { set.remove(row) }
        return .write(set, ())
    }
}

/// Deletes events of a database that nobody needs to be notified of any more, with their records, in batches.
public struct ForgetEvents: Sendable {
    private let database: DatabaseNumber
    private let oldest: Scan<ChangeEventRow>

    public init(of database: DatabaseNumber, limit: Int) {
        self.database = database
        oldest = ChangeEventRow.oldest(in: database, limit: limit)
    }

    public var reading: ReadSet {
        var set = ReadSet()
        set.databases = [database]
        set.ask(oldest)
        return set
    }

    /// Returns how many were deleted.
    public func decide(_ reading: Reading) -> Decision<Int> {
        var set = WriteSet()
        for event in reading[oldest] { set.markNotified(event) }
        return .write(set, reading[oldest].count)
    }
}
