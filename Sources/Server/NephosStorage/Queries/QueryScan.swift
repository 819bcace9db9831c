import CloudKitWire

/// A page of the records of one type that meet all conditions, in a given order.
public struct QueryScan: Sendable, Hashable {
    /// One zone, or all live zones of the database together.
    public enum Extent: Sendable, Hashable {
        /// The records of one zone.
        case zone(ZoneKey)
        /// The records of all live zones of a database.
        case database(DatabaseNumber)

        /// The database in which it looks.
        public var database: DatabaseNumber {
            switch self {
            case .zone(let key): key.database
            case .database(let database): database
            }
        }
    }

    /// Where a page ended: the next one starts after it. It is a position in the order, not a page number, so that a record
    /// that did not change while paging appears exactly once.
    public struct Position: Sendable, Hashable {
        /// The keys of the order in the encoding of index keys.
        public var key: Bytes
        /// The number of the zone of the last record.
        public var zone: ZoneNumber
        /// The number of the last record.
        public var record: RecordNumber

        /// Creates the position of a record in an order.
        public init(key: Bytes, zone: ZoneNumber, record: RecordNumber) {
            self.key = key
            self.zone = zone
            self.record = record
        }
    }

    /// Where it looks.
    public var extent: Extent
    /// The number of the record type.
    public var type: TypeNumber
    /// All of them must be met, including the caller's rights: visibility is a condition, so that limits and positions are correct.
    public var conditions: [QueryCondition]
    /// The most important first; empty means by record name. Ties are ordered by zone, then record number.
    public var orders: [QueryOrder]
    /// Where the last page ended; nil for the first page.
    public var after: Position?
    /// Maximum number of records in the page, at least 1.
    public var limit: Int
    /// The page ends before it contains more bytes of names and fields than this; the first record always fits.
    public var byteLimit: Int
    /// Maximum number of index rows to examine; a page that reaches this is short, and continues.
    public var examinedLimit: Int
    /// Maximum number of bytes of names and fields to fetch, and of comparisons to make, before the page is short and
    /// continues. One record is always examined.
    public var bytesExaminedLimit = 64 << 20
    /// Most comparisons to make before the page is short and goes on. One record is always looked at.
    public var comparisonsLimit = 10_000_000
    /// Whether to give up when it takes more than ``briefRows``, ``briefBytes`` or ``briefComparisons``, or reads a record
    /// with more than ``briefValueBytes``: for threads that must not block for long.
    public var isBrief: Bool

    /// Maximum number of index rows that a brief scan examines, and of reads without a result.
    public static let briefRows = 400
    /// Maximum number of bytes of names and fields that a brief scan fetches.
    public static let briefBytes = 1 << 20
    /// Maximum number of comparisons in a brief scan.
    public static let briefComparisons = 200_000
    /// Maximum number of bytes in the lists and texts of one record whose members or words a brief scan compares.
    public static let briefValueBytes = 64 << 10

    /// Asks for a page; by default without conditions, by name, up to 8 MB and 10,000 rows of indexes.
    public init(
        extent: Extent, type: TypeNumber, conditions: [QueryCondition] = [], orders: [QueryOrder] = [],
        after: Position? = nil, limit: Int, byteLimit: Int = 8 << 20, examinedLimit: Int = 10_000,
        isBrief: Bool = false
    ) {
        self.extent = extent
        self.type = type
        self.conditions = conditions
        self.orders = orders
        self.after = after
        self.limit = limit
        self.byteLimit = byteLimit
        self.examinedLimit = examinedLimit
        self.isBrief = isBrief
    }
}

/// The result of a ``QueryScan``.
public struct QueryPage: Sendable, Equatable {
    /// The records, in the order of the scan.
    public var records: [RecordRow]
    /// Where the next page continues; nil at the end. A page may be short, even empty, and still continue.
    public var next: QueryScan.Position?
    /// The work that was done.
    public var work: ReadWork
    /// Rows of indexes, or of records if no index was used, that were examined.
    public var examined: Int { work.rows }
    /// Indexes that were used, so that they are kept.
    public var used: [IndexNumber]
    /// Indexes that would be better than the existing ones; to be built with ``TenantStore/openIndexes(_:in:at:)``.
    public var wanted: [IndexShape]
    /// False if no existing index could be used: the page is empty, and the query must wait for `wanted`.
    public var isAnswered: Bool
    /// A brief scan that turned out to be long. All other values are meaningless then.
    public var isGivenUp = false

    /// Creates a page; without arguments, an empty one that is the last.
    public init(
        records: [RecordRow] = [], next: QueryScan.Position? = nil, work: ReadWork = ReadWork(),
        used: [IndexNumber] = [], wanted: [IndexShape] = [], isAnswered: Bool = true
    ) {
        self.records = records
        self.next = next
        self.work = work
        self.used = used
        self.wanted = wanted
        self.isAnswered = isAnswered
    }

    /// A brief scan that was given up.
    ///
    /// - Parameter work: What was done until then.
    public static func givenUp(_ work: ReadWork = ReadWork()) -> QueryPage {
        var page = QueryPage(work: work, isAnswered: false)
        page.isGivenUp = true
        return page
    }
}
