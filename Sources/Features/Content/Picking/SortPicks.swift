import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension Job {
    /// Sorts content records for picking: those saved since the last run, and those that begin or end by the clock.
    static func sortPicks(_ worker: Worker) -> Job {
        Job(Content.picks, dueAfterWriting: nil) { run, store in
            try await SortPicks(worker, run, store).untilDone()
        }
    }
}

/// A run of the job that keeps ``PickItemRow``, ``PickGroupRow`` and ``PickIndexRow`` in line with the records. It alone writes
/// them, under a lease, and a row is changed only from the value that was read: so what it reads before a transaction is still
/// valid in it.
struct SortPicks {
    /// The limits of a transaction: changes of the feed that are examined, and records that are sorted.
    private static let examined = 5_000, rows = 250
    private static let pageBytes = 2 << 20

    private let worker: Worker
    private let run: JobRun
    private let store: any TenantStore

    init(_ worker: Worker, _ run: JobRun, _ store: any TenantStore) {
        (self.worker, self.run, self.store) = (worker, run, store)
    }

    func untilDone() async throws -> Job.End {
        while true {
            let state = try await state()
            guard let state else { return .finished }
            if let stale = state.stale {
                try await forget(stale)
            } else if let missing = state.missing {
                try await begin(missing, state)
            } else if try await !follow(state), try await !passMoments(state) {
                return state.indexes.map(\.row.moment).min().flatMap { $0 == PickItemRow.never ? nil : .again(at: $0) }
                    ?? .finished
            }
            try await run.keep()
        }
    }

    // MARK: State

    private struct State {
        let catalog: Catalog
        let zone: ZoneRow
        /// Sorted content types.
        var indexes: [(row: PickIndexRow, type: RecordType, content: ContentType)] = []
        /// A type that is no longer content, or is sorted by other fields than those in the settings.
        var stale: PickIndexRow?
        /// A content type that is not sorted yet.
        var missing: (type: RecordType, content: ContentType)?
    }

    /// - Returns: nil if there is nothing to sort by; settings written by a newer server are left to that server.
    private func state() async throws -> State? {
        var set = ReadSet()
        set.zones = [.name(Content.database, defaultZoneName)]
        set.ask(PickIndexRow.all)
        let reading = try await worker.read(set, from: store)
        guard let zone = reading.zones.first ?? nil else { return nil }
        let settings: ContentSettings
        do throws(SectionFailure) { settings = try reading.catalog.content() } catch { return nil }
        var state = State(catalog: reading.catalog, zone: zone)
        var rows = Dictionary(reading[PickIndexRow.all].map { ($0.type, $0) }) { first, _ in first }
        for (name, content) in settings.types.sorted(by: { $0.key < $1.key }) {
            guard let type = reading.catalog.types[name] else { continue }
            if let row = rows[type.row.number], row.fields == content.print(of: type), row.zone == zone.number {
                state.indexes.append((row, type, content))
                rows[type.row.number] = nil
            } else if rows[type.row.number] == nil, state.missing == nil {
                state.missing = (type, content)
            }
        }
        state.stale = rows.values.min { $0.type < $1.type }
        return state
    }

    // MARK: Beginning and ending

    private func begin(_ new: (type: RecordType, content: ContentType), _ state: State) async throws {
        var set = WriteSet()
        set.put(
            PickIndexRow(
                type: new.type.row.number, fields: new.content.print(of: new.type), zone: state.zone.number,
                sequence: 0,
                // A cached version of the same type from earlier has a lower number.
                version: max(run.now, 1), moment: PickItemRow.never))
        try await write(set)
    }

    /// Removes some of a type's rows, and finally its index row.
    private func forget(_ row: PickIndexRow) async throws {
        let (items, groups) = (PickItemRow.all(of: row.type, limit: 2 * Self.rows), PickGroupRow.all(of: row.type))
        var asked = ReadSet()
        asked.ask(items)
        asked.ask(groups)
        let reading = try await worker.read(asked, from: store)
        var set = WriteSet()
        for item in reading[items] { set.remove(item) }
        if reading[items].count < 2 * Self.rows {
            for group in reading[groups] { set.remove(group) }
            set.remove(row)
        }
        try await write(set)
    }

    // MARK: Saved records

