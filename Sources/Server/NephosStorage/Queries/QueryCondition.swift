public import CloudKitWire

/// A condition that every record of a query result meets. A missing value passes only the negative tests.
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
        /// The value is one of these. With an empty list nothing passes.
        case isAny([QueryValue])
        /// The value is none of these. A missing value passes.
        case isNone([QueryValue])
        /// The value lies between two ends; nil for an end that is open.
        case isBetween(Bound?, Bound?)
        /// The text begins so.
        case beginsWith(Bytes)
        /// The text does not begin so. A missing value passes.
        case beginsNotWith(Bytes)
        /// A list that contains one of these, all of these, none of these, not all of these.
        case holdsAny([QueryValue])
        /// A list that holds all of these.
        case holdsAll([QueryValue])
        /// A list that holds none of these. A missing value passes.
        case holdsNone([QueryValue])
        /// A list that does not hold all of these. A missing value passes.
        case holdsNotAll([QueryValue])
        /// A list of strings of which at least one begins with this, or none does.
        case memberBeginsWith(Bytes)
        /// A list of strings of which none begins so. A missing value passes.
        case noMemberBeginsWith(Bytes)
        /// Texts in which these words occur, in the form that the tokenizer returns; in all `fields` together.
        case hasTokens([Bytes], all: Bool)
        /// At most this many meters from the place, along the surface of the earth.
        case isNear(Place, metres: Double)
        /// The time of the record has come, and has not passed, and one of the proofs that it requires is given:
        /// ``QueryCondition/isOpen(_:at:proofs:unlessMadeBy:)``. `proofs` is nil if records require none. `hours` contains
        /// the fields that exist.
        case isOpen(at: Milliseconds, hours: RecordHours, proofs: Set<Bytes>?, exempt: UserID?)
    }

    /// The tested fields: one, or any number of them for words.
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
    /// The time is within the record's own time, and one of the proofs that it requires is given; or this user created the record.
    public static func isOpen(
        _ hours: RecordHours, at now: Milliseconds, proofs: Set<Bytes> = [], unlessMadeBy user: UserID? = nil
    ) -> QueryCondition {
        QueryCondition(
            hours.fields + [.createdBy],
            .isOpen(at: now, hours: hours, proofs: hours.access == nil ? nil : proofs, exempt: user))
    }
}

/// The fields of a record that determine when it is visible, and to whom.
public struct RecordHours: Sendable, Hashable {
    /// A TIMESTAMP: not visible before it, and never without a value; nil for always.
    public var start: RecordField?
    /// A TIMESTAMP: not visible from this time on; without a value there is no end.
    public var end: RecordField?
    /// A STRING with recurring hours (``RecurringHours``): not visible outside of them; always visible without a value.
    public var every: RecordField?
    /// A LIST<STRING>: the reader must have proved one of them; without a value the record is for everybody.
    public var access: RecordField?

    /// Names the fields; nil where the type has none of the kind.
    public init(
        start: RecordField? = nil, end: RecordField? = nil, every: RecordField? = nil, access: RecordField? = nil
    ) {
        (self.start, self.end, self.every, self.access) = (start, end, every, access)
    }

    /// The existing fields, in the order that a condition uses.
    public var fields: [RecordField] { [start, end, every, access].compactMap(\.self) }

    /// Only the fields of time, for any reader.
    public var ofTime: RecordHours { RecordHours(start: start, end: end, every: every) }
    /// Only the field of access, at any time.
    public var ofAccess: RecordHours { RecordHours(access: access) }

    /// Never visible, whatever the record contains: by a field that no type has.
    public static let never = RecordHours(start: .field("", .timestamp, epoch: .max))
}

/// One key of an order. Missing values come last in both directions.
public struct QueryOrder: Sendable, Hashable {
    /// What records are sorted by.
    public var field: RecordField
    /// Whether the greatest comes first.
    public var isDescending: Bool
    /// Order by the distance from this place instead of the value; the field is a LOCATION.
    public var origin: Place?

    /// Creates a key of an order.
    public init(_ field: RecordField, isDescending: Bool = false, origin: Place? = nil) {
        self.field = field
        self.isDescending = isDescending
        self.origin = origin
    }
}
