import NephosDomain
import NephosRunner
import NephosStorage

/// The background work on trends of an environment, one transaction at a time: adding up what saves have counted, and counting
/// back existing records. Several processes may run it concurrently: each transaction locks the head of the public database.
struct TrendWork {
    /// Private databases processed together.
    private static let databasesMax: DatabaseNumber = 200

    let access: any CountingAccess
    let now: Milliseconds
    /// Receives the progress of counting back, in percent.
    var progress: @Sendable (Int) -> Void = { _ in }

    /// - Parameter gauges: Receives the counts if the settings ask for metrics.
    static func job(_ worker: Worker, _ gauges: TrendGauges) -> Job {
        Job(Trends.name, dueAfterWriting: nil) { run, store in
            let work = TrendWork(access: JobAccess(worker: worker, run: run, store: store), now: run.now)
            try await work.count()
            let ends = [try await work.raiseAlarms(), try await gauges.measure(store, by: worker, now: run.now)]
            return ends.compactMap { if case .again(let time) = $0 { time } else { nil } }.min().map { .again(at: $0) }
                ?? .finished
        }
    }

    /// Performs all pending counting.
    func count() async throws {
        var isWaiting: Bool
        // What is waiting for room gets it once others are counted back.
        repeat {
            isWaiting = try await adjust()
            try await fold()
        } while try await countBack(Trends.database) && isWaiting
        try await countBackPrivate()
    }

    @discardableResult
    private func commit<Answer: Sendable>(
        _ set: ReadSet, _ decide: @escaping @Sendable (Reading) throws -> Decision<Answer>
    ) async throws -> Answer {
        try await access.commit(set, decide)
    }

    // MARK: Adjusting

    /// - Returns: Whether something is waiting for room.
    private func adjust() async throws -> Bool {
        let adjust = AdjustTrackers()
        let isWaiting = try await commit(adjust.reading, adjust.decide)
        let ended = try await trackers().filter { $0.phase == .forgetting }
        for row in ended {
            var row = row
            if row.side == .inPrivate { row = try await forgetInHeads(row) }
            let forget = ForgetTracker(row: row, now: now)
            while try await commit(forget.reading, forget.decide) {}
        }
        // What is wanted again begins anew.
        return ended.isEmpty ? isWaiting : try await commit(adjust.reading, adjust.decide)
    }

    private func trackers() async throws -> [TrackerRow] {
        var set = ReadSet()
        set.ask(TrackerRow.all)
        return try await access.read(set)[TrackerRow.all]
    }

    // MARK: Folding

    private func fold() async throws {
        var after: DatabaseNumber = 0
        while true {
            var set = ReadSet()
            set.annexes = [AnnexScan(after: after, limit: FoldTrends.databasesMax)]
            let heads = try await access.read(set).annexes.first ?? []
            guard let last = heads.last else { return }
            let counted = heads.filter { !$0.annex[Trends.name].isEmpty || !$0.annex[PartAnnex.name].isEmpty }
            for head in counted where head.kind == .personal {
                // It only signals that counting has to begin.
                if TrendAnnex(head.annex[Trends.name]).isEmpty { try await begin(in: head.database) }
                try await countBack(head.database)
            }
            if !counted.isEmpty {
                let fold = FoldTrends(counted.map(\.database), now: now)
                while try await commit(fold.reading, fold.decide) {}
            }
            after = last.database
        }
    }

    // MARK: Existing records

    /// - Returns: Whether there was anything to count.
    @discardableResult
    private func countBack(_ database: DatabaseNumber) async throws -> Bool {
        var isAny = false
        while let state = try await head(database)?.trends, let chunk = state.next {
            isAny = true
            if database == Trends.database { progress(state.percent) }
            let step = Backfill(database, chunk, now: now)
            try await commit(step.reading, step.decide)
        }
        return isAny
    }

    private func head(_ database: DatabaseNumber) async throws -> HeadRow? {
        var set = ReadSet()
        set.databases = [database]
        return try await access.read(set).databases.first.flatMap(\.self)
    }

    /// Begins what is counted of private databases in one of them, and counts it back.
    private func begin(in database: DatabaseNumber) async throws {
        let begin = BeginInPrivate(database: database)
        try await commit(begin.reading, begin.decide)
        try await countBack(database)
    }

    private func countBackPrivate() async throws {
        for row in try await trackers() where row.side == .inPrivate && row.phase == .counting {
            try await walk(row) { head in
                if head.recordNumber > 0 { try await begin(in: head.database) }
            }
        }
    }

    private func forgetInHeads(_ row: TrackerRow) async throws -> TrackerRow {
        try await walk(row) { head in
            guard head.trends[row.key] != nil || !head.annex[Trends.name].isEmpty else { return }
            let forget = ForgetInPrivate(database: head.database, key: row.key)
            try await commit(forget.reading, forget.decide)
        }
    }

    /// Processes the private databases from the tracker's position, and moves it to the end. - Returns: The moved tracker.
    @discardableResult
    private func walk(_ row: TrackerRow, _ body: (HeadRow) async throws -> Void) async throws -> TrackerRow {
        var row = row
        while true {
            let next = min(row.next + Self.databasesMax, row.through + 1)
            guard next > row.next else { return row }
            var set = ReadSet()
            set.databases = Array(row.next..<next)
            let heads = try await access.read(set).databases
            for head in heads.compactMap(\.self) where head.kind == .personal { try await body(head) }
            let move = MoveTracker(row: row, next: next)
            guard let moved = try await commit(move.reading, move.decide) else { return row }
            row = moved
        }
    }

    // MARK: Alarms

    /// Checks for unusual days if there are alarms: now, and when the day is over.
    private func raiseAlarms() async throws -> Job.End {
        let catalog = try await access.read(ReadSet()).catalog
        let settings: TrendSettings
        do throws(SectionFailure) { settings = try catalog.trends() } catch { return .finished }
        guard let raise = RaiseAlarms(settings, catalog, now: now) else { return .finished }
        try await commit(raise.reading(catalog), raise.decide)
        return .again(at: raise.dayEnd)
    }
}
