import CloudKitWire

/// The contents of an index: for each record of a type, keys of one or more parts.
///
/// The parts that queries fix to a value come first, then those that they sort by. Entries are ordered by key and then by
/// record number, and always read forward: an index in descending order is a different index.
public struct IndexShape: Sendable, Hashable {
    /// One part of a key.
    public enum Part: Sendable, Hashable {
        /// The value; no entry for a record without one.
        case value(RecordField)
        /// Each element of a list, once.
        case member(RecordField)
        /// Each word of the texts, once.
        case token([RecordField])
        /// The cell of a location.
        case cell(RecordField)
        /// The value as a sort key, with missing values last.
        case order(RecordField, isDescending: Bool)
    }

    /// The number of the record type whose records it holds.
    public var type: TypeNumber
    /// At least one. At most one of them is `member` or `token`; all `order`s come last.
    public var parts: [Part]

    /// Creates a shape from its parts.
    public init(type: TypeNumber, parts: [Part]) {
        self.type = type
        self.parts = parts
    }
}

/// Number of an index inside its database.
public typealias IndexNumber = Int64
