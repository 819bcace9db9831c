package import NephosStorage
import Synchronization

/// What a feature has made ready of a container's records, as long as nobody changes one: a request reads the number of the last news of a
/// topic, and takes what is remembered of that number.
package final class TopicMemory<Ready: Sendable>: Sendable {
    /// Which records are meant: those of one version of the catalog, and of one piece of news. A container that was deleted and made again
    /// has another key.
    package struct Generation: Sendable, Hashable {
        package var catalog: Int64
        package var change: Int64
        package var signingKey: [UInt8]
    }

    /// Makes it ready of what is stored. May wait.
    ///
    /// - Parameter isSame: Whether a reading of the read set that it is given is still of the generation that was asked for.
    /// - Returns: nil where that is no more so.
    package typealias Making =
        @Sendable (
            _ store: any TenantStore, _ set: ReadSet, _ catalog: Catalog, _ now: Milliseconds,
            _ isSame: (Reading) -> Bool
        ) throws -> Ready?

    /// What is remembered of one container.
    private final class Entry: Sendable {
        private let state = Mutex<(generation: Generation, ready: Ready)?>(nil)
        /// Held while it is made, so that of many requests one reads.
        let turn = Mutex<Void>(())

        var last: Ready? { state.withLock { $0?.ready } }

        func ready(_ generation: Generation) -> Ready? {
            state.withLock { state in state.flatMap { $0.generation == generation ? $0.ready : nil } }
        }

        func remember(_ generation: Generation, _ ready: Ready) { state.withLock { $0 = (generation, ready) } }
    }

    /// Containers that are remembered; past this many, one is forgotten for each that comes. A static member of a generic type would be one
    /// for each type.
    private let tenantsMax = 256
    /// How often records may change while they are read, before it is given up.
    private let attemptsMax = 5

    private let news: Scan<NewsRow>
    private let holds: @Sendable (Ready, Milliseconds) -> Bool
    private let make: Making
    private let entries = Mutex<[Tenant: Entry]>([:])

    /// What a request reads to know the generation.
    package let reading: ReadSet

    /// - Parameters:
    ///   - holds: Whether something that was made ready is good at a moment.
    ///   - make: Makes it.
    package init(
        _ topic: Topic, holds: @escaping @Sendable (Ready, Milliseconds) -> Bool, make: @escaping Making
    ) {
        news = NewsRow.of([topic])
        var set = ReadSet()
        set.ask(news)
        reading = set
        (self.holds, self.make) = (holds, make)
    }

    package func generation(_ reading: Reading) -> Generation {
        Generation(
            catalog: reading.catalog.version, change: reading[news].first?.number ?? 0,
            signingKey: reading.catalog.head.signingKey)
    }

    /// What is remembered, where it holds at a moment.
    package func ready(_ generation: Generation, of tenant: Tenant, now: Milliseconds) -> Ready? {
        guard let ready = entries.withLock({ $0[tenant] })?.ready(generation), holds(ready, now) else { return nil }
        return ready
    }

    /// What was remembered last, whatever is stored by now: for what a request may read along.
    package func last(of tenant: Tenant) -> Ready? { entries.withLock({ $0[tenant] })?.last }

    /// What is stored now, remembered or read. May wait.
    package func current(_ store: any TenantStore, now: Milliseconds) throws -> Ready {
        let generation = generation(try store.read(reading))
        return try ready(generation, of: store.tenant, now: now) ?? load(store, now: now)
    }

    /// Makes it, unless somebody has done so meanwhile. May wait.
    package func load(_ store: any TenantStore, now: Milliseconds) throws -> Ready {
        let entry = entry(of: store.tenant)
        return try entry.turn.withLock { _ in
            // Somebody may have changed a record while this waited, and whoever was before it has read that already.
            if let ready = entry.ready(generation(try store.read(reading))), holds(ready, now) { return ready }
            for _ in 0..<attemptsMax {
                let first = try store.read(reading)
                let generation = generation(first)
                guard
                    let ready = try make(store, reading, first.catalog, now, { self.generation($0) == generation })
                else { continue }
                entry.remember(generation, ready)
                return ready
            }
            throw StorageError.busy
        }
    }

    private func entry(of tenant: Tenant) -> Entry {
        entries.withLock { entries in
            if let entry = entries[tenant] { return entry }
            if entries.count >= tenantsMax, let one = entries.keys.first { entries[one] = nil }
            let entry = Entry()
            entries[tenant] = entry
            return entry
        }
    }
}
