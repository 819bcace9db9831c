import CloudKitWire
import NephosDelivery
import NephosDomain
import NephosRunner
import NephosStorage
import NephosTesting
import Synchronization
import TestEngines
import Testing

/// docs/decisions/0006: what is sent, and what another process may send.
@Suite("Sending to devices") struct SendersTests {
    private static let device = DeviceKey(
        database: 1, user: UserID(high: 1, low: 1), id: .init(repeating: 7, count: 16))

    /// A slow webhook, which advances the clock.
    private final class SlowHook: Post {
        let now = Mutex<Milliseconds>(1_000_000)
        let (sent, sending) = AsyncStream.makeStream(of: Name.self)
        private let store: any TenantStore

        init(_ store: any TenantStore) { self.store = store }

        func send(_ delivery: DeliveryRow, to device: DeviceRow, _ catalog: Catalog) async -> SendOutcome {
            let now = now.withLock { now in
                now += 9_000
                return now
            }
            let other = LeaseDeliveries([DeliveryRow.toSend(.webhook, now: now, limit: 100)], now: now)
            let taken = try? await store.commit(other.reading, decide: other.decide)
            #expect(taken == [], "what another process takes meanwhile")
            sending.yield(delivery.key.subscription)
            return .delivered(answer: "200")
        }

        func close() async {}
    }

    @Test(
        "Pushes that a slow webhook leaves unsent under one lease are sent under the next, and no other process takes them meanwhile"
    )
    func slowWebhook() async throws {
        let place = try TestStore.withTables()
        let engine = try place.open()
        defer { engine.close() }
        let store = try engine.createContainer(of: Tenant(container: "iCloud.test", environment: .development))
        let names = (10..<40).map { Name("\($0)") }
        try await store.commit(ReadSet()) { _ in .write(.deliveries(names), ()) }

        let hook = SlowHook(store)
        let worker = Worker(Runner(engine: engine), clock: { hook.now.withLock { $0 } })
        let senders = Senders(worker: worker, post: hook, observer: DeliveryObserver())
        senders.wake(store.tenant)
        var sent: [Name] = []
        for await name in hook.sent {
            sent.append(name)
            if sent.count == names.count { break }
        }
        await senders.stop()
        #expect(sent == names)
        #expect(
            try store.rows(DeliveryRow.of(Self.device, limit: 100)).allSatisfy { $0.dueAt == DeliveryRow.completed })
    }
}

extension WriteSet {
    /// A webhook, and its pending deliveries, in this order.
    fileprivate static func deliveries(_ names: [Name]) -> WriteSet {
        let device = DeviceKey(database: 1, user: UserID(high: 1, low: 1), id: .init(repeating: 7, count: 16))
        var set = WriteSet()
        set.put(DeviceRow(key: device, channel: .webhook, address: "x", createdAt: 1))
        for (place, name) in names.enumerated() {
            set.put(
                DeliveryRow(
                    key: DeliveryKey(database: 1, device: device.id, source: 1, subscription: name), user: device.user,
                    channel: .webhook, sequence: 2, createdAt: 1, dueAt: Milliseconds(place), payload: Bytes("{}")))
        }
        return set
    }
}
