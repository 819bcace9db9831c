import NephosStorage

/// What a page may still look at. The first row is always found and the first record always compared, so that every page
/// goes on; a brief scan is given up instead.
struct Budget {
    /// Most bytes of names and fields that are fetched at once.
    private static let fetchBytes = 8 << 20

    private let scan: QueryScan
    /// Rows, bytes and comparisons before the last time when another way was begun.
    private var before = ReadWork()
    private var counted = ReadWork()
    /// Of a brief scan: reads that found nothing take time, too.
    private var emptyReads = 0
    private var isTooMuch = false
    /// Nothing ends it but that nobody waits any more.
    private var isEndless = false
    var meter: Meter
    /// Something was found in this page: its end may come.
    var hasProgress: Bool

    init(_ scan: QueryScan, _ abandonment: Abandonment?) {
        self.scan = scan
        hasProgress = scan.isBrief
        meter = Meter(limit: scan.comparisonsMax, abandonment: abandonment)
    }

    var work: ReadWork {
        var work = counted
        work.comparisons = meter.comparisons
        return work
    }

    var remaining: Int { isEndless ? .max : max(0, scan.rowsMax + before.rows - counted.rows - emptyReads) }

    /// A brief scan took more than it may. Whatever it finds from now on, it is given up.
    var isOverdrawn: Bool {
        guard scan.isBrief else { return false }
        return isTooMuch || meter.isOver || counted.rows + emptyReads > scan.rowsMax || bytesLeft == 0
    }

    private var bytesLeft: Int {
        isEndless ? Self.fetchBytes : max(0, scan.bytesExaminedLimit - (counted.bytes - before.bytes))
    }

    /// No further record is to be compared in this page.
    var isSpent: Bool {
        if scan.isBrief { return isOverdrawn }
        return !isEndless && (meter.isOver || bytesLeft == 0)
    }

    /// How many of `want` rows may be read now; 0 ends the page.
    func allowance(_ want: Int) -> Int { hasProgress ? min(want, remaining) : max(1, min(want, remaining)) }

    /// Another way begins, and has as much as the one that was given up.
    mutating func renew() {
        before = work
        meter.limit = meter.comparisons + min(scan.comparisonsMax, .max - meter.comparisons)
    }

    /// There is no other way: this one is gone to its end.
    mutating func goToTheEnd() {
        isEndless = true
        meter.limit = .max
    }

    /// Counts what one read found.
    mutating func spend(_ rows: Int) {
        counted.rows += rows
        if scan.isBrief, rows == 0 { emptyReads += 1 }
    }

    mutating func spend(_ records: [RecordRow]) {
        counted.records += records.count
        for record in records { counted.bytes += Int(record.storedBytes) }
    }

    /// Fetches the first of some records.
    ///
    /// - Parameter read: Is given those to ask for, and how many bytes they may have.
    mutating func fetch<Key>(
        _ keys: ArraySlice<Key>, _ read: ([Key], Int) throws(StorageError) -> FetchedRecords
    ) throws(StorageError) -> FetchedRecords {
        let room = min(scan.isBrief ? QueryScan.briefBytes - counted.bytes : Self.fetchBytes, bytesLeft)
        var found = try read(Array(keys), room)
        if found.asked == 0, let first = keys.first {
            isTooMuch = scan.isBrief
            if !isTooMuch { found = try read([first], .max) }
        }
        spend(found.records)
        return found
    }

    /// Whether a whole database may be fetched, of so many bytes.
    mutating func mayFetch(bytes: Int64) -> Bool {
        isTooMuch = scan.isBrief && bytes > QueryScan.briefBytes
        return !isTooMuch && bytes <= Self.fetchBytes
    }

    /// Whether a brief scan leaves a record alone, since comparing its members and words takes long.
    mutating func isTooLong(_ record: RecordRow, _ query: PreparedQuery) -> Bool {
        let limit = QueryScan.briefValueBytes
        guard scan.isBrief, record.storedBytes > limit, query.memberBytes(of: record) > limit else { return false }
        isTooMuch = true
        return true
    }

    /// Whether what was compared last was compared to its end.
    func goesOn() throws(StorageError) -> Bool {
        guard meter.isOver else { return true }
        if meter.isAbandoned { throw .abandoned }
        return false
    }

    /// Compares the first record of a page: that is done to its end, so that the page goes on.
    mutating func withoutLimit<Answer>(_ body: (inout Budget) throws(StorageError) -> Answer) throws(StorageError)
        -> Answer
    {
        let limit = meter.limit
        meter.limit = .max
        defer { meter.limit = limit }
        return try body(&self)
    }
}
