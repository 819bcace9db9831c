import NephosDomain
import NephosRunner
import NephosStorage

/// Adds the counts of heads to the sums and clears them there, in one transaction: a kill loses nothing and counts nothing twice.
struct FoldTrends {
    /// The maximum delay after the first change.
    static let pause: Milliseconds = 1_000
    /// Databases per transaction, not counting the public one.
    static let databasesMax = 200
    /// Rows of spilled counts per database and transaction.
    private static let spillsMax = 20

    /// Ascending; the public database, which has the sums, is first.
    let databases: [DatabaseNumber]
    private let now: Milliseconds
    private static let news = NewsRow.of([Trends.topic])

    /// - Parameter now: The time.
    init(_ databases: [DatabaseNumber], now: Milliseconds) {
        self.now = now
        self.databases = [Trends.database] + databases.filter { $0 != Trends.database }.sorted()
    }

    private var spills: [Scan<TrendSpillRow>] {
        databases.map { TrendSpillRow.of($0, limit: Self.spillsMax) }
    }

    var reading: ReadSet {
        var set = ReadSet()
        set.databases = databases
        for scan in spills { set.ask(scan) }
        set.ask(Self.news)
        return set
    }

    /// Returns whether there is more than fits into one transaction.
    func decide(_ reading: Reading) throws -> Decision<Bool> {
        var sums = TrendSums()
        var set = WriteSet()
        var isMore = false
        for (head, scan) in zip(reading.databases, spills) {
            guard var head else { continue }
            let spilled = reading[scan]
            isMore = isMore || spilled.count == Self.spillsMax
            for row in spilled {
                sums.add(row.counts, TrendSide(head.kind))
                set.remove(row)
            }
            let before = head.annex
            for name in [Trends.name, PartAnnex.name] {
                sums.add(head.annex[name], TrendSide(head.kind))
                _ = head.annex.set([], of: name)
            }
            if head.annex != before { set.heads.append(head) }
        }
        if let more = sums.unread(reading) { return .need(more) }
        try sums.write(reading, at: now, to: &set)
        if !sums.isEmpty { set.post(Trends.topic, replacing: reading[Self.news].first, at: now) }
        return .write(set, isMore)
    }
}
