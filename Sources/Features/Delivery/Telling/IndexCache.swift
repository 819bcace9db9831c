import CloudKitWire
import NephosStorage
import Synchronization

/// What the pump remembers of one database.
struct KnownDatabase: Sendable {
    var index: SubscriptionIndex?
    /// Names of zones, which no number ever changes.
    var zones: [ZoneNumber: Name] = [:]

    /// Where a change took place. A zone that was forgotten since has no name any more, and nobody subscribed to it.
    func name(_ change: WatchedChange) -> Name { zones[change.event.zone] ?? "" }

    var cost: Int { 1 + (index?.count ?? 0) + zones.count }
}

/// Indexes of databases, so that the next change need not read all subscriptions again.
final class IndexCache: Sendable {
    /// Subscriptions and zones that are remembered in all; a subscription is about 700 bytes.
    private static let costMax = 500_000

    private struct State {
        var known: [Pump.Place: (database: KnownDatabase, use: Int)] = [:]
        var cost = 0
        var uses = 0
    }

    private let state = Mutex(State())

    /// Takes out what is known, to be changed and kept again.
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
            // Half goes at once, so that this is rare.
            for (place, entry) in state.known.sorted(by: { $0.value.use < $1.value.use }) {
                guard state.cost > Self.costMax / 2, state.known.count > 1 else { break }
                state.known[place] = nil
                state.cost -= entry.database.cost
            }
        }
    }
}
