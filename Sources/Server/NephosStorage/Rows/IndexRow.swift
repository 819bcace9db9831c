import CloudKitWire

/// An index of one database (table `indexes`).
///
/// An index whose shape cannot be read, because its format is older, is ignored: it is neither read nor maintained, and it is
/// removed when the next index is created.
public struct IndexRow: StoredRow {
    /// Whether an index may be read.
    public enum State: Int64, Sendable {
        /// Writers maintain it, and old records are being added: it must not be read yet.
        case building = 0
        /// Writers keep it up to date, and queries may read it.
        case ready = 1
        /// It is neither read nor maintained any more; its entries are being removed.
        case dropped = 2
    }

    /// The database that it indexes.
    public var database: DatabaseNumber
    /// Its number in the database.
    public var number: IndexNumber
    /// A placeholder if the stored shape cannot be read.
    public var shape: IndexShape
    /// Whether it may be read.
    public var state: State
    /// While building: records up to this number are included.
    public var builtTo: RecordNumber
    /// When it was opened, in milliseconds since 1970.
    public var createdAt: Milliseconds
    /// When a query last used it, rounded down to the hour.
    public var usedAt: Milliseconds
    /// The stored bytes of the shape if they cannot be read.
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

    /// A damaged row is built, dropped and removed like any other.
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

    /// The indexes of a database by number, including those that cannot be read.
    public static func all(of database: DatabaseNumber) -> Scan<Self> { Scan(.database(database), limit: .max) }

    /// The indexes of a type that are ready, by number.
    public static func ready(of type: TypeNumber, in database: DatabaseNumber) -> Scan<Self> {
        Scan(by: "indexes_ready", .database(database), .int(Int64(type)), limit: .max)
    }
}

extension Reading {
    /// The indexes of a database that can be read. The read set must have requested all (``IndexRow/all(of:)``).
    public func indexes(of database: DatabaseNumber) -> [IndexRow] {
        self[IndexRow.all(of: database)].filter(\.isReadable)
    }
}
