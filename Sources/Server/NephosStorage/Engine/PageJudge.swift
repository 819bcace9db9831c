/// Says of row after row whether a page takes it, until one of the page's limits ends it. Every engine ends pages so.
package struct PageJudge {
    package enum Verdict {
        case take, skip
        /// The page ends before this row.
        case stop
    }

    private let limit: Int
    private let byteLimit: Int
    private let examinedLimit: Int
    private var taken = 0
    private var bytes = 0
    /// Rows that were looked at. The one that ended the page is none of them.
    package private(set) var examined = 0
    /// A row ended the page, so that there is more behind it.
    package private(set) var more = false

    /// - Parameters:
    ///   - byteLimit: Most bytes of all rows that are taken; the first always fits.
    ///   - examinedLimit: Most rows to look at.
    package init(limit: Int, byteLimit: Int, examinedLimit: Int = .max) {
        self.limit = limit
        self.byteLimit = byteLimit
        self.examinedLimit = examinedLimit
    }

    /// - Parameters:
    ///   - matches: Whether the page is about this row.
    ///   - size: Bytes that the row adds to the page.
    package mutating func judge(matches: Bool, bytes size: Int) -> Verdict {
        guard examined < examinedLimit else { return stop() }
        if matches {
            if taken == limit { return stop() }
            if taken > 0, bytes + size > byteLimit { return stop() }
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
}

extension PageJudge {
    /// Only pages that filter by type look at rows that they do not take.
    package init(_ scan: FeedScan) {
        self.init(
            limit: scan.limit, byteLimit: scan.byteLimit, examinedLimit: scan.types == nil ? .max : scan.examinedLimit)
    }

    package init(_ scan: NameScan) {
        self.init(limit: scan.limit, byteLimit: scan.byteLimit, examinedLimit: scan.examinedLimit)
    }
}
