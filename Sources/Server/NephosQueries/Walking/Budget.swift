import NephosStorage

/// The remaining budget of a page. The first row is always found and the first record always compared, so that every page makes
/// progress; a brief scan is given up instead.
struct Budget {
    /// The maximum size of names and fields fetched at once.
    private static let fetchBytes = 8 << 20

    private let scan: QueryScan
    /// Rows, bytes and comparisons before the last change of the access path.
    private var before = ReadWork()
    private var counted = ReadWork()
    /// For a brief scan: reads that found nothing also take time.
    private var emptyReads = 0
    private var isTooMuch = false
    /// Only abandonment by the caller ends it.
    private var isEndless = false
    var meter: Meter
    /// Something was found for this page: it may end.
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

    /// A brief scan exceeded its budget. Whatever it finds from now on, it is given up.
    var isOverdrawn: Bool {
        guard scan.isBrief else { return false }
        return isTooMuch || meter.isOver || counted.rows + emptyReads > scan.rowsMax || bytesLeft == 0
    }

    private var bytesLeft: Int {
        isEndless ? Self.fetchBytes : max(0, scan.bytesExaminedLimit - (counted.bytes - before.bytes))
    }

    /// No further record may be compared for this page.
    var isSpent: Bool {
        if scan.isBrief { return isOverdrawn }
        return !isEndless && (meter.isOver || bytesLeft == 0)
    }

    /// How many of `want` rows may be read now; 0 ends the page.
    func allowance(_ want: Int) -> Int { hasProgress ? min(want, remaining) : max(1, min(want, remaining)) }

    /// Another access path begins, with the same budget as the one that was given up.
    mutating func renew() {
        before = work
        meter.limit = meter.comparisons + min(scan.comparisonsMax, .max - meter.comparisons)
    }

    /// There is no other access path: this one is followed to its end.
    mutating func goToTheEnd() {
        isEndless = true
        meter.limit = .max
    }

    /// Counts the rows of one read.
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
    /// - Parameter read: Gets the keys to request, and the maximum size in bytes.
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

    /// Whether a whole database of this size may be fetched.
    mutating func mayFetch(bytes: Int64) -> Bool {
        isTooMuch = scan.isBrief && bytes > QueryScan.briefBytes
        return !isTooMuch && bytes <= Self.fetchBytes
    }

    /// Whether a brief scan skips a record because comparing its members and words takes long.
    mutating func isTooLong(_ record: RecordRow, _ query: PreparedQuery) -> Bool {
        let limit = QueryScan.briefValueBytes
        guard scan.isBrief, record.storedBytes > limit, query.memberBytes(of: record) > limit else { return false }
        isTooMuch = true
        return true
    }

    /// Whether the last comparison was completed.
    func goesOn() throws(StorageError) -> Bool {
        guard meter.isOver else { return true }
        if meter.isAbandoned { throw .abandoned }
        return false
    }

    /// Compares the first record of a page without a limit, so that the page makes progress.
    mutating func withoutLimit<Answer>(_ body: (inout Budget) throws(StorageError) -> Answer) throws(StorageError)
        -> Answer
    {
        let limit = meter.limit
        meter.limit = .max
        defer { meter.limit = limit }
        return try body(&self)
    }
}
