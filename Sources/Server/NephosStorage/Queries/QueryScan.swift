import CloudKitWire

/// A request for a page of the records of one type that meet all conditions, in a given order.
public struct QueryScan: Sendable, Hashable {
    /// The zones in which a scan searches: one, or all live zones of a database together.
    public enum Extent: Sendable, Hashable {
        /// The records of one zone.
        case zone(ZoneKey)
        /// The records of all live zones of a database.
        case database(DatabaseNumber)

        /// The database in which the scan searches.
        public var database: DatabaseNumber {
            switch self {
            case .zone(let key): key.database
            case .database(let database): database
            }
        }
    }

    /// The position at which a page ended: the next page starts after it. It is a position in the order, not a page
    /// number, so that a record that does not change while pages are fetched appears exactly once.
    public struct Position: Sendable, Hashable {
        /// The values of the order's keys for the last record, in the encoding of index keys.
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

    /// The zones in which the scan searches.
    public var extent: Extent
    /// The number of the record type.
    public var type: TypeNumber
    /// The conditions, all of which must be met. The caller's rights are among them: visibility is a condition, so that
    /// limits and positions are correct.
    public var conditions: [QueryCondition]
    /// The keys of the sort order, the most important first; empty means by record name. Ties are ordered by zone, then
    /// by record number.
    public var orders: [QueryOrder]
    /// The position at which the last page ended; nil for the first page.
    public var after: Position?
    /// Maximum number of records in the page, at least 1.
    public var limit: Int
    /// Maximum number of bytes of names and fields in the page; the first record always fits.
    public var byteLimit: Int
    /// Maximum number of index rows to examine. A page that reaches the limit is short, and the next page continues.
    public var examinedLimit: Int
    /// Maximum number of bytes of names and fields to fetch. A page that reaches the limit is short, and the next page
    /// continues. One record is always examined.
    public var bytesExaminedLimit = 64 << 20
    /// Maximum number of comparisons. A page that reaches the limit is short, and the next page continues. One record
    /// is always examined.
    public var comparisonsLimit = 10_000_000
    /// Whether to give up the scan if it needs more than ``briefRows``, ``briefBytes`` or ``briefComparisons``, or
    /// reads a record with more than ``briefValueBytes``. For threads that must not block for long.
    public var isBrief: Bool

    /// Maximum number of index rows that a brief scan examines, including reads without a result.
    public static let briefRows = 400
    /// Maximum number of bytes of names and fields that a brief scan fetches.
    public static let briefBytes = 1 << 20
    /// Maximum number of comparisons in a brief scan.
    public static let briefComparisons = 200_000
    /// Maximum number of bytes in the lists and texts of one record whose members or words a brief scan compares.
    public static let briefValueBytes = 64 << 10

    /// Creates a request for a page; by default without conditions, ordered by name, of up to 8 MB, and examining up to
    /// 10,000 index rows.
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
    /// The position after which the next page starts; nil at the end. A page may be short, even empty, and still not be
    /// the last.
    public var next: QueryScan.Position?
    /// The work that was done.
    public var work: ReadWork
    /// The number of examined rows of indexes, or of records if no index was used.
    public var examined: Int { work.rows }
    /// The indexes that were used, whose use is to be recorded, so that they are not dropped.
    public var used: [IndexNumber]
    /// Indexes that would be better than the existing ones, to be opened with ``TenantStore/openIndexes(_:in:at:)``.
    public var wanted: [IndexShape]
    /// Whether the query could be answered. False if no existing index could be used: the page is empty, and the query
    /// must wait for `wanted`.
    public var isAnswered: Bool
    /// Whether a brief scan was given up because it exceeded its limits. All other values except `work` are meaningless
    /// then.
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

    /// Returns the page of a brief scan that was given up.
    ///
    /// - Parameter work: The work that was done until then.
    public static func givenUp(_ work: ReadWork = ReadWork()) -> QueryPage {
        var page = QueryPage(work: work, isAnswered: false)
        page.isGivenUp = true
        return page
    }
}
