import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Recounts the records of an environment and compares them with the sums: types, lists and values.
struct TrendCheck {
    private static let pageRows = 1_000
    /// Attempts, as the database may be written to during a check.
    private static let attempts = 3

    private let administration: Administration
    private let store: any TenantStore
    /// Receives progress messages, for people.
    var progress: (String) -> Void = { _ in }

    init(_ administration: Administration, _ store: any TenantStore) {
        (self.administration, self.store) = (administration, store)
    }

    struct Report: Equatable {
        /// What differs.
        var findings: [CheckFinding] = []
        /// What could not be compared, and why, for people.
        var open: [String] = []

        mutating func add(_ other: Report) {
            findings += other.findings
            open += other.open
        }
    }

    func report() throws(AdminError) -> Report {
        var report = try publicReport()
        report.add(try privateReport())
        return report
    }

    private func publicReport() throws(AdminError) -> Report {
        for _ in 0..<Self.attempts {
            let first = try read(Trends.database)
            guard let head = first.databases.first.flatMap(\.self) else { return Report() }
            guard let real = try recount(head, first.catalog) else { continue }
            let second = try read(Trends.database)
            guard second.databases.first.flatMap(\.self)?.sequence == head.sequence else { continue }
            let (whole, parts) = (head.trends.whole, currentParts(second))
            let findings = compare(real, with: sums(second, .inPublic), second.catalog) { series in
                let key = TrendKey(type: series.type, part: series.part)
                return series.part == 0 ? whole.contains(TrendState.all) : whole.contains(key) && parts.contains(key)
            }
            let percent = head.trends.percent
            return Report(
                findings: findings,
                open: percent == 100
                    ? [] : ["The public database: only \(percent) % of the earlier records are counted back."])
        }
        return Report(open: ["The public database: it was changed meanwhile."])
    }

    /// Lists and splits whose counts belong to the current fields. The counts of others are about to be removed.
    private func currentParts(_ reading: Reading) -> Set<TrendKey> {
        let settings: TrendSettings
        // Settings written by a newer server are left to that server to compare.
        do throws(SectionFailure) { settings = try reading.catalog.trends() } catch { return [] }
        let wanted = WantedTrackers(settings, reading.catalog)
        return Set(
            reading[TrackerRow.all].filter { $0.phase == .counting && $0.side == .inPublic && wanted.contains($0) }
                .map(\.key))
    }

    /// All private databases together.
    private func privateReport() throws(AdminError) -> Report {
        let trackers = try administration.rows(TrackerRow.all, of: store)
            .filter { $0.side == .inPrivate && $0.phase == .counting }
        let catalog = try administration.read(store).catalog
        let last = catalog.head.lastDatabase
        let open = trackers.filter { $0.next <= $0.through }
        var report = Report()
        if let percent = open.map(\.percent).min() {
            report.open.append("Private databases: only \(percent) % of the earlier records are counted back.")
        }
        guard trackers.count > open.count, last > 1 else { return report }
        let types = Set(trackers.filter { $0.next > $0.through }.map(\.type))
        guard let findings = try privateFindings(of: types, catalog, through: last) else {
            report.open.append("Private databases: they were changed meanwhile.")
            return report
        }
        report.findings = findings
        return report
    }

    /// nil if any database was written to meanwhile.
    private func privateFindings(
        of types: Set<TypeNumber>, _ catalog: Catalog, through last: DatabaseNumber
    ) throws(AdminError) -> [CheckFinding]? {
        var real: [TrendSeries: Int64] = [:]
        let before = sums(try read(Trends.database), .inPrivate)
        for database in 2...last {
            progress("private databases, \((database - 1) * 100 / last) %")
            let reading = try read(database)
            guard let head = reading.databases.first.flatMap(\.self) else { continue }
            guard let own = try recount(head, catalog) else { return nil }
            // What is not added up yet is in no sum.
            var waiting = TrendSums()
            for bytes in reading[spills(database)].map(\.counts) + [head.annex[Trends.name]] {
                waiting.add(bytes, .inPrivate)
            }
            for (series, count) in own { real[series, default: 0] += count - (waiting.nets[series] ?? 0) }
        }
        let after = sums(try read(Trends.database), .inPrivate)
        guard before == after else { return nil }
        return compare(real, with: after, catalog) { types.contains($0.type) }
    }

    // MARK: Counts from the sums

    private static let rare = TrendRareRow.all(of: .inPublic)

    private struct Sums: Equatable {
        /// How many there are of each series that is counted by itself.
        var live: [TrendSeries: Int64]
        /// How many have each value that is a part of "other".
        var rare: [TrendSeries: Int64] = [:]
    }

    private func spills(_ database: DatabaseNumber) -> Scan<TrendSpillRow> { TrendSpillRow.of(database, limit: .max) }

    private func read(_ database: DatabaseNumber) throws(AdminError) -> Reading {
        var set = ReadSet()
        set.databases = [database]
        set.ask(TrendSumRow.all)
        set.ask(TrackerRow.all)
        set.ask(spills(database))
        if database == Trends.database { set.ask(Self.rare) }
        return try administration.read(store, set)
    }

