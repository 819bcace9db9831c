import CloudKitWire
import NephosDomain
package import NephosRunner
package import NephosStorage
import Synchronization

/// Sends deliveries to phones, through Apple's push service, and to webhooks. The two are independent, so that webhooks that do
/// not respond do not delay phones.
package final class Senders: Sendable {
    private struct Place: Hashable, Sendable {
        var tenant: Tenant
        var channel: DeviceRow.Channel
    }

    /// Deliveries leased per transaction, and devices that are sent to concurrently.
    private static let batch = 64, devicesMax = 256
    /// The delay before checking again for a webhook that is being called.
    private static let busyWait: Milliseconds = 1_000
    /// The duration of a lease, longer than any attempt takes.
    private static let leaseSeconds: Milliseconds = 60
    /// The maximum duration of an attempt, including recording its outcome.
    private static let attemptMax: Milliseconds = 15_000

    private struct State {
        /// When the next retry is due, as far as this process knows.
        var due: [Place: Milliseconds] = [:]
        /// Webhooks that did not respond, and when they are called again: one attempt is enough to find out.
        var resting: [DeviceKey: Milliseconds] = [:]
        /// Webhooks that are being called: one call at a time, so that a receiver that hangs delays only itself.
        var called: Set<DeviceKey> = []
        /// Devices that are being sent to.
        var devices = ActiveWorkers()
    }

    private let worker: Worker
    private let observer: DeliveryObserver
    private let post: any Post
    private let queue = CoalescingWorkQueue<Place>(limit: 16)
    private let state = Mutex(State())

    package init(worker: Worker, post: any Post, observer: DeliveryObserver) {
        self.worker = worker
        self.observer = observer
        self.post = post
    }

    /// Notifies the senders that there may be something to send.
    package func wake(_ tenant: Tenant) {
        for channel in DeviceRow.Channel.allCases where channel.isSentTo {
            queue.submit(Place(tenant: tenant, channel: channel), send)
        }
    }

    /// The same after a delay.
    package func wake(_ tenant: Tenant, after delay: Milliseconds) {
        guard delay > 0 else { return wake(tenant) }
        for channel in DeviceRow.Channel.allCases where channel.isSentTo {
            note(Place(tenant: tenant, channel: channel), worker.now + delay)
        }
    }

    /// Wakes for what has become due. Called about once a second.
    package func wakeDue() {
        let now = worker.now
        let places = state.withLock { state in
            let places = state.due.filter { $0.value <= now }.keys
            for place in places { state.due[place] = nil }
            state.resting = state.resting.filter { $0.value > now }
            return Array(places)
        }
        for place in places { queue.submit(place, send) }
    }

    private func note(_ place: Place, _ time: Milliseconds) {
        state.withLock { $0.due[place] = min($0.due[place] ?? .max, time) }
    }

    /// Begins nothing more, and waits for sends in progress.
    package func stop() async {
        await queue.stop()
        await withCheckedContinuation { continuation in
            state.withLock { $0.devices.resumeAtEnd(continuation) }
        }
        await post.close()
    }

    private var isStopped: Bool { queue.isStopped }

    private func send(_ place: Place) async {
        await worker.work(at: place.tenant, failed: { observer.failed(place.tenant, $0) }) { store in
            while !isStopped, try await sendSome(place, store) {}
        }
    }

    // MARK: A batch

    /// - Returns: Whether there may be more.
    private func sendSome(_ place: Place, _ store: any TenantStore) async throws -> Bool {
        // Usually there is nothing, which a read without a transaction shows.
        let first = DeliveryRow.toSend(place.channel, now: worker.now, limit: 1)
        guard try await !worker.rows(first, from: store).isEmpty else { return false }
        let lease = LeaseDeliveries(
            [DeliveryRow.toSend(place.channel, now: worker.now, limit: Self.batch)], now: worker.now,
            seconds: Self.leaseSeconds)
        let deliveries = try await worker.runner.commit(lease.reading, to: store, decide: lease.decide)
        guard !deliveries.isEmpty else { return false }
        var set = ReadSet()
        let keyed = DeviceRow.keyed(Array(Set(deliveries.map(\.device))))
        set.ask(keyed)
        let reading = try await worker.read(set, from: store)
        let devices = Dictionary(
            reading[keyed].map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        for (key, deliveries) in Dictionary(grouping: deliveries, by: \.device) {
            begin(deliveries, to: devices[key], key, reading.catalog, place, store)
        }
        // If there is no room for more, the next send that ends checks again.
        return deliveries.count == Self.batch && state.withLock { $0.devices.count < Self.devicesMax }
    }

    /// Starts sending to one device, concurrently with others.
    private func begin(
        _ deliveries: [DeliveryRow], to device: DeviceRow?, _ key: DeviceKey, _ catalog: Catalog, _ place: Place,
        _ store: any TenantStore
    ) {
        let isFree = state.withLock { state in
            state.devices.begin()
            return place.channel != .webhook || state.called.insert(key).inserted
        }
        Task {
            let busy = FinishDeliveries.End.postponed(until: worker.now + Self.busyWait)
            let items =
                isFree
                ? await send(deliveries, to: device, catalog)
                : deliveries.map { FinishDeliveries.Item($0, busy, nonce: 0) }
            await worker.attempt(failed: { observer.failed(place.tenant, $0) }) {
                try await finish(items, place, store)
            }
            end(key, wasCalled: isFree && place.channel == .webhook)
            queue.submit(place, send)
        }
    }

    private func end(_ key: DeviceKey, wasCalled: Bool) {
        state.withLock { state in
            if wasCalled { state.called.remove(key) }
            state.devices.end()
        }
    }

    private func finish(_ items: [FinishDeliveries.Item], _ place: Place, _ store: any TenantStore) async throws {
        let finish = FinishDeliveries(items, now: worker.now)
        observer.ended(try await worker.runner.commit(finish.reading, to: store, decide: finish.decide))
        for item in items {
            switch item.end {
            case .failed(_, let again), .postponed(let again): note(place, again)
            case .delivered, .givenUp, .deviceGone, .released: break
            }
        }
    }

    /// Sends to one device, one delivery after the other; a webhook that does not accept one is paused for a while. Deliveries
    /// for which the lease leaves no time are released.
    private func send(
        _ deliveries: [DeliveryRow], to device: DeviceRow?, _ catalog: Catalog
    ) async -> [FinishDeliveries.Item] {
        var items: [FinishDeliveries.Item] = []
        for delivery in deliveries {
            let end: FinishDeliveries.End
            if isStopped || worker.now > delivery.leasedUntil - Self.attemptMax {
                end = .released
            } else if let until = rest(of: delivery.device) {
                end = .postponed(until: until)
            } else {
                end = await send(delivery, to: device, catalog)
                if case .failed(_, let again) = end, delivery.channel == .webhook {
                    state.withLock { $0.resting[delivery.device] = again }
                }
            }
            items.append(FinishDeliveries.Item(delivery, end, nonce: .random(in: .min ... .max)))
        }
        return items
    }

    private func rest(of device: DeviceKey) -> Milliseconds? {
        let now = worker.now
        return state.withLock { $0.resting[device] }.flatMap { $0 > now ? $0 : nil }
    }

    private func send(
        _ delivery: DeliveryRow, to device: DeviceRow?, _ catalog: Catalog
    ) async -> FinishDeliveries.End {
        guard let device else { return .givenUp("the device no longer exists") }
        guard !catalog.isRevokedKey(delivery.user) else { return .givenUp("the key was revoked") }
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
        let now = worker.now
        let policy: RetryPolicy = delivery.channel == .webhook ? .webhooks : .apns
        let delay = policy.delay(
            afterAttempt: Int(delivery.attempts) + 1, age: .milliseconds(now - delivery.createdAt),
            retryAfter: retryAfter, jitter: .random(in: 0..<1))
        guard let delay else { return .givenUp("\(reason); too old to be sent again") }
        return .failed(reason, again: now + delay.milliseconds)
    }
}
