/// What reading took, beside the time: the same on every machine.
public struct ReadWork: Sendable, Hashable {
    /// Rows of indexes and of feeds that were looked at, and of records where no index was used.
    public var rows: Int
    /// Records whose fields were fetched.
    public var records: Int
    /// Bytes of the names and fields of these.
    public var bytes: Int
    /// Values, members of lists and words that conditions were compared with.
    public var comparisons: Int

    /// Creates an amount of work; none without arguments.
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
