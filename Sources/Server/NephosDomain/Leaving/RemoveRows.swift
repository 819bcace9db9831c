public import NephosStorage

/// Removes rows of a described table, some at a time, whatever feature it is of.
public struct RemoveRows<Row: StoredRow>: Sendable {
    private let scan: Scan<Row>
    private let databases: [DatabaseNumber]

    /// - Parameter found: What the scan has found, which says in which databases.
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

    /// Rows that came meanwhile in other databases are found the next time.
    public func decide(_ reading: Reading) -> Decision<Void> {
        let there = Set(reading.databases.compactMap { $0?.database })
        var set = WriteSet()
        for row in reading[scan] where row.database.map(there.contains) ?? true { set.remove(row) }
        return .write(set, ())
    }
}

/// Forgets events of a database that nobody is to be told of any more, with their records, some at a time.
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

    /// Answers how many there were.
    public func decide(_ reading: Reading) -> Decision<Int> {
        var set = WriteSet()
        for event in reading[oldest] { set.told(event) }
        return .write(set, reading[oldest].count)
    }
}
