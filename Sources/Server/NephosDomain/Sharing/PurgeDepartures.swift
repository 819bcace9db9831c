public import NephosStorage

/// Removes departures that are older than a device may stay away. Whoever has not followed a share since then starts again
/// (``MemberToken``).
public struct PurgeDepartures: Sendable {
    private let departures: [DepartureRow]

    /// What ``init(_:)`` needs.
    public static func old(before time: Milliseconds, limit: Int) -> Scan<DepartureRow> {
        DepartureRow.oldest(before: time, limit: limit)
    }

    /// nil if there is nothing to remove.
    public init?(_ departures: [DepartureRow]) {
        guard !departures.isEmpty else { return nil }
        self.departures = departures
    }

    private var databases: [DatabaseNumber] { Set(departures.map(\.database)).sorted() }

    private func rows(of database: DatabaseNumber) -> [DepartureRow] { departures.filter { $0.database == database } }

    private func stored(_ database: DatabaseNumber) -> Scan<DepartureRow> {
        DepartureRow.keyed(rows(of: database))
    }

    private func shares(_ database: DatabaseNumber) -> Scan<ShareRow> {
        ShareRow.keyed(Set(rows(of: database).map(\.share)).sorted(), in: database)
    }

    public var reading: ReadSet {
        var set = ReadSet()
        set.databases = databases
        for database in databases {
            set.ask(stored(database))
            set.ask(shares(database))
        }
        return set
    }

    /// - Returns: How many were removed.
    public func decide(_ reading: Reading) throws(Refusal) -> Decision<Int> {
        var set = WriteSet()
        var count = 0
        for (database, head) in zip(databases, reading.databases) where head != nil {
            var newest: [ShareNumber: Sequence] = [:]
            for row in reading[stored(database)] {
                set.remove(row)
                count += 1
                newest[row.share] = max(newest[row.share] ?? 0, row.sequence)
            }
            for row in reading[shares(database)] {
                guard let sequence = newest[row.number], sequence > row.purgedSequence else { continue }
                var purged = row
                purged.purgedSequence = sequence
                set.put(purged, replacing: row)
            }
        }
        return .write(set, count)
    }
}
