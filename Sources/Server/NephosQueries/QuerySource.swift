public import CloudKitWire
public import NephosStorage

/// One entry of an index.
public struct IndexEntry: Sendable, Equatable {
    public var key: Bytes
    public var record: RecordNumber

    public init(key: Bytes, record: RecordNumber) {
        self.key = key
        self.record = record
    }
}

/// Adjacent entries of one index in one zone.
public struct EntryRange: Sendable, Equatable {
    public var index: IndexNumber
    public var zone: ZoneNumber
    /// The first key, inclusive.
    public var lower: Bytes
    /// If set, entries with the key `lower` count only after this record.
    public var afterRecord: RecordNumber?
    /// The end of the range, exclusive; nil for the end of the index.
    public var upper: Bytes?

    public init(
        index: IndexNumber, zone: ZoneNumber, lower: Bytes, afterRecord: RecordNumber? = nil, upper: Bytes?
    ) {
        self.index = index
        self.zone = zone
        self.lower = lower
        self.afterRecord = afterRecord
        self.upper = upper
    }
}

/// The requested records, as many as fit.
public struct FetchedRecords: Sendable {
    public var records: [RecordRow]
    /// How many of the requested records were read: the next one did not fit.
    public var asked: Int

    public init(_ records: [RecordRow], asked: Int) {
        self.records = records
        self.asked = asked
    }
}

/// What an engine provides to a query: parts of its tables, all from one snapshot of one database.
///
/// A call is a round trip, so callers request batches.
public protocol QuerySource {
    /// Signals that nobody waits for the answer any more. Calls then throw ``StorageError/abandoned``.
    var abandonment: Abandonment? { get }

    /// The zones that the query covers, ascending; empty if there is no such zone.
    mutating func zones() throws(StorageError) -> [ZoneNumber]

    /// The number of records of the database, of all types and zones, and the bytes of their names and fields.
    mutating func size() throws(StorageError) -> (records: Int64, bytes: Int64)

    /// The indexes of a type that are ready.
    mutating func readyIndexes(of type: TypeNumber) throws(StorageError) -> [IndexRow]

    /// Appends the first entries of a range, by key and then by record number, to `entries`: at most `limit`.
    mutating func entries(
        in range: EntryRange, limit: Int, into entries: inout [IndexEntry]
    ) throws(StorageError)

    /// The number of entries in a range; counting ends at `limit`.
    mutating func count(in range: EntryRange, limit: Int) throws(StorageError) -> Int

    /// Records by number, in the order of `numbers`, while their names and fields fit in `byteLimit`: none if the first does not
    /// fit. Numbers without a record are left out.
    mutating func records(_ numbers: [RecordNumber], byteLimit: Int) throws(StorageError) -> FetchedRecords

    /// The same for records of a zone by name.
    mutating func records(
        named names: [Name], in zone: ZoneNumber, byteLimit: Int
    ) throws(StorageError) -> FetchedRecords

    /// All records of a type in a zone, in any order. Only for small databases.
    mutating func records(of type: TypeNumber, in zone: ZoneNumber) throws(StorageError) -> [RecordRow]
}