    /// Sorts the oldest changes that are not sorted yet.
    ///
    /// - Returns: Whether there were any.
    private func follow(_ state: State) async throws -> Bool {
        guard let sequence = state.indexes.map(\.row.sequence).min() else { return try await clearGone() }
        let behind = state.indexes.filter { $0.row.sequence == sequence }
        let gone = GoneRow.first(Self.rows)
        var asked = ReadSet()
        asked.ask(gone)
        asked.feeds = [
            FeedScan(
                zone: .number(Content.database, state.zone.number), bound: sequence, tombstonesAfter: .max,
                types: Set(behind.map(\.type.row.number)), limit: Self.rows, byteLimit: Self.pageBytes,
                examinedLimit: Self.examined)
        ]
        let reading = try await worker.read(asked, from: store)
        let (removed, page) = (reading[gone], reading.feeds.first ?? nil)
        let isPast = (page?.position ?? sequence) <= sequence
        guard !removed.isEmpty || !isPast else { return false }
        var set = WriteSet()
        for row in removed { set.remove(row) }
        for index in state.indexes {
            var records: [RecordRow] = []
            for case .record(let record) in page?.changes ?? [] where record.type == index.row.type {
                records.append(record)
            }
            let isBehind = index.row.sequence == sequence
            try await sort(
                isBehind ? records : [], gone: removed.map(\.name), index,
                sequence: isBehind ? page?.position : nil, to: &set)
        }
        try await write(set)
        return true
    }

    /// If there are no content types anymore, deletions need not be followed.
    private func clearGone() async throws -> Bool {
        let removed = try await worker.rows(GoneRow.first(Self.rows), from: store)
        var set = WriteSet()
        for row in removed { set.remove(row) }
        try await write(set)
        return !removed.isEmpty
    }

    /// Sorts records that have begun or ended.
    ///
    /// - Returns: Whether there were any.
    private func passMoments(_ state: State) async throws -> Bool {
        let now = run.now
        for index in state.indexes where index.row.moment <= now {
            let due = PickItemRow.due(index.row.type, at: now, limit: Self.rows)
            let names = try await worker.rows(due, from: store).map(\.name)
            var asked = ReadSet()
            asked.records = names.map { RecordKey(zone: .number(Content.database, state.zone.number), name: $0) }
            let found = try await worker.read(asked, from: store).records
            var (records, gone) = ([RecordRow](), [Name]())
            for (name, found) in zip(names, found) {
                switch found {
                case .record(let record) where record.type == index.row.type: records.append(record)
                case .beyondLimit: break
                case .absent, .outside, .record: gone.append(name)
                }
            }
            var set = WriteSet()
            try await sort(records, gone: gone, index, sequence: nil, to: &set)
            try await write(set)
            return true
        }
        return false
    }

    // MARK: Sorting

    private func sort(
        _ records: [RecordRow], gone: [Name],
        _ index: (row: PickIndexRow, type: RecordType, content: ContentType), sequence: Sequence?,
        to set: inout WriteSet
    ) async throws {
        let type = index.row.type
        var row = index.row
        if let sequence { row.sequence = sequence }
        let known = Set(gone + records.map(\.name)).sorted()
        var isChanged = false
        if !known.isEmpty {
            let (named, groups) = (PickItemRow.of(known, type: type), PickGroupRow.all(of: type))
            var asked = ReadSet()
            asked.ask(named)
            asked.ask(groups)
            let reading = try await worker.read(asked, from: store)
            let tails = PickBook.tails(of: reading[named], type)
            var more = ReadSet()
            for tail in tails { more.ask(tail) }
            let ends = try await worker.read(more, from: store)
            var book = PickBook(type, reading[groups], reading[named], tails: tails.flatMap { ends[$0] })
            for name in gone where book.place(name, nil) { isChanged = true }
            let now = run.now
            for record in records {
                let placement = PickPlacement(record, index.content, index.type, at: now)
                // A change within a record changes responses, even if its place stays the same.
                if book.place(record.name, placement) || placement != nil { isChanged = true }
            }
            book.write(to: &set)
            row.moment = try await nextMoment(of: type, book)
        }
        if isChanged { row.version = max(row.version + 1, run.now) }
        if row != index.row { set.put(row, replacing: index.row) }
    }

    /// When the next record begins or ends, including changes that are not written yet.
    private func nextMoment(of type: TypeNumber, _ book: PickBook) async throws -> Milliseconds {
        let next = PickItemRow.next(type, limit: book.touched + 1)
        let stored = try await worker.rows(next, from: store).filter { !book.touches($0) }.map(\.moment).min()
        return min(stored ?? PickItemRow.never, book.nextMoment)
    }

    private func write(_ set: WriteSet) async throws {
        guard !set.isEmpty else { return }
        try await worker.runner.commit(ReadSet(), to: store) { _ in .write(set, ()) }
    }
}
