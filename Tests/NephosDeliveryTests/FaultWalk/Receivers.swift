import CloudKitWire
import DeliveryTesting
import Foundation
import NephosDelivery
import NephosRunner
import NephosStorage
import Synchronization

/// All notifications received by devices, across all processes: record names by device.
final class ReceivedNotifications: Sendable {
    private let told = Mutex<[String: [String]]>([:])

    /// - Parameter payload: A notification of a query subscription.
    func append(_ device: String, _ payload: some Collection<UInt8>) {
        let object = try? JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any]
        let query = (object?["ck"] as? [String: Any])?["qry"] as? [String: Any]
        let name = query?["rid"] as? String ?? "a payload without a record"
        told.withLock { $0[device, default: []].append(name) }
    }

    /// The number of notifications of a record for each device.
    func counts(of record: String) -> [String: Int] {
        told.withLock { $0.mapValues { $0.count { $0 == record } }.filter { $0.value > 0 } }
    }
}

/// A device that waits at the desk of one process, like a poll: again after each response.
final class Poller: Sendable {
    private let name: String
    private let device: DeviceKey
    private let tenant: Tenant
    private let hub: LongPollHub
    private let told: ReceivedNotifications

    init(_ name: String, _ device: DeviceKey, of tenant: Tenant, _ hub: LongPollHub, _ told: ReceivedNotifications) {
        self.name = name
        self.device = device
        self.tenant = tenant
        self.hub = hub
        self.told = told
    }

    func wait() {
        _ = hub.wait(
            for: device, of: tenant, authenticatedBy: AdmissionBasis(catalogVersion: 0), atMost: .seconds(3_600)
        ) {
            [self] given in
            // Empty: the desk was closed.
            guard case .delivery(let delivery) = given else { return }
            told.append(name, delivery.payload)
            hub.settle(delivery, of: tenant, wasSent: true)
            wait()
        }
    }
}

/// A clock that stands still until it is advanced, so that tests of leases need not wait.
final class ManualClock: Sendable {
    private let time = Mutex<Milliseconds>(1_800_000_000_000)

    @Sendable func read() -> Milliseconds { time.withLock(\.self) }
    func advance(seconds: Milliseconds) { time.withLock { $0 += seconds * 1_000 } }
}
