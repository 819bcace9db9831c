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

    /// Takes a record in; false when the page is full without it.
    mutating func append(_ record: RecordRow) -> Bool {
        let size = Int(record.storedBytes)
        guard missing > 0, records.isEmpty || bytes + size <= byteLimit else { return false }
        records.append(record)
        bytes += size
        return true
    }

    /// How many records to fetch at once, of `want`: so many that they take about as much memory as a page.
    func batch(_ want: Int) -> Int {
        let average = records.isEmpty ? 4_096 : max(256, bytes / records.count)
        return max(1, min(want, 128, (byteLimit / average) + 1))
    }
}

/// The first records of an order, out of any number that come in no order.
struct FirstRecords {
    private let after: QueryScan.Position?
    private let countMax: Int
    private let bytesMax: Int
    private var found: [(position: QueryScan.Position, record: RecordRow)] = []
    private var bytes = 0

    /// - Parameter page: What is missing in it is looked for, and one more, to know whether there are more.
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

    /// Forgets what no page can hold.
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

    /// Puts the first records into the page.
    ///
    /// - Returns: Where the next page goes on; nil when nothing is left.
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
