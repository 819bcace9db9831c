public import CloudKitWire

/// One thing that must hold of every record a query finds. A missing value passes the negative tests only.
public struct QueryCondition: Sendable, Hashable {
    /// One end of a range.
    public struct Bound: Sendable, Hashable {
        /// Where the range ends.
        public var value: QueryValue
        /// Whether the value itself is in the range.
        public var isIncluded: Bool

        /// Creates an end of a range.
        public init(_ value: QueryValue, isIncluded: Bool) {
            self.value = value
            self.isIncluded = isIncluded
        }
    }

    /// What a value must be.
    public enum Test: Sendable, Hashable {
        /// The value is one of these. None of them means that nothing passes.
        case isAny([QueryValue])
        /// The value is none of these. A missing value passes.
        case isNone([QueryValue])
        /// The value lies between two ends; nil for an end that is open.
        case isBetween(Bound?, Bound?)
        /// The text begins so.
        case beginsWith(Bytes)
        /// The text does not begin so. A missing value passes.
        case beginsNotWith(Bytes)
        /// A list that holds one of these, all of these, none of these, not all of these.
        case holdsAny([QueryValue])
        /// A list that holds all of these.
        case holdsAll([QueryValue])
        /// A list that holds none of these. A missing value passes.
        case holdsNone([QueryValue])
        /// A list that does not hold all of these. A missing value passes.
        case holdsNotAll([QueryValue])
        /// A list of strings of which one begins so, or none does.
        case memberBeginsWith(Bytes)
        /// A list of strings of which none begins so. A missing value passes.
        case noMemberBeginsWith(Bytes)
        /// Texts in which these words occur, in the form the tokeniser gives them; across all `fields` together.
        case hasTokens([Bytes], all: Bool)
        /// At most so many metres from the place, along the surface of the earth.
        case isNear(Place, metres: Double)
        /// A time of the record's own has come, and has not passed, and what it asks to be proved is: ``QueryCondition/isOpen(_:at:proofs:unlessMadeBy:)``.
        /// `proofs` is nil where records ask for none.
        /// `hours` says which of the fields there are.
        case isOpen(at: Milliseconds, hours: RecordHours, proofs: Set<Bytes>?, exempt: UserID?)
    }

    /// What is tested: one field, or for words any number of them.
    public var fields: [RecordField]
    /// What the value must be.
    public var test: Test

    /// Tests one field.
    public init(_ field: RecordField, _ test: Test) {
        self.init([field], test)
    }

    /// Tests words in any number of fields, or one field otherwise.
    public init(_ fields: [RecordField], _ test: Test) {
        self.fields = fields
        self.test = test
    }
}

extension QueryCondition {
    /// The moment lies in a record's own time, and one of what it asks to be proved is; or this user made the record.
    public static func isOpen(
        _ hours: RecordHours, at now: Milliseconds, proofs: Set<Bytes> = [], unlessMadeBy user: UserID? = nil
    ) -> QueryCondition {
        QueryCondition(
            hours.fields + [.createdBy],
            .isOpen(at: now, hours: hours, proofs: hours.access == nil ? nil : proofs, exempt: user))
    }
}

/// The fields of a record that say when it is to be seen, and by whom.
public struct RecordHours: Sendable, Hashable {
    /// A TIMESTAMP: not before this, and without a value never; nil for always.
    public var start: RecordField?
    /// A TIMESTAMP: not at this time and after it; without a value for ever.
    public var end: RecordField?
    /// A STRING with hours that come again (``RecurringHours``): not outside of them; without a value all the time.
    public var every: RecordField?
    /// A LIST<STRING>, of which whoever looks must have proved one; without a value it is for everybody.
    public var access: RecordField?

    /// Names the fields; nil where the type has none of the kind.
    public init(
        start: RecordField? = nil, end: RecordField? = nil, every: RecordField? = nil, access: RecordField? = nil
    ) {
        (self.start, self.end, self.every, self.access) = (start, end, every, access)
    }

    /// Those that are there, in the order in which a condition has them.
    public var fields: [RecordField] { [start, end, every, access].compactMap(\.self) }

    /// When alone, for whomever.
    public var ofTime: RecordHours { RecordHours(start: start, end: end, every: every) }
    /// For whom alone, whenever.
    public var ofAccess: RecordHours { RecordHours(access: access) }

    /// Whatever the record holds: by a field that no type has.
    public static let never = RecordHours(start: .field("", .timestamp, epoch: .max))
}

/// One key of an order. Missing values come last in both directions.
public struct QueryOrder: Sendable, Hashable {
    /// What records are sorted by.
    public var field: RecordField
    /// Whether the greatest comes first.
    public var isDescending: Bool
    /// Order by the distance from here instead of the value; the field is a LOCATION.
    public var origin: Place?

    /// Creates a key of an order.
    public init(_ field: RecordField, isDescending: Bool = false, origin: Place? = nil) {
        self.field = field
        self.isDescending = isDescending
        self.origin = origin
    }
}
