import NephosStorage

/// What a page may still look at. The first row is always found, so that every page goes on; a brief scan is given up
/// instead.
struct Budget {
    /// Most names and fields that a brief scan fetches, in bytes, and most records at once: they may be large.
    static let briefBytes = 1 << 20
    private static let briefBatch = 16

    private let isBrief: Bool
    private let limit: Int
    private(set) var examined = 0
    /// Of a brief scan: reads that found nothing take time, too.
    private var emptyReads = 0
    private var bytes = 0
    /// Something was found in this page: its end may come.
    var hasProgress: Bool

    init(_ scan: QueryScan) {
        isBrief = scan.isBrief
        limit = scan.rowsMax
        hasProgress = scan.isBrief
    }

    var remaining: Int { max(0, limit - examined - emptyReads) }

    /// A brief scan took more than it may. Whatever it finds from now on, it is given up.
    var isOverdrawn: Bool { isBrief && (examined + emptyReads > limit || bytes > Self.briefBytes) }

    /// How many of `want` records to fetch at once.
    func batch(_ want: Int) -> Int { isBrief ? min(want, Self.briefBatch) : want }

    /// How many of `want` rows may be read now; 0 ends the page.
    func allowance(_ want: Int) -> Int { hasProgress ? min(want, remaining) : max(1, min(want, remaining)) }

    /// Counts what one read found.
    mutating func spend(_ rows: Int) {
        examined += rows
        if isBrief, rows == 0 { emptyReads += 1 }
    }

    mutating func spend(_ records: [RecordRow]) {
        guard isBrief else { return }
        for record in records { bytes += Int(record.storedBytes) }
    }
}
