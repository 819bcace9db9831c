import NephosDomain
package import NephosStorage
import Synchronization

/// Builds the indexes that queries of clients and features need, and tracks which of them are used.
///
/// Each database has one builder in this process at a time; builders of other processes may work on it concurrently, because
/// everything is done in small transactions. A half-built index is completed by the next query that wants it, or by the server's
/// background work.
package final class IndexKeeper: Sendable {
    /// Records per transaction: few enough to stay under 10 ms.
    private static let chunkRows = 500

    /// A database of a tenant.
    package struct Place: Hashable, Sendable {
        let tenant: Tenant
        package let database: DatabaseNumber

        package init(tenant: Tenant, database: DatabaseNumber) {
            (self.tenant, self.database) = (tenant, database)
        }
    }

    /// Called once, on any thread.
    package typealias Completion = @Sendable (Result<Void, any Error>) -> Void

    /// What is requested of a builder while it is busy.
    private struct Order {
        var shapes: Set<IndexShape> = []
        var used: Set<IndexNumber> = []
        var waiting: [Completion] = []
    }

    private struct State {
        var orders: [Place: Order] = [:]
        var noted = OnceAnHour<IndexNumber>()
        var wished = OnceAnHour<IndexShape>()
    }

    private let built: Built
    private let clock: @Sendable () -> Milliseconds
    private let state = Mutex(State())
    private let builders = CoalescingWorkQueue<Place>()

    /// Called with the result of a round of building.
    package typealias Built = @Sendable (Result<Void, any Error>) -> Void

    package init(
        clock: @escaping @Sendable () -> Milliseconds = WallClock.now, built: @escaping Built = { _ in }
    ) {
        self.clock = clock
        self.built = built
    }

    /// Builds indexes.
    ///
    /// - Parameter completion: Called when all indexes of the database are built, or with the reason why not; nil if nobody
    ///   waits.
    package func build(
        _ shapes: [IndexShape], at place: Place, of store: any TenantStore, completion: Completion? = nil
    ) {
        order(at: place, of: store) { order in
            order.shapes.formUnion(shapes)
            if let completion { order.waiting.append(completion) }
        }
    }

    /// Builds indexes that would serve better than the existing ones, each at most once an hour: if a type is queried in more
    /// ways than it may have indexes, they would otherwise evict each other all the time.
    package func requestIndexes(for shapes: [IndexShape], at place: Place, of store: any TenantStore, now: Milliseconds)
    {
        let due = shapes.isEmpty ? [] : state.withLock { $0.wished.due(shapes, at: place, now: now) }
        if !due.isEmpty { build(due, at: place, of: store) }
    }

    /// Notes that a query used these indexes; this is written to the store once an hour.
    package func note(_ used: [IndexNumber], at place: Place, of store: any TenantStore, now: Milliseconds) {
        let due = used.isEmpty ? [] : state.withLock { $0.noted.due(used, at: place, now: now) }
        if !due.isEmpty { order(at: place, of: store) { $0.used.formUnion(due) } }
    }

    /// Ends all builders between two transactions. Waiting callers get an error that asks them to retry; nothing is built
    /// afterwards.
    package func stop() async {
        await builders.stop()
        refuseOrders()
    }

    // MARK: Builders

    private func order(at place: Place, of store: any TenantStore, _ change: (inout Order) -> Void) {
        state.withLock { change(&$0.orders[place, default: Order()]) }
        if !builders.submit(place, { await self.work(at: $0, of: store) }) { refuseOrders() }
    }

    private func refuseOrders() {
        let orders = state.withLock { state in
            defer { state.orders = [:] }
            return state.orders.values
        }
        for completion in orders.flatMap(\.waiting) { completion(.failure(Self.stopping)) }
    }

    private static let stopping = Refusal.tryAgainLater("the server is shutting down: try again", seconds: 1)

    /// Carries out the pending order.
    private func work(at place: Place, of store: any TenantStore) async {
        guard let order = state.withLock({ $0.orders.removeValue(forKey: place) }) else { return }
        let result: Result<Void, any Error>
        do {
            try await build(order, at: place, of: store)
            result = .success(())
        } catch let error as Refusal {
            result = .failure(error)
        } catch {
            result = .failure(error)
            state.withLock { $0.wished.forget(order.shapes, at: place) }
        }
        if !order.shapes.isEmpty { built(result) }
        for completion in order.waiting { completion(result) }
    }

    private func build(_ order: Order, at place: Place, of store: any TenantStore) async throws {
        let now = clock()
        if !order.used.isEmpty { try await store.noteUse(of: order.used.sorted(), in: place.database, at: now) }
        guard !order.shapes.isEmpty || !order.waiting.isEmpty else { return }
        try await store.openIndexes(Array(order.shapes), in: place.database, at: now)
        while try await store.buildIndexes(in: place.database, rows: Self.chunkRows) {
            if builders.isStopped { throw Self.stopping }
        }
    }
}

/// Limits an action for a thing of a database to once an hour.
private struct OnceAnHour<Thing: Hashable & Sendable>: Sendable {
    private struct Key: Hashable {
        let place: IndexKeeper.Place
        let thing: Thing
    }

    private static var hour: Milliseconds { 3_600_000 }
    /// Above this count, all are forgotten, and the actions are repeated.
    private static var keysMax: Int { 10_000 }

    private var last: [Key: Milliseconds] = [:]

    /// The things whose action is due; marks it as done.
    mutating func due(_ things: [Thing], at place: IndexKeeper.Place, now: Milliseconds) -> [Thing] {
        if last.count >= Self.keysMax { last = [:] }
        return things.filter { thing in
            let key = Key(place: place, thing: thing)
            if let last = last[key], now - last < Self.hour { return false }
            last[key] = now
            return true
        }
    }

    mutating func forget(_ things: some Swift.Sequence<Thing>, at place: IndexKeeper.Place) {
        for thing in things { last[Key(place: place, thing: thing)] = nil }
    }
}
