import CloudKitWire
package import NIOPosix
import NephosDomain
package import NephosStorage
import Synchronization

/// Sends deliveries to devices that are sent to: phones by Apple's push service, and webhooks.
package final class Senders: Sendable {
    /// Sent at a time for one tenant.
    private static let batch = 64
    /// What is in hand is kept from others for longer than any attempt may take.
    private static let leaseSeconds: Milliseconds = 60
    /// When to look again whether the operator has configured what is missing.
    private static let unconfiguredWait = Duration.seconds(600)

    private let engine: any StorageEngine
    private let threads: Threads
    private let observer: DeliveryObserver
    private let clock: @Sendable () -> Milliseconds
    private let post: PostOffice
    private let errands: Mutex<Errands<Tenant>?> = Mutex(nil)
    /// When there is something to be sent again, as far as this process knows.
    private let due = Mutex<[Tenant: Milliseconds]>([:])

    package init(
        engine: any StorageEngine, post: PostOffice, threads: NIOThreadPool, observer: DeliveryObserver,
        clock: @escaping @Sendable () -> Milliseconds
    ) {
        self.engine = engine
        self.threads = Threads(pool: threads)
        self.observer = observer
        self.clock = clock
        self.post = post
        errands.withLock { $0 = Errands(limit: 8) { [weak self] in await self?.send($0) } }
    }

    /// There may be something to send.
    package func wake(_ tenant: Tenant) { errands.withLock { $0 }?.ask(tenant) }

    /// There will be something to send.
    package func wake(_ tenant: Tenant, after delay: Milliseconds) {
        delay == 0 ? wake(tenant) : note(tenant, clock() + delay)
    }

    /// Wakes for what has become due meanwhile. Called once a second or so.
    package func wakeDue() {
        let now = clock()
        let tenants = due.withLock { due in
            let tenants = due.filter { $0.value <= now }.keys
            for tenant in tenants { due[tenant] = nil }
            return Array(tenants)
        }
        for tenant in tenants { wake(tenant) }
    }

    private func note(_ tenant: Tenant, _ time: Milliseconds) {
        due.withLock { $0[tenant] = min($0[tenant] ?? .max, time) }
    }

    package func stop() async {
        await errands.withLock { $0 }?.stop()
        await post.close()
    }

    private func send(_ tenant: Tenant) async {
        do {
            guard let store = try await threads.open(tenant, engine) else { return }
            while try await sendSome(store) {}
        } catch StorageError.noSuchTenant {
            // Its container was deleted.
        } catch {
            observer.failed(tenant, error)
        }
    }

    /// - Returns: Whether there may be more.
    private func sendSome(_ store: any TenantStore) async throws -> Bool {
        // Mostly there is nothing, and no transaction needed to find that out.
        var look = ReadSet()
        look.deliveries = [.toSend(now: clock(), limit: 1)]
        guard try await !threads.read(store, look).deliveries[0].isEmpty else { return false }
        let lease = LeaseDeliveries(
            .toSend(now: clock(), limit: Self.batch), now: clock(), seconds: Self.leaseSeconds)
        let deliveries = try await store.commit(lease.reading, decide: lease.decide)
        guard !deliveries.isEmpty else { return false }
        var set = ReadSet()
        set.devices = [.keyed(Array(Set(deliveries.map(\.device))))]
        let reading = try await threads.read(store, set)
        let devices = Dictionary(
            reading.devices[0].map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        let items = await withTaskGroup(of: FinishDeliveries.Item.self) { group in
            for delivery in deliveries {
                group.addTask {
                    let end = await self.send(delivery, to: devices[delivery.device], reading.catalog)
                    return FinishDeliveries.Item(delivery, end, nonce: .random(in: .min ... .max))
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let finish = FinishDeliveries(items, now: clock())
        observer.ended(try await store.commit(finish.reading, decide: finish.decide))
        for case .failed(_, let again) in items.map(\.end) { note(store.tenant, again) }
        return deliveries.count == Self.batch
    }

    private func send(
        _ delivery: DeliveryRow, to device: DeviceRow?, _ catalog: Catalog
    ) async -> FinishDeliveries.End {
        guard let device else { return .givenUp("the device is no more") }
        switch await post.send(delivery, to: device, catalog) {
        case .delivered(let answer): return .delivered(answer)
        case .deviceIsGone(let reason): return .deviceGone(reason)
        case .refused(let reason): return .givenUp(reason)
        case .failed(let reason, let retryAfter): return again(delivery, reason, retryAfter)
        }
    }

    private func again(
        _ delivery: DeliveryRow, _ reason: String, _ retryAfter: Duration?
    ) -> FinishDeliveries.End {
        let now = clock()
        let policy: RetryPolicy = delivery.channel == .webhook ? .webhooks : .apns
        let delay = policy.delay(
            afterAttempt: Int(delivery.attempts) + 1, age: .milliseconds(now - delivery.createdAt),
            retryAfter: retryAfter, jitter: .random(in: 0..<1))
        guard let delay else { return .givenUp("\(reason); too old to be sent again") }
        let milliseconds = delay.components.seconds * 1_000 + delay.components.attoseconds / 1_000_000_000_000_000
        return .failed(reason, again: now + milliseconds)
    }
}
