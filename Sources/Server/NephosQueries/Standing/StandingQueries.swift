public import NephosStorage

/// Many queries that wait for records, instead of records that wait for queries: finds those that a record matches.
///
/// Each query is registered in one place: under values of a field if it names some, in an index of ranges if it names a range,
/// otherwise in a list that is scanned. So the cost for a record depends on what is found under its values, however many other
/// queries there are (docs/decisions/0006).
public struct StandingQueries: Sendable {
    private var types: [TypeNumber: QueriesOfType] = [:]
    private var typeOf: [Int: TypeNumber] = [:]

    public init() {}

    public var count: Int { typeOf.count }

    /// Adds a query, or replaces the one with its number.
    ///
    /// - Parameter conditions: A matching record matches all of them; without conditions, every record of the type matches.
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

    /// The result for one record.
    public struct Matches: Sendable, Equatable {
        /// The numbers of the queries that it matches, ascending.
        public var numbers: [Int]
        /// How many queries were compared with it.
        public var examined: Int
        /// The number of comparisons.
        public var comparisons = 0
        /// The last query that was compared, if others are left for later.
        public var lookedTo: Int?

        public init(numbers: [Int] = [], examined: Int = 0) {
            self.numbers = numbers
            self.examined = examined
        }
    }

    /// - Parameters:
    ///   - after: Only queries with greater numbers, to continue with those left the last time.
    ///   - comparisonsMax: After this many comparisons the queries with the greatest numbers are left for later.
    public mutating func matches(
        _ record: RecordRow, after: Int = .min, comparisonsMax: Int = .max
    ) -> Matches {
        types[record.type]?.matches(record, after: after, comparisonsMax: comparisonsMax) ?? Matches()
    }
}
