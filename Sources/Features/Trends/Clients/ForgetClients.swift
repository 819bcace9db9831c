import CloudKitWire
import Crypto
import NephosDomain
import NephosRunner
import NephosStorage

/// Forgets, in batches, clients that have been absent for longer than the settings keep them; they are then counted as deleted.
struct ForgetClients: Sendable {
    static let job = "clients"
    /// Clients per transaction.
    private static let most = 200

    private let rows: Scan<ClientRow>
    private let now: Milliseconds
    private static let news = NewsRow.of([Trends.topic])

    init(_ settings: ClientSettings, now: Milliseconds) {
        rows = ClientRow.before(now.clientDay - settings.keepDays, limit: Self.most)
        self.now = now
    }

    /// Forgets the client of a person whose account is removed.
    init(of person: UserID, _ catalog: Catalog, now: Milliseconds) {
        let key = SymmetricKey(data: catalog.head.signingKey)
        rows = ClientRow.keyed([ClientReports.Client.person(person).key(by: key)])
        self.now = now
    }

    /// Runs once a day while there are clients.
    static func job(_ worker: Worker) -> Job {
        Job(job, dueAfterWriting: nil) { run, store in
            let settings = try await worker.read(ReadSet(), from: store).catalog.clients
            let step = ForgetClients(settings, now: run.now)
            while try await worker.runner.commit(step.reading, to: store, decide: step.decide) { try await run.keep() }
            let isAny = try await !worker.rows(ClientRow.before(.max, limit: 1), from: store).isEmpty
            return isAny ? .again(at: next(run.now)) : .finished
        }
    }

    /// The start of the next day.
    static func next(_ now: Milliseconds) -> Milliseconds { (now.clientDay + 1) * 86_400_000 }

    var reading: ReadSet {
        var set = ReadSet()
        set.databases = [Trends.database]
        set.ask(rows)
        set.ask(Self.news)
        return set
    }

    /// Returns whether there may be more.
    func decide(_ reading: Reading) throws -> Decision<Bool> {
        let rows = reading[rows]
        guard !rows.isEmpty else { return .write(WriteSet(), false) }
        var sums = TrendSums()
        var set = WriteSet()
        for row in rows {
            set.remove(row)
            sums.add(row, nil, at: now)
        }
        if let more = sums.unread(reading) { return .need(more) }
        try sums.write(reading, at: now, to: &set)
        set.post(Trends.topic, replacing: reading[Self.news].first, at: now)
        return .write(set, rows.count == Self.most)
    }
}
