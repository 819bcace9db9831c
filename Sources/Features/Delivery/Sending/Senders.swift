import CloudKitWire
import NephosDomain
package import NephosRunner
package import NephosStorage
import Synchronization

/// Sends deliveries to devices that are sent to: phones by Apple's push service, and webhooks. Each of the two on its own, so
/// that receivers which do not answer hold up nobody's phone.
package final class Senders: Sendable {
    private struct Place: Hashable, Sendable {
        var tenant: Tenant
        var channel: DeviceRow.Channel
    }

    /// Taken in hand in one transaction, and devices that are sent to at a time.
    private static let batch = 64, devicesMax = 256
    /// When to look again at what waits for a webhook that is being called.
    private static let busyWait: Milliseconds = 1_000
    /// What is in hand is kept from others for longer than any attempt may take.
    private static let leaseSeconds: Milliseconds = 60
    /// What one attempt may take, and putting down what became of it.
    private static let attemptMax: Milliseconds = 15_000

    private struct State {
        /// When there is something to be sent again, as far as this process knows.
        var due: [Place: Milliseconds] = [:]
        /// Webhooks that did not answer, and when they are called again: one call tells as much as many.
        var resting: [DeviceKey: Milliseconds] = [:]
        /// Webhooks that are being called: one call at a time, so that one which hangs holds up itself alone.
        var called: Set<DeviceKey> = []
        /// Devices that are sent to now.
        var devices = AtWork()
    }

    private let worker: Worker
    private let observer: DeliveryObserver
    private let post: any Post
    private let errands = Errands<Place>(limit: 16)
    private let state = Mutex(State())

    package init(worker: Worker, post: any Post, observer: DeliveryObserver) {
        self.worker = worker
        self.observer = observer
        self.post = post
    }

    /// There may be something to send.
    package func wake(_ tenant: Tenant) {
        for channel in DeviceRow.Channel.allCases where channel.isSentTo {
            errands.ask(Place(tenant: tenant, channel: channel), send)
        }
    }

    /// There will be something to send.
    package func wake(_ tenant: Tenant, after delay: Milliseconds) {
        guard delay > 0 else { return wake(tenant) }
        for channel in DeviceRow.Channel.allCases where channel.isSentTo {
            note(Place(tenant: tenant, channel: channel), worker.now + delay)
        }
    }

    /// Wakes for what has become due meanwhile. Called once a second or so.
    package func wakeDue() {
        let now = worker.now
        let places = state.withLock { state in
            let places = state.due.filter { $0.value <= now }.keys
            for place in places { state.due[place] = nil }
            state.resting = state.resting.filter { $0.value > now }
            return Array(places)
        }
        for place in places { errands.ask(place, send) }
    }

    private func note(_ place: Place, _ time: Milliseconds) {
        state.withLock { $0.due[place] = min($0.due[place] ?? .max, time) }
    }

    /// Begins nothing more, and waits for what is being sent.
    package func stop() async {
        await errands.stop()
        await withCheckedContinuation { continuation in
            state.withLock { $0.devices.resumeAtEnd(continuation) }
        }
        await post.close()
    }

    private var isStopped: Bool { errands.isStopped }

    private func send(_ place: Place) async {
        await worker.work(at: place.tenant, failed: { observer.failed(place.tenant, $0) }) { store in
            while !isStopped, try await sendSome(place, store) {}
        }
    }

    // MARK: A batch

    /// - Returns: Whether there may be more.
    private func sendSome(_ place: Place, _ store: any TenantStore) async throws -> Bool {
        // Mostly there is nothing, and no transaction needed to find that out.
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
        // Where there is no room for more, whoever ends looks again.
        return deliveries.count == Self.batch && state.withLock { $0.devices.count < Self.devicesMax }
    }

    /// Sends to one device, beside the others.
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
            errands.ask(place, send)
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

    /// Sends to one device, one after the other; a webhook that does not take one is left alone for a while. What there is no
    /// time for before the lease ends is given back.
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
        guard let device else { return .givenUp("the device is no more") }
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
