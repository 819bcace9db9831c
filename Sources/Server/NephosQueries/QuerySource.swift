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

/// Neighbouring entries of one index in one zone.
public struct EntryRange: Sendable, Equatable {
    public var index: IndexNumber
    public var zone: ZoneNumber
    /// The first key, itself included.
    public var lower: Bytes
    /// With it only entries of the key `lower` behind this record count.
    public var afterRecord: RecordNumber?
    /// The key where the range ends, itself left out; nil for the end of the index.
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

/// Records that were asked for, as many as fit.
public struct FetchedRecords: Sendable {
    public var records: [RecordRow]
    /// How many of those that were asked for were looked for: the one behind these did not fit.
    public var asked: Int

    public init(_ records: [RecordRow], asked: Int) {
        self.records = records
        self.asked = asked
    }
}

/// What an engine lends to a query: pieces of its tables, all from one snapshot of one database.
///
/// A call is a round trip, so callers ask for batches.
public protocol QuerySource {
    /// Where somebody says that nobody waits any more. Calls throw ``StorageError/abandoned`` then.
    var abandonment: Abandonment? { get }

    /// The zones that the query extends over, ascending; empty where there is no such zone.
    mutating func zones() throws(StorageError) -> [ZoneNumber]

    /// Records of the database, of all types and zones, and the bytes of their names and fields.
    mutating func size() throws(StorageError) -> (records: Int64, bytes: Int64)

    /// The indexes of a type that are ready.
    mutating func readyIndexes(of type: TypeNumber) throws(StorageError) -> [IndexRow]

    /// The first entries of a range, by key and then by record number, appended to `entries`: at most `limit`.
    mutating func entries(
        in range: EntryRange, limit: Int, into entries: inout [IndexEntry]
    ) throws(StorageError)

    /// How many entries a range has; counting ends at `limit`.
    mutating func count(in range: EntryRange, limit: Int) throws(StorageError) -> Int

    /// Records by number, in the order of `numbers`, while their names and fields fit in `byteLimit`: none where the first
    /// does not. Numbers that no record has are left out.
    mutating func records(_ numbers: [RecordNumber], byteLimit: Int) throws(StorageError) -> FetchedRecords

    /// The same for records of a zone by name.
    mutating func records(
        named names: [Name], in zone: ZoneNumber, byteLimit: Int
    ) throws(StorageError) -> FetchedRecords

    /// All records of a type in a zone, in any order. Only for small databases.
    mutating func records(of type: TypeNumber, in zone: ZoneNumber) throws(StorageError) -> [RecordRow]
}
