public import CloudKitWire

/// A condition that every record of a query result meets. A missing value passes only the negated tests.
public struct QueryCondition: Sendable, Hashable {
    /// One end of a range.
    public struct Bound: Sendable, Hashable {
        /// The value at which the range ends.
        public var value: QueryValue
        /// Whether the value itself is in the range.
        public var isIncluded: Bool

        /// Creates an end of a range.
        public init(_ value: QueryValue, isIncluded: Bool) {
            self.value = value
            self.isIncluded = isIncluded
        }
    }

    /// The test that a value must pass.
    public enum Test: Sendable, Hashable {
        /// The value equals one of these. If the list is empty, no value passes.
        case isAny([QueryValue])
        /// The value equals none of these. A missing value passes.
        case isNone([QueryValue])
        /// The value is between two bounds; nil for a range without a bound at that end.
        case isBetween(Bound?, Bound?)
        /// The text begins with these bytes.
        case beginsWith(Bytes)
        /// The text does not begin with these bytes. A missing value passes.
        case beginsNotWith(Bytes)
        /// The list contains at least one of these.
        case holdsAny([QueryValue])
        /// The list contains all of these.
        case holdsAll([QueryValue])
        /// The list contains none of these. A missing value passes.
        case holdsNone([QueryValue])
        /// The list does not contain all of these. A missing value passes.
        case holdsNotAll([QueryValue])
        /// The list contains at least one string that begins with these bytes.
        case memberBeginsWith(Bytes)
        /// The list contains no string that begins with these bytes. A missing value passes.
        case noMemberBeginsWith(Bytes)
        /// The texts of all `fields` together contain all of these words, or at least one of them if not `all`. Words
        /// are in the form that the tokenizer returns.
        case hasTokens([Bytes], all: Bool)
        /// The location is at most this many meters from the place, along the surface of the earth.
        case isNear(Place, metres: Double)
        /// The record is visible at this time, and one of the proofs that it requires is among `proofs`, or the user
        /// `exempt` created it: see ``QueryCondition/isOpen(_:at:proofs:unlessMadeBy:)``. `proofs` is nil if records
        /// require none. `hours` contains the fields that exist.
        case isOpen(at: Milliseconds, hours: RecordHours, proofs: Set<Bytes>?, exempt: UserID?)
    }

    /// The tested fields: any number for a test of words, those that it uses for
    /// ``Test/isOpen(at:hours:proofs:exempt:)``, and one for any other test.
    public var fields: [RecordField]
    /// The test that the values must pass.
    public var test: Test

    /// Creates a test of one field.
    public init(_ field: RecordField, _ test: Test) {
        self.init([field], test)
    }

    /// Creates a test of several fields, or of one.
    public init(_ fields: [RecordField], _ test: Test) {
        self.fields = fields
        self.test = test
    }
}

extension QueryCondition {
    /// Creates a condition that a record is visible at this time, and that one of the proofs that it requires is given.
    /// A record that `user` created always meets it.
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
    /// A TIMESTAMP field: the record is not visible before this time, and never without a value. nil if records have no
    /// start.
    public var start: RecordField?
    /// A TIMESTAMP field: the record is not visible from this time on. A record without a value has no end.
    public var end: RecordField?
    /// A STRING field with recurring hours (``RecurringHours``): the record is not visible outside of them. A record
    /// without a value is visible at all hours.
    public var every: RecordField?
    /// A LIST<STRING> field: the reader must have proved one of its elements. A record without a value is visible to
    /// everybody.
    public var access: RecordField?

    /// Creates a set of fields; nil for each kind of field that the type does not have.
    public init(
        start: RecordField? = nil, end: RecordField? = nil, every: RecordField? = nil, access: RecordField? = nil
    ) {
        (self.start, self.end, self.every, self.access) = (start, end, every, access)
    }

    /// The fields that exist, in the order that a condition uses.
    public var fields: [RecordField] { [start, end, every, access].compactMap(\.self) }

    /// The same fields without ``access``, for any reader.
    public var ofTime: RecordHours { RecordHours(start: start, end: end, every: every) }
    /// Only the field ``access``, for any time.
    public var ofAccess: RecordHours { RecordHours(access: access) }

    /// Hours in which no record is visible, because they use a start field that no type has.
    public static let never = RecordHours(start: .field("", .timestamp, epoch: .max))
}

/// One key of a sort order. Missing values come last in both directions.
public struct QueryOrder: Sendable, Hashable {
    /// The value that records are sorted by.
    public var field: RecordField
    /// Whether the greatest value comes first.
    public var isDescending: Bool
    /// The place whose distance records are sorted by, instead of the value; the field is then a LOCATION.
    public var origin: Place?

    /// Creates a key of a sort order.
    public init(_ field: RecordField, isDescending: Bool = false, origin: Place? = nil) {
        self.field = field
        self.isDescending = isDescending
        self.origin = origin
    }
}
