public import NephosStorage

/// Many queries that wait for records, instead of records that wait for queries: which of them does a record match?
///
/// Each query waits at one place. One that names the values of a field waits at these, one that names a range of values in
/// an index of ranges, any other in a list that is gone through. So a record costs what is found at its values, however many
/// others wait elsewhere (docs/decisions/0006).
public struct StandingQueries: Sendable {
    private var types: [TypeNumber: QueriesOfType] = [:]
    private var typeOf: [Int: TypeNumber] = [:]

    public init() {}

    public var count: Int { typeOf.count }

    /// Adds a query, or puts it in the place of the one that had its number.
    ///
    /// - Parameter conditions: All of them hold for a record that matches; none are met by every record of the type.
    public mutating func insert(_ number: Int, type: TypeNumber, conditions: [QueryCondition]) {
        remove(number)
        typeOf[number] = type
        types[type, default: QueriesOfType()].insert(number, conditions)
    }

    public mutating func remove(_ number: Int) {
        guard let type = typeOf.removeValue(forKey: number) else { return }
        types[type]?.remove(number)
        if types[type]?.isEmpty == true { types[type] = nil }
    }

    /// What one record found.
    public struct Matches: Sendable, Equatable {
        /// The numbers of the queries that it matches, ascending.
        public var numbers: [Int]
        /// How many queries were compared with it.
        public var examined: Int
        /// What that took.
        public var comparisons = 0
        /// The last query that was compared, where others are left for later.
        public var lookedTo: Int?

        public init(numbers: [Int] = [], examined: Int = 0) {
            self.numbers = numbers
            self.examined = examined
        }
    }

    /// - Parameters:
    ///   - after: Only queries with greater numbers, for what was left the last time.
    ///   - comparisonsMax: After so many comparisons the queries with the greatest numbers are left for later.
    public mutating func matches(
        _ record: RecordRow, after: Int = .min, comparisonsMax: Int = .max
    ) -> Matches {
        types[record.type]?.matches(record, after: after, comparisonsMax: comparisonsMax) ?? Matches()
    }
}
