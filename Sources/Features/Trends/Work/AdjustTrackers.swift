import CloudKitWire
import NephosDomain
import NephosStorage

/// Updates the trackers to match the settings: begins what is new, and ends what is no longer wanted, or was not for a while.
struct AdjustTrackers {
    /// The number of settings changes that are examined; with more, it is unknown what was wanted in between.
    private static let changesMax = 100

    private let trackers = TrackerRow.all
    private let history = SectionChangeRow.newest(limit: changesMax)
    private let spilled = TrendSpillRow.of(Trends.database, limit: .max)
    private let oldestTrash = TrashRow.oldest(in: Trends.database)

    var reading: ReadSet {
        var set = ReadSet()
        set.databases = [Trends.database]
        set.ask(trackers)
        return set
    }

    /// Returns whether something is waiting for room in the head until others are counted back.
    func decide(_ reading: Reading) throws -> Decision<Bool> {
        guard var head = reading.databases.first.flatMap(\.self) else { return .write(WriteSet(), false) }
        let catalog = reading.catalog
        let settings: TrendSettings
        // What a newer server has set up is left unchanged.
        guard !TrendState.isUnreadable(head.annex[TrendState.name]) else { return .write(WriteSet(), false) }
        do throws(SectionFailure) { settings = try catalog.trends() } catch { return .write(WriteSet(), false) }
        let wanted = WantedTrackers(settings, catalog)
        let stored = reading[trackers]
        let isUnseen = stored.contains { $0.phase == .counting && $0.seen < catalog.version }
        let isNew = head.trends[TrendState.all] == nil || wanted.all.contains { one in !stored.contains(one) }
        var more = ReadSet()
        if isUnseen { more.ask(history) }
        if isNew { more.ask(oldestTrash) }
        if let more = reading.unread(of: more) { return .need(more) }
        let ended = stored.filter { row in
            row.phase == .counting
                && !(wanted.contains(row) && (!isUnseen || wasWanted(row, since: row.seen, reading)))
        }
        if ended.contains(where: { $0.side == .inPublic }) {
            more.ask(spilled)
            if let more = reading.unread(of: more) { return .need(more) }
        }
        var set = WriteSet()
        let before = head
        var state = head.trends
        for row in stored where row.phase == .counting {
            var new = row
            if ended.contains(row) {
                (new.phase, new.next, new.through) = (.forgetting, Trends.database, catalog.head.lastDatabase)
                if row.side == .inPublic { state[row.key] = nil }
            } else {
                new.seen = catalog.version
            }
            if new != row { set.put(new, replacing: row) }
        }
        let start = Start(head, isNew ? reading[oldestTrash].first : nil)
        if state[TrendState.all] == nil { state[TrendState.all] = start.progress }
        var isWaiting = false
        for one in wanted.all where !stored.contains(one) {
            if one.side == .inPublic {
                var larger = state
                larger[one.key] = TrendState.Progress(
                    begunAt: start.progress.begunAt, through: start.progress.through)
                guard larger.hasRoom else {
                    isWaiting = true
                    continue
                }
                state = larger
            }
            set.put(
                TrackerRow(
                    side: one.side, type: one.key.type, part: one.key.part, seen: catalog.version,
                    fieldEpoch: one.epoch,
                    // Deleted records of private databases leave nothing to count back.
                    deletedSince: one.side == .inPublic ? start.progress.deletedSince : head.time,
                    through: catalog.head.lastDatabase))
        }
        try head.setTrends(state)
        let forgotten = ended.filter { $0.side == .inPublic }.map(\.key)
        if !forgotten.isEmpty { UnfoldedCounts(reading[spilled]).forget(forgotten, &head, &set) }
        if head != before {
            // Later changes must have a later time than what existed before.
            if isNew { head.time = max(head.time, start.progress.begunAt + 1) }
            set.heads = [head]
        }
        if head != before || !set.isEmpty { set.ask(for: Trends.name, at: head.time) }
        return .write(set, isWaiting)
    }

    /// Whether all settings since a version of the catalog wanted it too.
    private func wasWanted(_ row: TrackerRow, since version: Int64, _ reading: Reading) -> Bool {
        let changes = reading[history]
        let since = changes.filter { $0.version > version }
        guard since.count < changes.count || changes.count < Self.changesMax else { return false }
        return since.filter { $0.name == Trends.name }.allSatisfy { change in
            guard let document = change.document else { return false }
            do throws(SectionFailure) {
                let settings = try CatalogSection.trends.anyValue(of: document) as? TrendSettings
                return settings.map { WantedTrackers($0, reading.catalog).contains(row) } ?? false
            } catch {
                return false
            }
        }
    }

    private struct Start {
        let progress: TrendState.Progress

        init(_ head: HeadRow, _ oldest: TrashRow?) {
            progress =
                head.recordNumber == 0
                ? .whole
                : TrendState.Progress(
                    begunAt: head.time, deletedSince: oldest?.deletedAt ?? head.time, through: head.recordNumber)
        }
    }
}

extension [TrackerRow] {
    fileprivate func contains(_ wanted: WantedTrackers.Wanted) -> Bool {
        // One that is being forgotten begins again once its counts are removed.
        contains { $0.side == wanted.side && $0.key == wanted.key }
    }
}
