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

    /// Where a page ended: the next one starts behind it. It says where in the order, not which page, so a record
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
    /// All of them hold, the caller's rights included: what somebody may not see is a condition, so that limits and
    /// positions are right.
    public var conditions: [QueryCondition]
    /// The most important first; empty means by record name. What is left equal comes by zone, then record number.
    public var orders: [QueryOrder]
    /// Where the last page ended; nil for the first page.
    public var after: Position?
    /// Most records in the page, at least 1.
    public var limit: Int
    /// The page ends before it holds more bytes of names and fields than this; the first record always fits.
    public var byteLimit: Int
    /// Most rows of indexes to look at; a page that reaches this is short, and goes on.
    public var examinedLimit: Int
    /// Most bytes of names and fields to fetch, and most comparisons to make, before the page is short and goes on. One record
    /// is always looked at.
    public var bytesExaminedLimit = 64 << 20
    /// Most comparisons to make before the page is short and goes on. One record is always looked at.
    public var comparisonsLimit = 10_000_000
    /// To be given up where it takes more than ``briefRows``, ``briefBytes`` or ``briefComparisons``, or meets a record with
    /// more than ``briefValueBytes``: for threads that others wait for.
    public var isBrief: Bool

    /// Most rows of indexes that a brief scan looks at, and reads that find none.
    public static let briefRows = 400
    /// Most bytes of names and fields that a brief scan fetches.
    public static let briefBytes = 1 << 20
    /// Most comparisons that a brief scan makes.
    public static let briefComparisons = 200_000
    /// Most bytes that the lists and texts of one record have whose members or words a brief scan compares.
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

/// What a ``QueryScan`` found.
public struct QueryPage: Sendable, Equatable {
    /// The records, in the order of the scan.
    public var records: [RecordRow]
    /// Where the next page goes on; nil at the end. A page may be short, even empty, and still go on.
    public var next: QueryScan.Position?
    /// What it took.
    public var work: ReadWork
    /// Rows of indexes, or of records where no index was used, that were looked at.
    public var examined: Int { work.rows }
    /// Indexes that served, for keeping those that are used.
    public var used: [IndexNumber]
    /// Indexes that would serve better than what there is; to be built with ``TenantStore/openIndexes(_:in:at:)``.
    public var wanted: [IndexShape]
    /// False when nothing that exists could serve: the page is empty, and the query must wait for `wanted`.
    public var isAnswered: Bool
    /// A brief scan that turned out to be long. Nothing else here counts.
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