    /// The number of records, from the sums and what is pending in the head of the public database.
    private func sums(_ reading: Reading, _ side: TrendSide) -> Sums {
        let rows = reading[TrendSumRow.all].filter { $0.series.side == side }
        var sums = Sums(live: Dictionary(rows.map { ($0.series, $0.counts.net) }) { first, _ in first })
        guard side == .inPublic, let head = reading.databases.first.flatMap(\.self) else { return sums }
        for row in reading[Self.rare] { sums.rare[row.series] = row.count }
        var waiting = TrendSums()
        for bytes in reading[spills(head.database)].map(\.counts)
            + [head.annex[Trends.name], head.annex[PartAnnex.name]]
        {
            waiting.add(bytes, .inPublic)
        }
        var known = SplitValues(rows)
        let nets = waiting.nets
        for series in waiting.inOrder {
            let net = nets[series] ?? 0
            let counted = series.part == 0 ? series : known.counted(series, net: net)
            sums.live[counted, default: 0] += net
            if counted != series { sums.rare[series, default: 0] += net }
        }
        return sums
    }

    // MARK: Counts from the records

    /// Counts what is completely counted back in a database; nil if it was written to meanwhile.
    private func recount(_ head: HeadRow, _ catalog: Catalog) throws(AdminError) -> [TrendSeries: Int64]? {
        let state = head.trends
        let whole = state.whole
        guard !whole.isEmpty else { return [:] }
        var count = RecordCount(TrendSide(head.kind), whole, catalog)
        var position: RecordNumber = 0
        while position < head.recordNumber {
            var set = ReadSet()
            set.databases = [head.database]
            set.walks = [
                RecordWalk(head.database, above: position, through: head.recordNumber, limit: Self.pageRows)
            ]
            let reading = try administration.read(store, set)
            guard let page = reading.walks.first,
                reading.databases.first.flatMap(\.self)?.sequence == head.sequence
            else { return nil }
            for record in page.records { count.add(record) }
            position = page.position
            if head.database == Trends.database {
                progress("the public database, \(position * 100 / max(1, head.recordNumber)) %")
            }
        }
        return count.live
    }

    /// - Parameter isCounted: Whether a series is completely counted.
    private func compare(
        _ real: [TrendSeries: Int64], with sums: Sums, _ catalog: Catalog, _ isCounted: (TrendSeries) -> Bool
    ) -> [CheckFinding] {
        var known = SplitValues(sums.live)
        var real = real
        var rare: [TrendSeries: Int64] = [:]
        for (series, count) in real where series.part != 0 {
            let counted = known.counted(series, net: 0)
            guard counted != series else { continue }
            real[series] = nil
            real[counted, default: 0] += count
            rare[series] = count
        }
        func findings(
            _ table: String, _ stored: [TrendSeries: Int64], _ counted: [TrendSeries: Int64], _ words: String
        ) -> [CheckFinding] {
            Set(stored.keys).union(counted.keys).sorted().compactMap { series in
                let (said, found) = (stored[series] ?? 0, counted[series] ?? 0)
                guard said != found, isCounted(series), let type = catalog.type(series.type) else { return nil }
                let part = catalog.parts(of: type.row.name)?.parts.first { $0.id == series.part }
                let what = [type.row.name.text, part?.field.text, series.value.isEmpty ? nil : series.valueText]
                    .compactMap(\.self).joined(separator: ".")
                let place = series.side == .inPublic ? "" : " in private databases"
                return CheckFinding(table: table, what: "\(what)\(place): \(words) \(said), but there are \(found)")
            }
        }
        return findings(TrendSumRow.table.name, sums.live, real, "the sums are")
            + findings(TrendRareRow.table.name, sums.rare, rare, "the rows of rare values say")
    }
}

/// Counts records, lists and values.
private struct RecordCount {
    private(set) var live: [TrendSeries: Int64] = [:]
    private let side: TrendSide
    private let counted: Set<TrendKey>
    private let catalog: Catalog
    private var newest: [TrendKey: (at: Milliseconds, number: RecordNumber)] = [:]

    init(_ side: TrendSide, _ counted: Set<TrendKey>, _ catalog: Catalog) {
        (self.side, self.counted, self.catalog) = (side, counted, catalog)
        let all = counted.contains(TrendState.all)
        for type in catalog.types.values where all || counted.contains(TrendKey(type: type.row.number)) {
            live[TrendSeries(side: side, type: type.row.number)] = 0
        }
    }

    mutating func add(_ record: RecordRow) {
        guard let type = catalog.type(record.type) else { return }
        if counted.contains(TrendState.all) || counted.contains(TrendKey(type: record.type)) {
            live[TrendSeries(side: side, type: record.type), default: 0] += 1
        }
        guard side == .inPublic, let parts = catalog.parts(of: type.row.name) else { return }
        let amounts = parts.amounts(of: record.name, record.liveFields(of: type))
        for (part, amount) in zip(parts.parts, amounts) {
            let key = TrendKey(type: record.type, part: part.id)
            guard counted.contains(key) else { continue }
            let series = TrendSeries(type: record.type, part: part.id, value: amount.value)
            guard part.kind == .newest else {
                live[series, default: 0] += amount.count
                continue
            }
            let own = (at: record.createdAt, number: record.number)
            if let last = newest[key], own < last { continue }
            newest[key] = own
            live[series] = amount.count
        }
    }
}
