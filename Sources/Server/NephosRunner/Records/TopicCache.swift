package import NephosStorage
import Synchronization

/// What a feature has prepared from a container's records, cached until one changes: a request reads the number of the last news of a
/// topic, and uses the value cached for that number.
package final class TopicCache<Ready: Sendable>: Sendable {
    /// The state of the records that a value was prepared from: one version of the catalog, and one number of the topic. A container that
    /// was deleted and created again has another key.
    package struct Generation: Sendable, Hashable {
        package var catalog: Int64
        package var change: Int64
        package var signingKey: [UInt8]
    }

    /// Prepares the value from what is stored. Blocks.
    ///
    /// - Parameter isSame: Whether a reading of the given read set still belongs to the requested generation.
    /// - Returns: nil if it no longer does.
    package typealias Preparation =
        @Sendable (
            _ store: any TenantStore, _ set: ReadSet, _ catalog: Catalog, _ now: Milliseconds,
            _ isSame: (Reading) -> Bool
        ) throws -> Ready?

    /// What is cached for one container.
    private final class Entry: Sendable {
        private let state = Mutex<(generation: Generation, ready: Ready)?>(nil)
        /// Held while the value is prepared, so that of many requests only one reads.
        let turn = Mutex<Void>(())

        var last: Ready? { state.withLock { $0?.ready } }

        func ready(_ generation: Generation) -> Ready? {
            state.withLock { state in state.flatMap { $0.generation == generation ? $0.ready : nil } }
        }

        func remember(_ generation: Generation, _ ready: Ready) { state.withLock { $0 = (generation, ready) } }
    }

    /// The maximum number of cached containers; beyond it, one is dropped for each new one. Not a static member, because a generic type
    /// would have one for each specialization.
    private let tenantsMax = 256
    /// How many times records may change while they are read before the attempt is given up.
    private let attemptsMax = 5

    private let news: Scan<NewsRow>
    private let holds: @Sendable (Ready, Milliseconds) -> Bool
    private let make: Preparation
    private let entries = Mutex<[Tenant: Entry]>([:])

    /// What a request reads to determine the generation.
    package let reading: ReadSet

    /// - Parameters:
    ///   - holds: Whether a prepared value is valid at a time.
    ///   - make: Prepares the value.
    package init(
        _ topic: Topic, holds: @escaping @Sendable (Ready, Milliseconds) -> Bool, make: @escaping Preparation
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

    /// The cached value, if it is valid at a time.
    package func ready(_ generation: Generation, of tenant: Tenant, now: Milliseconds) -> Ready? {
        guard let ready = entries.withLock({ $0[tenant] })?.ready(generation), holds(ready, now) else { return nil }
        return ready
    }

    /// The last cached value, whatever is stored by now: for hints about what to read along.
    package func last(of tenant: Tenant) -> Ready? { entries.withLock({ $0[tenant] })?.last }

    /// The current value, cached or read. May block.
    package func current(_ store: any TenantStore, now: Milliseconds) throws -> Ready {
        let generation = generation(try store.read(reading))
        return try ready(generation, of: store.tenant, now: now) ?? load(store, now: now)
    }

    /// Prepares the value, unless another request has done so meanwhile. Blocks.
    package func load(_ store: any TenantStore, now: Milliseconds) throws -> Ready {
        let entry = entry(of: store.tenant)
        return try entry.turn.withLock { _ in
            // A record may have changed while this waited, and the previous holder may have read that already.
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
