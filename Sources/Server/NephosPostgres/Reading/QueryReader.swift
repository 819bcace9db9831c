import CloudKitWire
import NephosQueries
import NephosStorage

/// The data source of one query: one database, in the transaction of a read set.
///
/// What a query reads in one zone it usually reads in the next zones, too. Therefore several zones are read at the same time.
struct QueryReader: QuerySource {
    private let tenant: TenantNumber
    private let transaction: Transaction
    private let database: DatabaseNumber
    private let zoneNumbers: [ZoneNumber]
    private let start: QueryStart
    private let indexes: [IndexRow]
    /// All records of the type by zone, in a small database.
    private var whole: [ZoneNumber: [RecordRow]]?
    private var entriesAhead = EntriesAhead()
    /// Counts, up to a limit, and look-ups by name in zones that the query has not reached yet.
    private var counts: [QuestionRange: [ZoneNumber: (count: Int, limit: Int)]] = [:]
    private var named: (names: [Name], records: [ZoneNumber: Rows]) = ([], [:])

    /// What every query needs: the zones, the size of the database, and the indexes.
    static func calls(_ scan: QueryScan, _ tenant: TenantNumber) throws(StorageError) -> [Call] {
        [
            try ZoneReader(tenant: tenant).liveNumbers(in: scan.extent),
            try QueryStart.call(scan, tenant),
            try TableReader(tenant: tenant, isForUpdate: false).call(
                IndexRow.ready(of: scan.type, in: scan.extent.database)),
        ]
    }

    /// - Parameter answers: The results of ``calls(_:_:)``.
    init(
        _ answers: ArraySlice<Rows>, _ scan: QueryScan, _ tenant: TenantNumber, _ transaction: Transaction
    ) throws(StorageError) {
        var answers = answers
        guard let zones = answers.popFirst(), let start = answers.popFirst(), let indexes = answers.popFirst() else {
            throw .failed("a query lacks its answers")
        }
        self.tenant = tenant
        self.transaction = transaction
        database = scan.extent.database
        zoneNumbers = try zones.map { $0.int(0) }
        self.start = try QueryStart(start, scan, tenant)
        whole = self.start.whole
        self.indexes = try TableReader(tenant: tenant, isForUpdate: false).rows(indexes).filter(\.isReadable)
    }

    var abandonment: Abandonment? { transaction.abandonment }

    // MARK: Known

    func zones() -> [ZoneNumber] { zoneNumbers }

    func size() -> (records: Int64, bytes: Int64) { (start.records, start.bytes) }

    func readyIndexes(of type: TypeNumber) -> [IndexRow] { indexes }

    // MARK: Zone by zone

    mutating func entries(
        in range: EntryRange, limit: Int, into entries: inout [IndexEntry]
    ) throws(StorageError) {
        if entriesAhead.take(range, limit: limit, into: &entries) { return }
        let rows = max(limit, stepMin)
        // A range that begins after an entry continues in its own zone only.
        let zones = zones(from: range.zone, more: range.afterRecord == nil ? rowsAheadMax / rows : 0)
        var calls: [Call] = []
        for zone in zones {
            calls.append(
                try EntryReader(tenant: tenant).entries(in: range.moved(to: zone), of: database, limit: rows))
        }
        entriesAhead.keep(try transaction.run(calls), of: range, zones: zones, limit: rows)
        guard entriesAhead.take(range, limit: limit, into: &entries) else {
            throw .failed("entries of a query are missing")
        }
    }

    mutating func count(in range: EntryRange, limit: Int) throws(StorageError) -> Int {
        let question = QuestionRange(range)
        if let known = counts[question]?[range.zone], known.limit >= limit { return min(known.count, limit) }
        let zones = zones(from: range.zone, more: rowsAheadMax / max(1, limit))
        var calls: [Call] = []
        for zone in zones {
            calls.append(try EntryReader(tenant: tenant).count(in: range.moved(to: zone), of: database, limit: limit))
        }
        for (zone, answer) in zip(zones, try transaction.run(calls)) {
            counts[question, default: [:]][zone] = (Int(answer.first?.int(0) ?? 0), limit)
        }
        return counts[question]?[range.zone]?.count ?? 0
    }

    mutating func records(
        named names: [Name], in zone: ZoneNumber, byteLimit: Int
    ) throws(StorageError) -> FetchedRecords {
        if named.names != names { named = (names, [:]) }
        if named.records[zone] == nil {
            let zones = zones(from: zone, more: recordsAheadMax / max(1, names.count))
            var calls: [Call] = []
            for zone in zones {
                calls.append(
                    try RecordReader(tenant: tenant).named(names, in: zone, of: database, byteLimit: byteLimit))
            }
            for (zone, answer) in zip(zones, try transaction.run(calls)) { named.records[zone] = answer }
        }
        guard let rows = named.records.removeValue(forKey: zone) else {
            throw .failed("records of a query are missing")
        }
        return try RecordReader(tenant: tenant).fetched(rows, names) { $0.name(RecordColumns.name) }
    }

    /// A zone and the following ones.
    private func zones(from zone: ZoneNumber, more: Int) -> [ZoneNumber] {
        [zone] + zoneNumbers.drop { $0 <= zone }.prefix(more)
    }

    // MARK: Whole

    func records(_ numbers: [RecordNumber], byteLimit: Int) throws(StorageError) -> FetchedRecords {
        try RecordReader(tenant: tenant).records(numbers, in: database, byteLimit: byteLimit, transaction)
    }

    mutating func records(of type: TypeNumber, in zone: ZoneNumber) throws(StorageError) -> [RecordRow] {
        if let whole { return whole[zone] ?? [] }
        let call = try RecordReader(tenant: tenant).ofType(type, in: zoneNumbers, of: database)
        guard let rows = try transaction.run([call]).first else { throw .failed("a statement has no answer") }
        let records = Dictionary(grouping: try RecordPage(rows, tenant).records(), by: \.zone)
        whole = records
        return records[zone] ?? []
    }
}

/// Minimum number of entries to fetch: a few more cost less than another round trip.
private let stepMin = 64
/// Maximum number of index rows that are read ahead in other zones.
private let rowsAheadMax = 4_096
/// The same for records.
private let recordsAheadMax = 64

/// An ``EntryRange`` without its zone.
private struct QuestionRange: Hashable {
    let index: IndexNumber
    let lower: Bytes
    let afterRecord: RecordNumber?
    let upper: Bytes?

    init(_ range: EntryRange) {
        (index, lower, afterRecord, upper) = (range.index, range.lower, range.afterRecord, range.upper)
    }
}
