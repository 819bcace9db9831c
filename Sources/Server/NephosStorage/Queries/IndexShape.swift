import CloudKitWire

/// The shape of an index, which determines its entries: for each record of a type, keys of one or more parts.
///
/// The parts for which queries require a value come first, followed by those that they sort by. Entries are ordered by
/// key and then by record number, and are always read forward: an index in descending order is a different index.
public struct IndexShape: Sendable, Hashable {
    /// One part of a key.
    public enum Part: Sendable, Hashable {
        /// The value. A record without a value has no entry.
        case value(RecordField)
        /// Each distinct element of a list.
        case member(RecordField)
        /// Each distinct word of the texts.
        case token([RecordField])
        /// The cell of the earth's surface that contains the location.
        case cell(RecordField)
        /// The value as a sort key, with missing values last.
        case order(RecordField, isDescending: Bool)
    }

    /// The number of the record type whose records the index contains.
    public var type: TypeNumber
    /// The parts of a key, at least one. At most one of them is `member` or `token`, and all `order` parts come last.
    public var parts: [Part]

    /// Creates a shape from its parts.
    public init(type: TypeNumber, parts: [Part]) {
        self.type = type
        self.parts = parts
    }
}

/// Number of an index inside its database.
public typealias IndexNumber = Int64
