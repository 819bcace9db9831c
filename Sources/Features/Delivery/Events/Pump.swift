import CloudKitWire
package import NephosRunner
package import NephosStorage

/// Turns change events into deliveries: matches them with the subscriptions of their database, and writes deliveries for devices,
/// chunk by chunk (docs/decisions/0006).
///
/// Several processes may do so concurrently. One that is late finds the events gone, or processed in part, and reads again.
package final class Pump: Sendable {
    package struct Place: Hashable, Sendable {
        package var tenant: Tenant
        package var database: DatabaseNumber
    }

    /// Limits per transaction: events, and bytes of their records.
    private static let eventsMax = 200, eventBytesMax = 2 << 20
    /// Limits per transaction: notified subscribers, and deliveries. Low enough to stay under 10 ms.
    private static let matchesMax = 100, deliveriesMax = 200
    /// The maximum number of databases woken by one search.
    private static let databasesMax = 1_000
    /// Subscriptions read at a time.
    private static let subscriptionsMax = 2_000
    /// How often another process may be faster before the rest is left to it.
    private static let staleMax = 20

    private let worker: Worker
    private let options: DeliveryOptions
    private let observer: DeliveryObserver
    private let indexes = IndexCache()
    private let queue = CoalescingWorkQueue<Place>(limit: 4)

    package init(worker: Worker, options: DeliveryOptions, observer: DeliveryObserver) {
        self.worker = worker
        self.options = options
        self.observer = observer
    }

    /// Notifies the pump of events in a database.
    package func wake(_ tenant: Tenant, _ database: DatabaseNumber) {
        queue.submit(Place(tenant: tenant, database: database), drain)
    }

    /// Begins nothing more, and waits for transactions in progress.
    package func stop() async { await queue.stop() }

    private var isStopped: Bool { queue.isStopped }

    /// Wakes for all databases of a tenant that have events, whichever process wrote them.
    package func look(_ store: any TenantStore) async throws {
        var from: DatabaseNumber = 1
        for _ in 0..<Self.databasesMax where !isStopped {
            let scan = ChangeEventRow.oldest(from: from, limit: 1)
            guard let event = try await worker.rows(scan, from: store).first else { return }
            wake(store.tenant, event.database)
            from = event.database + 1
        }
    }

    // MARK: One database

    private func drain(_ place: Place) async {
        await worker.work(at: place.tenant, failed: { observer.failed(place.tenant, $0) }) { store in
            var known = indexes.take(place) ?? KnownDatabase()
            var stale = 0
            while stale < Self.staleMax, !isStopped {
                switch try await step(place, store, &known) {
                case .done: return indexes.keep(known, place)
                case .more: stale = 0
                case .stale: stale += 1
                }
            }
        }
    }

    private enum Progress { case done, more, stale }

    /// Processes the oldest events, as many as fit.
    private func step(
        _ place: Place, _ store: any TenantStore, _ known: inout KnownDatabase
    ) async throws -> Progress {
        let changes = try await look(place, store, &known)
        guard let first = changes.first else { return .done }
        guard var index = known.index else { return .stale }
        // Keeps a single reference while the index is changed, which avoids a copy.
        known.index = nil
        index.forgetHomes()
        defer { known.index = index }
        let matches = index.matches(first, in: known.name(first), comparisonsMax: options.comparisonsMax)
        if matches.list.count > Self.matchesMax || matches.lookedTo != nil {
            return try await deliverInParts(first, in: known.name(first), matches, store, &index)
        }
        var parts = [CreateDeliveries.Part(first, in: known.name(first), matches: matches.list)]
        var room = Self.matchesMax - matches.list.count
        var comparisons = matches.comparisons
        for change in changes.dropFirst() where comparisons < options.comparisonsMax {
            let rest = options.comparisonsMax - comparisons
            let matches = index.matches(change, in: known.name(change), comparisonsMax: rest)
            guard matches.list.count <= room, matches.lookedTo == nil else { break }
            room -= matches.list.count
            comparisons += matches.comparisons
            parts.append(CreateDeliveries.Part(change, in: known.name(change), matches: matches.list))
        }
        return try await deliver(parts, store, &index).progress
    }

    /// Returns the oldest events of the database, after updating the index with all subscriptions saved before them.
    private func look(
        _ place: Place, _ store: any TenantStore, _ known: inout KnownDatabase
    ) async throws -> [WatchedChange] {
        var set = ReadSet()
        set.databases = [place.database]
        set.events = [EventScan(place.database, limit: Self.eventsMax, byteLimit: Self.eventBytesMax)]
        let news = scan(place, after: known.index?.last ?? 0)
        set.ask(news)
        let reading = try await worker.read(set, from: store)
        guard let head = reading.databases[0], let changes = reading.events.first, !changes.isEmpty else { return [] }
        var saved = reading[news]
        if known.index?.catalog.isSame(as: reading.catalog) != true {
            let isNew = known.index == nil
            // A container that was deleted and created again has other zones.
            if known.index?.catalog.head.signingKey != reading.catalog.head.signingKey { known.zones = [:] }
            known.index = SubscriptionIndex(head, reading.catalog)
            if !isNew { saved = try await subscriptions(place, store, after: 0) }
        }
        known.index?.add(saved)
        while saved.count == Self.subscriptionsMax {
            saved = try await subscriptions(place, store, after: known.index?.last ?? 0)
            known.index?.add(saved)
        }
        try await nameZones(of: changes, store, &known)
        return changes
    }

    private func scan(_ place: Place, after sequence: Sequence) -> Scan<SubscriptionRow> {
        SubscriptionRow.savedAfter(sequence, in: place.database, limit: Self.subscriptionsMax)
    }

    private func subscriptions(
        _ place: Place, _ store: any TenantStore, after sequence: Sequence
    ) async throws -> [SubscriptionRow] {
        var set = ReadSet()
        let scan = scan(place, after: sequence)
        set.ask(scan)
        return try await worker.read(set, from: store)[scan]
    }

    private func nameZones(
        of changes: [WatchedChange], _ store: any TenantStore, _ known: inout KnownDatabase
    ) async throws {
        let missing = Set(changes.map(\.event.zone)).filter { known.zones[$0] == nil }
        guard !missing.isEmpty else { return }
        var set = ReadSet()
        set.zones = missing.map { .number(changes[0].event.database, $0) }
        for zone in try await worker.read(set, from: store).zones {
            if let zone { known.zones[zone.number] = zone.name.owned }
        }
    }

    // MARK: Processing

    /// Processes one event with many subscribers, or whose subscribers take long to find, in many transactions.
    private func deliverInParts(
        _ change: WatchedChange, in zone: Name, _ matches: SubscriptionIndex.Matches, _ store: any TenantStore,
        _ index: inout SubscriptionIndex
    ) async throws -> Progress {
        var change = change
        var matches = matches
        while true {
            var rest = matches.list[...]
            repeat {
                let now = rest.prefix(Self.matchesMax)
                rest = rest.dropFirst(Self.matchesMax)
                let isUnfinished = !rest.isEmpty || matches.lookedTo != nil
                if now.isEmpty, isUnfinished { break }
                let part = CreateDeliveries.Part(change, in: zone, matches: Array(now), isUnfinished: isUnfinished)
                guard case (.more, let isWhole) = try await deliver([part], store, &index) else { return .stale }
                guard isWhole else { return .more }
                change.event.notifiedTo = now.last?.sequence ?? change.event.notifiedTo
            } while !rest.isEmpty && !isStopped
            guard let lookedTo = matches.lookedTo, !isStopped else { return .more }
            // Lets other work run in between.
            await Task.yield()
            matches = index.matches(change, in: zone, after: lookedTo, comparisonsMax: options.comparisonsMax)
        }
    }

    private func findHomes(
        _ users: [UserID], _ store: any TenantStore, _ index: inout SubscriptionIndex
    ) async throws {
        guard !users.isEmpty else { return }
        do {
            index.add(homesOf: try await worker.rows(UserRow.keyed(users), from: store))
        } catch StorageError.corrupt(let what) {
            // A user whose row cannot be read is not notified; all others are.
            guard users.count > 1 else { return observer.failed(store.tenant, StorageError.corrupt(what)) }
            for user in users { try await findHomes([user], store, &index) }
        }
    }

    /// - Returns: Also whether everything was processed. If people have many devices, the parts are halved.
    private func deliver(
        _ parts: [CreateDeliveries.Part], _ store: any TenantStore, _ index: inout SubscriptionIndex
    ) async throws -> (progress: Progress, isWhole: Bool) {
        try await findHomes(CreateDeliveries.subscribersWithoutHome(parts, index), store, &index)
        let preparation = CreateDeliveries.preparation(parts, index)
        let reading = try await worker.read(preparation, from: store)
        let creation = CreateDeliveries(parts, index, reading, now: worker.now, window: options.window)
        if creation.deliveries > Self.deliveriesMax, let half = parts.firstHalf {
            return (try await deliver(half, store, &index).progress, false)
        }
        switch try await worker.runner.commit(creation.reading, to: store, decide: creation.decide) {
        case .stale: return (.stale, false)
        case .delivered(_, let gone):
            for sequence in gone { index.remove(sequence) }
            return (.more, true)
        }
    }
}

extension [CreateDeliveries.Part] {
    /// The first half of the events, or of the subscribers of a single event; nil for a single subscriber.
    fileprivate var firstHalf: [CreateDeliveries.Part]? {
        if count > 1 { return Array(prefix(count / 2)) }
        guard var part = first, part.matches.count > 1 else { return nil }
        part.matches = Array<SubscriptionIndex.Match>(part.matches.prefix(part.matches.count / 2))
        part.isUnfinished = true
        return [part]
    }
}
