import CloudKitWire

/// What an index holds: for each record of a type, keys made of one or more parts.
///
/// First the parts that queries fix to a value, then those they sort by. Entries are ordered by key and then by record
/// number, and always walked forward: an index that is sorted by falling values is another index.
public struct IndexShape: Sendable, Hashable {
    public enum Part: Sendable, Hashable {
        /// The value; no entry for a record without one.
        case value(RecordField)
        /// Each element of a list, once.
        case member(RecordField)
        /// Each word of the texts, once.
        case token([RecordField])
        /// The cell of a location.
        case cell(RecordField)
        /// The value in an order, with missing ones last.
        case order(RecordField, isDescending: Bool)
    }

    public var type: TypeNumber
    /// At least one. At most one of them is `member` or `token`; all `order`s come last.
    public var parts: [Part]

    public init(type: TypeNumber, parts: [Part]) {
        self.type = type
        self.parts = parts
    }
}

/// Number of an index inside its database.
public typealias IndexNumber = Int64

/// An index of one database (table `indexes`).
public struct IndexRow: Sendable, Equatable {
    public enum State: Int64, Sendable {
        /// Writers keep it up to date, and old records are being added: not to be read.
        case building = 0
        case ready = 1
        /// Nobody reads or keeps it any more; its entries are being removed.
        case dropped = 2
    }

    public var database: DatabaseNumber
    public var number: IndexNumber
    public var shape: IndexShape
    public var state: State
    /// While building: records up to this number are in.
    public var builtTo: RecordNumber
    public var createdAt: Milliseconds
    /// When a query last used it, to the hour.
    public var usedAt: Milliseconds

    public init(
        database: DatabaseNumber, number: IndexNumber, shape: IndexShape, state: State = .building,
        builtTo: RecordNumber = 0, createdAt: Milliseconds, usedAt: Milliseconds
    ) {
        self.database = database
        self.number = number
        self.shape = shape
        self.state = state
        self.builtTo = builtTo
        self.createdAt = createdAt
        self.usedAt = usedAt
    }
}

/// An index whose shape cannot be read, because it is of an older form, is as good as none: nobody reads or keeps it, and it
/// goes when the next index is opened.
extension IndexRow {
    /// In the order of ``init(readable:)``.
    package static let columns = [
        "db", "index_no", "type", "state", "built_to", "created_at", "used_at", "shape",
    ]

    /// Reads a row that begins with ``columns``; nil when its shape cannot be read.
    package init?(readable row: borrowing some AnswerRow & ~Copyable) throws(StorageError) {
        guard let shape = IndexShape(bytes: row.bytes(7)), shape.type == (try row.type(2)) else { return nil }
        self.init(
            database: row.database(0), number: row.int(1), shape: shape, state: try row.kind(3, of: State.self),
            builtTo: row.int(4), createdAt: row.int(5), usedAt: row.int(6))
    }

    /// Reads a row whose shape cannot be read, as a dropped one of some other shape; nil when it can.
    package init?(unreadable row: borrowing some AnswerRow & ~Copyable) throws(StorageError) {
        guard try IndexRow(readable: row) == nil else { return nil }
        self.init(
            database: row.database(0), number: row.int(1),
            shape: IndexShape(type: try row.type(2), parts: [.value(.recordName)]), state: .dropped,
            createdAt: row.int(5), usedAt: row.int(6))
    }
}
