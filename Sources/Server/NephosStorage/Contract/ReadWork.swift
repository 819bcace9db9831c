/// The work of a read, in numbers that are the same on every machine, unlike its time.
public struct ReadWork: Sendable, Hashable {
    /// Rows of indexes and feeds that were examined, and rows of records if no index was used.
    public var rows: Int
    /// Records whose fields were fetched.
    public var records: Int
    /// Bytes of the names and fields of these records.
    public var bytes: Int
    /// Values, members of lists, and words that were compared with conditions.
    public var comparisons: Int

    /// Creates an amount of work; without arguments, no work.
    public init(rows: Int = 0, records: Int = 0, bytes: Int = 0, comparisons: Int = 0) {
        self.rows = rows
        self.records = records
        self.bytes = bytes
        self.comparisons = comparisons
    }

    /// Adds up two amounts, number by number.
    public static func += (total: inout ReadWork, part: ReadWork) {
        total.rows += part.rows
        total.records += part.records
        total.bytes += part.bytes
        total.comparisons += part.comparisons
    }
}
