import NephosStorage

/// Collects the records of a page.
struct PageBuilder {
    let limit: Int
    let byteLimit: Int
    private(set) var records: [RecordRow] = []
    private var bytes = 0

    init(_ scan: QueryScan) {
        limit = max(1, scan.limit)
        byteLimit = scan.byteLimit
    }

    var missing: Int { limit - records.count }

    /// Adds a record; returns false if it does not fit.
    mutating func append(_ record: RecordRow) -> Bool {
        let size = Int(record.storedBytes)
        guard missing > 0, records.isEmpty || bytes + size <= byteLimit else { return false }
        records.append(record)
        bytes += size
        return true
    }

    /// How many of `want` records to fetch at once: about as much memory as a page.
    func batch(_ want: Int) -> Int {
        let average = records.isEmpty ? 4_096 : max(256, bytes / records.count)
        return max(1, min(want, 128, (byteLimit / average) + 1))
    }
}

/// The first records in an order, from any number of unordered ones.
struct FirstRecords {
    private let after: QueryScan.Position?
    private let countMax: Int
    private let bytesMax: Int
    private var found: [(position: QueryScan.Position, record: RecordRow)] = []
    private var bytes = 0

    /// - Parameter page: The number missing in it is collected, plus one to see whether there are more.
    init(after: QueryScan.Position?, for page: PageBuilder) {
        self.after = after
        countMax = page.missing + 1
        bytesMax = max(1, page.byteLimit)
    }

    mutating func offer(_ record: RecordRow, key: [UInt8]) {
        let position = QueryScan.Position(key: key[...], zone: record.zone, record: record.number)
        if let after, !(after < position) { return }
        found.append((position, record))
        bytes += Int(record.storedBytes)
        if found.count > 2 * countMax || bytes / 2 > bytesMax && found.count > 64 { trim() }
    }

    /// Drops what no page can contain.
    private mutating func trim() {
        found.sort { $0.position < $1.position }
        bytes = 0
        var kept = 0
        while kept < min(found.count, countMax), kept < 2 || bytes <= bytesMax {
            bytes += Int(found[kept].record.storedBytes)
            kept += 1
        }
        found.removeLast(found.count - kept)
    }

    /// Moves the first records into the page.
    ///
    /// - Returns: Where the next page continues; nil if nothing is left.
    mutating func fill(_ page: inout PageBuilder, from position: QueryScan.Position?) -> QueryScan.Position? {
        trim()
        var last = position
        for (position, record) in found {
            guard page.append(record) else { return last }
            last = position
        }
        return nil
    }
}
