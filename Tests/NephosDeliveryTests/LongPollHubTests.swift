import CloudKitWire
import NIOPosix
import NephosDelivery
import NephosDomain
import NephosRunner
import NephosStorage
import NephosTesting
import Synchronization
import TestEngines
import Testing

/// docs/decisions/0006: deliveries leased by a dead process are handed out again.
@Suite struct LongPollHubTests {
    private static let tenant = Tenant(container: "iCloud.test", environment: .development)
    private static let device = DeviceKey(
        database: 1, user: UserID(high: 1, low: 1), id: .init(repeating: 7, count: 16))

    @Test("A waiting poll gets the notifications that another process held, once its lease has expired")
    func leasesRunOut() async throws {
        let clock = Mutex<Milliseconds>(1_000_000)
        let place = try TestStore.withTables()
        let engine = try place.open()
        defer { engine.close() }
        let store = try engine.createContainer(of: Self.tenant)
        var row = DeliveryRow(
            key: DeliveryKey(database: 1, device: Self.device.id, source: 1, subscription: "s"), user: Self.device.user,
            channel: .courier, sequence: 2, createdAt: 1, dueAt: 1, payload: Bytes("{}"))
        row.leasedUntil = 1_030_000
        let write = WriteSet.delivery(row)
        try await store.commit(ReadSet()) { _ in .write(write, ()) }

        let hub = LongPollHub(
            worker: Worker(Runner(engine: engine), clock: { clock.withLock { $0 } }), options: DeliveryOptions(),
            observer: DeliveryObserver())
        let (given, giving) = AsyncStream.makeStream(of: LongPollHub.Outcome.self)
        _ = hub.wait(
            for: Self.device, of: Self.tenant, authenticatedBy: AdmissionBasis(catalogVersion: 0),
            atMost: .seconds(3_600)
        ) {
            giving.yield($0)
        }
        clock.withLock { $0 = 1_030_001 }
        // The device is not recorded: the process that would have done it is gone.
        hub.checkAll()
        for await given in given {
            guard case .delivery(let delivery) = given else { Issue.record("\(given)"); break }
            #expect(delivery.key == row.key)
            break
        }
        await hub.close()
    }
}

extension WriteSet {
    fileprivate static func delivery(_ row: DeliveryRow) -> WriteSet {
        var set = WriteSet()
        set.put(row)
        return set
    }
}
