import CloudKitWire
import NephosQueries
import NephosStorage

/// The data source of one query: one database in the snapshot of a reader.
struct QueryReader: QuerySource {
    private let reader: TenantReader
    private let database: DatabaseNumber
    private let zoneNumbers: [ZoneNumber]
    let abandonment: Abandonment?

    /// - Parameter zones: The live zones that the query covers, ascending.
    init(_ reader: TenantReader, _ database: DatabaseNumber, zones: [ZoneNumber], _ abandonment: Abandonment?) {
        self.abandonment = abandonment
        self.reader = reader
        self.database = database
        zoneNumbers = zones
    }

    func zones() -> [ZoneNumber] { zoneNumbers }

    func size() throws(StorageError) -> (records: Int64, bytes: Int64) {
        let head = try reader.heads.head(database)
        return (head?.records ?? 0, head?.recordBytes ?? 0)
    }

    func readyIndexes(of type: TypeNumber) throws(StorageError) -> [IndexRow] {
        try reader.tables.rows(IndexRow.ready(of: type, in: database)).filter(\.isReadable)
    }

    func entries(
        in range: EntryRange, limit: Int, into entries: inout [IndexEntry]
    ) throws(StorageError) {
        try abandonment.check()
        try reader.entries.entries(in: range, of: database, limit: limit, into: &entries)
    }

    func count(in range: EntryRange, limit: Int) throws(StorageError) -> Int {
        try abandonment.check()
        return try reader.entries.count(in: range, of: database, limit: limit)
    }

    func records(_ numbers: [RecordNumber], byteLimit: Int) throws(StorageError) -> FetchedRecords {
        try abandonment.check()
        return try reader.records.records(numbers, in: database, byteLimit: byteLimit)
    }

    func records(
        named names: [Name], in zone: ZoneNumber, byteLimit: Int
    ) throws(StorageError) -> FetchedRecords {
        try abandonment.check()
        let place = ZonePlace(database: database, number: zone)
        return try reader.records.records(named: names, in: place, byteLimit: byteLimit)
    }

    func records(of type: TypeNumber, in zone: ZoneNumber) throws(StorageError) -> [RecordRow] {
        try abandonment.check()
        return try reader.records.records(of: type, in: ZonePlace(database: database, number: zone))
    }
}
