/// Decides for each row whether a page includes it, until a limit ends the page. Shared by all engines.
package struct PageLimiter {
    package enum Verdict {
        case take, skip
        /// The page ends before this row.
        case stop
    }

    private let limit: Int
    private let byteLimit: Int
    private let examinedLimit: Int
    /// The budget that the page shares with other pages; nil if it has none.
    private let shared: SharedPages?
    private var taken = 0
    private var bytes = 0
    /// The number of examined rows, without the one that ended the page.
    package private(set) var examined = 0
    /// Whether the page ended before a row, so that the next page has more.
    package private(set) var more = false
    /// Whether the shared budget ended the page.
    fileprivate private(set) var isCutShort = false

    /// - Parameters:
    ///   - byteLimit: Maximum number of bytes of all included rows; the first always fits.
    ///   - examinedLimit: Maximum number of rows to examine.
    package init(limit: Int, byteLimit: Int, examinedLimit: Int = .max, sharing shared: SharedPages? = nil) {
        self.shared = shared
        self.limit = limit
        self.byteLimit = byteLimit
        self.examinedLimit = examinedLimit
    }

    /// Decides whether the page includes the next row.
    ///
    /// - Parameters:
    ///   - matches: Whether the row belongs to the page.
    ///   - size: The number of bytes that the row adds to the page.
    package mutating func admit(matches: Bool, bytes size: Int) -> Verdict {
        guard examined < examinedLimit else { return stop() }
        if let shared, examined >= shared.rowsLeft { return cutShort() }
        if matches {
            if taken == limit { return stop() }
            if taken > 0, bytes + size > byteLimit { return stop() }
            if let shared, !shared.hasRoom(bytes: bytes + size, isFirst: taken == 0) { return cutShort() }
            taken += 1
            bytes += size
        }
        examined += 1
        return matches ? .take : .skip
    }

    private mutating func stop() -> Verdict {
        more = true
        return .stop
    }

    private mutating func cutShort() -> Verdict {
        isCutShort = true
        return stop()
    }
}

/// The feeds of a read set, whose pages share one budget.
package struct SharedPages {
    private let budget: FeedBudget
    package private(set) var work = ReadWork()
    /// Whether the budget ended a page.
    package private(set) var areCutShort = false

    package init(_ budget: FeedBudget) { self.budget = budget }

    package var rowsLeft: Int { max(0, budget.rows - work.rows) }

    fileprivate func hasRoom(bytes: Int, isFirst: Bool) -> Bool {
        work.bytes + bytes <= budget.bytes || isFirst && work.records == 0
    }

    /// Adds the work of a page that has ended.
    package mutating func end(_ limiter: PageLimiter) {
        work += limiter.work
        if limiter.isCutShort { areCutShort = true }
    }
}

extension PageLimiter {
    /// Creates a limiter for a feed. Only pages that filter by type examine rows that they do not include.
    package init(_ scan: FeedScan, sharing shared: SharedPages) {
        self.init(
            limit: scan.limit, byteLimit: scan.byteLimit, examinedLimit: scan.types == nil ? .max : scan.examinedLimit,
            sharing: shared)
    }

    /// The work of the page; a tombstone that it includes counts as a record.
    fileprivate var work: ReadWork { ReadWork(rows: examined, records: taken, bytes: bytes) }

    package init(_ scan: NameScan) {
        self.init(limit: scan.limit, byteLimit: scan.byteLimit, examinedLimit: scan.examinedLimit)
    }

    package init(_ scan: ShareScan, sharing shared: SharedPages) {
        self.init(
            limit: scan.limit, byteLimit: scan.byteLimit, examinedLimit: scan.types == nil ? .max : scan.examinedLimit,
            sharing: shared)
    }

    package init(_ walk: RecordWalk) { self.init(limit: walk.limit, byteLimit: walk.byteLimit) }
}
