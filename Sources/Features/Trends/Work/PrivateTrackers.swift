import NephosDomain
import NephosStorage

/// Begins counting what is wanted and not yet counted in a private database.
struct BeginInPrivate {
    let database: DatabaseNumber

    var reading: ReadSet {
        var set = ReadSet()
        set.databases = [database]
        set.ask(TrackerRow.all)
        return set
    }

    func decide(_ reading: Reading) throws -> Decision<Void> {
        guard var head = reading.databases.first.flatMap(\.self) else { return .write(WriteSet(), ()) }
        let wanted = reading[TrackerRow.all].filter { $0.side == .inPrivate && $0.phase == .counting }
        var state = head.trends
        for row in wanted where state[row.key] == nil {
            var larger = state
            larger[row.key] = TrendState.Progress(begunAt: head.time, through: head.recordNumber)
            guard larger.hasRoom else { break }
            state = larger
        }
        guard state != head.trends else { return .write(WriteSet(), ()) }
        try head.setTrends(state)
        var set = WriteSet()
        set.heads = [head]
        return .write(set, ())
    }
}

/// Stops counting something in a private database.
struct ForgetInPrivate {
    let database: DatabaseNumber
    let key: TrendKey

    var reading: ReadSet {
        var set = ReadSet()
        set.databases = [database]
        set.ask(TrendSpillRow.of(database, limit: .max))
        return set
    }

    func decide(_ reading: Reading) throws -> Decision<Void> {
        var set = WriteSet()
        if var head = reading.databases.first.flatMap(\.self) {
            let before = head.annex
            var state = head.trends
            state[key] = nil
            try head.setTrends(state)
            UnfoldedCounts(reading[TrendSpillRow.of(database, limit: .max)]).forget([key], &head, &set)
            if head.annex != before { set.heads = [head] }
        }
        return .write(set, ())
    }
}

/// Records up to which private database a tracker has been processed.
struct MoveTracker {
    let row: TrackerRow
    let next: DatabaseNumber

    var reading: ReadSet {
        var set = ReadSet()
        set.databases = [Trends.database]
        set.ask(TrackerRow.all)
        return set
    }

    /// Returns the updated tracker; nil if it has changed meanwhile.
    func decide(_ reading: Reading) -> Decision<TrackerRow?> {
        guard let stored = reading[TrackerRow.all].first(where: { $0.side == row.side && $0.key == row.key }),
            stored.phase == row.phase, stored.next == row.next
        else { return .write(WriteSet(), nil) }
        var moved = stored
        moved.next = next
        var set = WriteSet()
        set.put(moved, replacing: stored)
        return .write(set, moved)
    }
}
