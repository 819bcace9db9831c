import CloudKitWire

/// An index of one database (table `indexes`).
///
/// One whose shape cannot be read, because it is of an older form, is as good as none: nobody reads or keeps it, and it
/// goes when the next index is opened.
public struct IndexRow: StoredRow {
    /// Whether an index may be read.
    public enum State: Int64, Sendable {
        /// Writers keep it up to date, and old records are being added: not to be read.
        case building = 0
        /// Writers keep it up to date, and queries may read it.
        case ready = 1
        /// Nobody reads or keeps it any more; its entries are being removed.
        case dropped = 2
    }

    /// The database that it indexes.
    public var database: DatabaseNumber
    /// Its number in the database.
    public var number: IndexNumber
    /// Some shape where the stored one cannot be read.
    public var shape: IndexShape
    /// Whether it may be read.
    public var state: State
    /// While building: records up to this number are in.
    public var builtTo: RecordNumber
    /// When it was opened, in milliseconds since 1970.
    public var createdAt: Milliseconds
    /// When a query last used it, to the hour.
    public var usedAt: Milliseconds
    /// What is stored in the place of a shape, where that is none.
    private var olderShape: [UInt8]?

    /// Creates a row from its columns; by default of an index that holds no records yet.
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

    package var isReadable: Bool { olderShape == nil }

    // MARK: Table

    /// A row that was damaged is built on, dropped and removed like any other.
    public static let table = Table(
        of: Self.self, "indexes", .database, key: ["db", "index_no"],
        indexes: [
            Table.Index("indexes_ready", ["db", "type", "index_no"], where: "state = 1", isNamedInFiles: false)
        ], isGuarded: false,
        checksum: .frozen(["db", "index_no", "state", "built_to", "created_at", "used_at", "shape"]))

    public static let sample = IndexRow(
        database: 0, number: 0, shape: IndexShape(type: 0, parts: [.value(.recordName)]), createdAt: 0, usedAt: 0)

    public mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        var (type, bytes) = (shape.type, olderShape ?? shape.bytes)
        let stored = bytes
        try columns.database(&database)
        try columns.int("index_no", &number)
        try columns.type("type", &type)
        try columns.kind("state", &state)
        try columns.int("built_to", &builtTo)
        try columns.int("created_at", &createdAt)
        try columns.int("used_at", &usedAt)
        try columns.bytes("shape", &bytes)
        if bytes != stored || type != shape.type { read(bytes, type) }
    }

    private mutating func read(_ bytes: [UInt8], _ type: TypeNumber) {
        if let read = IndexShape(bytes: bytes), read.type == type {
            (shape, olderShape) = (read, nil)
        } else {
            (shape, olderShape) = (IndexShape(type: type, parts: [.value(.recordName)]), bytes)
        }
    }

    // MARK: Scans

    /// Those of a database by number, with those that cannot be read.
    public static func all(of database: DatabaseNumber) -> Scan<Self> { Scan(.database(database), limit: .max) }

    /// Those of a type that are ready, by number.
    public static func ready(of type: TypeNumber, in database: DatabaseNumber) -> Scan<Self> {
        Scan(by: "indexes_ready", .database(database), .int(Int64(type)), limit: .max)
    }
}

extension Reading {
    /// The indexes of a database that can be read. The read set asked for all (``IndexRow/all(of:)``).
    public func indexes(of database: DatabaseNumber) -> [IndexRow] {
        self[IndexRow.all(of: database)].filter(\.isReadable)
    }
}
