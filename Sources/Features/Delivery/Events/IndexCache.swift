import CloudKitWire
import NephosStorage
import Synchronization

/// What the pump caches of one database.
struct KnownDatabase: Sendable {
    var index: SubscriptionIndex?
    /// Names of zones by number, which never change.
    var zones: [ZoneNumber: Name] = [:]

    /// The zone of a change. A zone that was deleted since has no name, and no subscriptions.
    func name(_ change: WatchedChange) -> Name { zones[change.event.zone] ?? "" }

    var cost: Int { 1 + (index?.count ?? 0) + zones.count }
}

/// Caches indexes of databases, so that not every change needs to read all subscriptions.
final class IndexCache: Sendable {
    /// Cached subscriptions and zones in total; a subscription takes about 700 bytes.
    private static let costMax = 500_000

    private struct State {
        var known: [Pump.Place: (database: KnownDatabase, use: Int)] = [:]
        var cost = 0
        var uses = 0
    }

    private let state = Mutex(State())

    /// Removes an entry from the cache, to be changed and stored again.
    func take(_ place: Pump.Place) -> KnownDatabase? {
        state.withLock { state in
            guard let known = state.known.removeValue(forKey: place)?.database else { return nil }
            state.cost -= known.cost
            return known
        }
    }

    func keep(_ known: KnownDatabase, _ place: Pump.Place) {
        state.withLock { state in
            state.uses += 1
            state.known[place] = (known, state.uses)
            state.cost += known.cost
            guard state.cost > Self.costMax else { return }
            // Removes half at once, so that this is rare.
            for (place, entry) in state.known.sorted(by: { $0.value.use < $1.value.use }) {
                guard state.cost > Self.costMax / 2, state.known.count > 1 else { break }
                state.known[place] = nil
                state.cost -= entry.database.cost
            }
        }
    }
}
