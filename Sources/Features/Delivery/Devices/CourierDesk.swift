package import NephosDomain
package import NephosRunner
package import NephosStorage
import Synchronization

/// The long-poll hub: gives deliveries to devices that request them, as soon as there are any.
///
/// Deliveries are leased before they are given out and removed once they were sent, many at a time. So those of a process that
/// dies are given out again (docs/decisions/0006).
package final class CourierDesk: Sendable {
    /// Identifies a waiter.
    package typealias Ticket = UInt64
    package typealias Give = @Sendable (Given) -> Void

    /// The result of a wait. Passed once.
    package enum Given: Sendable {
        /// The caller must call ``settle(_:of:wasSent:)``.
        case delivery(DeliveryRow)
        /// The wait timed out.
        case nothing
        /// The credentials that the device was registered with have been revoked.
        case refusal(Refusal)
    }

    /// How long a delivery that was given out is leased.
    static let leaseSeconds: Milliseconds = 10
    /// The maximum of waiters per device. A further one replaces the first.
    private static let waitersMax = 4
    /// Deliveries settled per transaction.
    private static let settledMax = 256
    /// Devices checked per transaction.
    private static let lookedAtMax = 500

    private struct Waiter {
        var device: DeviceKey
        var ticket: Ticket
        /// The credentials by which the device may wait.
        var letIn: LetIn
        var until: ContinuousClock.Instant
        var give: Give
    }

    /// The state of one tenant.
    private struct Desk {
        var waiters: [[UInt8]: [Waiter]] = [:]
        /// Devices for which there may be deliveries.
        var toLookAt: [[UInt8]: DeviceKey] = [:]
        var settled: [FinishDeliveries.Item] = []
    }

    private struct State {
        var desks: [Tenant: Desk] = [:]
        var lastTicket: Ticket = 0
        var isClosed = false
    }

    private let worker: Worker
    private let options: DeliveryOptions
    private let observer: DeliveryObserver
    private let state = Mutex(State())
    private let looking = Errands<Tenant>(limit: 4)
    private let settling = Errands<Tenant>(limit: 4)

    package init(worker: Worker, options: DeliveryOptions, observer: DeliveryObserver) {
        self.worker = worker
        self.options = options
        self.observer = observer
    }

    /// The number of waiters.
    package var waiting: Int {
        state.withLock { $0.desks.values.reduce(0) { $0 + $1.waiters.values.reduce(0) { $0 + $1.count } } }
    }

    private var waitedAt: [Tenant] {
        state.withLock { $0.desks.filter { !$0.value.waiters.isEmpty }.map(\.key) }
    }

    // MARK: Waiting

    /// Waits for the next delivery to a device.
    ///
    /// - Parameters:
    ///   - letIn: The credentials by which the device was admitted. When they may have been revoked, ``watch()`` checks again.
    ///   - wait: The maximum wait; nil for ``DeliveryOptions/pollWait``.
    package func wait(
        for device: DeviceKey, of tenant: Tenant, judgedBy letIn: LetIn, atMost wait: Duration? = nil,
        give: @escaping Give
    ) -> Ticket {
        let until = ContinuousClock.now + (wait ?? options.pollWait)
        let (ticket, refused) = state.withLock { state -> (Ticket, Give?) in
            state.lastTicket += 1
            if state.isClosed { return (state.lastTicket, give) }
            let waiter = Waiter(
                device: device, ticket: state.lastTicket, letIn: letIn, until: until, give: give)
            var waiters = state.desks[tenant]?.waiters[device.id] ?? []
            let first = waiters.count == Self.waitersMax ? waiters.removeFirst().give : nil
            waiters.append(waiter)
            state.desks[tenant, default: Desk()].waiters[device.id] = waiters
            state.desks[tenant]?.toLookAt[device.id] = device
            return (state.lastTicket, first)
        }
        refused?(.nothing)
        looking.ask(tenant, look)
        return ticket
    }

    /// Removes a waiter that disconnected.
    package func leave(_ ticket: Ticket, _ device: DeviceKey, of tenant: Tenant) {
        state.withLock { state in
            state.desks[tenant]?.waiters[device.id]?.removeAll { $0.ticket == ticket }
            if state.desks[tenant]?.waiters[device.id]?.isEmpty == true {
                state.desks[tenant]?.waiters[device.id] = nil
            }
        }
    }

    /// Notifies the hub that there may be deliveries for these devices (IDs).
    package func note(_ devices: [[UInt8]], of tenant: Tenant) {
        let isAny = state.withLock { state in
            guard let desk = state.desks[tenant] else { return false }
            var isAny = false
            for id in devices {
                guard let waiter = desk.waiters[id]?.first else { continue }
                state.desks[tenant]?.toLookAt[id] = waiter.device
                isAny = true
            }
            return isAny
        }
        if isAny { looking.ask(tenant, look) }
    }

    /// The same after a delay.
    private func note(_ devices: [[UInt8]], of tenant: Tenant, after delay: Milliseconds) {
        guard !devices.isEmpty else { return }
        Task {
            // Never canceled; when the process ends, others find the deliveries.
            try? await Task.sleep(for: .milliseconds(delay))
            self.note(devices, of: tenant)
        }
    }

    /// Checks for all waiting devices, to find deliveries of a process that died and those without news.
    package func lookAgain() {
        state.withLock { state in
            for (tenant, desk) in state.desks {
                for (id, waiters) in desk.waiters { state.desks[tenant]?.toLookAt[id] = waiters.first?.device }
            }
        }
        for tenant in waitedAt { looking.ask(tenant, look) }
    }

    /// Settles a delivery that was given out, whether it was sent or not.
    package func settle(_ delivery: DeliveryRow, of tenant: Tenant, wasSent: Bool) {
        let item = FinishDeliveries.Item(
            delivery, wasSent ? .delivered("taken") : .released, nonce: .random(in: .min ... .max))
        state.withLock { $0.desks[tenant, default: Desk()].settled.append(item) }
        settling.ask(tenant, putDown)
    }

    /// Ends waits that have timed out. Called about once a second.
    package func sweep() {
        let now = ContinuousClock.now
        endWaits { $0.until <= now }
    }

    /// Ends all waits, and writes what was settled.
    package func close() async {
        state.withLock { $0.isClosed = true }
        endWaits { _ in true }
        await looking.stop()
        await settling.stop()
        let unsettled = state.withLock { $0.desks.filter { !$0.value.settled.isEmpty }.keys }
        for tenant in unsettled { await putDown(tenant) }
    }

    private func endWaits(_ isOver: (Waiter) -> Bool) {
        let ended = state.withLock { state in
            var ended: [Give] = []
            for (tenant, desk) in state.desks {
                for (id, waiters) in desk.waiters where waiters.contains(where: isOver) {
                    ended += waiters.filter(isOver).map(\.give)
                    let rest = waiters.filter { !isOver($0) }
                    state.desks[tenant]?.waiters[id] = rest.isEmpty ? nil : rest
                }
            }
            return ended
        }
        for give in ended { give(.nothing) }
    }

    // MARK: Watching

    /// Ends the waits of devices whose session, API token or key was revoked since they were admitted, by any process: one check
    /// of the catalogs' versions, and more only if one has changed. Called twice a second.
    package func watch() async {
        let tenants = waitedAt
        guard !tenants.isEmpty else { return }
        var found: (news: [Tenant: TenantNews], ended: [Tenant: EndedSessions])?
        await worker.attempt(failed: { observer.failed(tenants[0], $0) }) {
            let topics = Dictionary(uniqueKeysWithValues: tenants.map { ($0, Set<Topic>()) })
            let news = try await worker.run { [worker] in try worker.engine.news(of: topics) }
            found = (news, try await worker.endedSessions(news, for: letIn))
        }
        guard let found else { return }
        for tenant in tenants {
            let devices = whoMayBeOver(tenant, found.news[tenant], found.ended[tenant])
            for chunk in devices.chunks(of: Self.lookedAtMax) { await judge(Array(chunk), tenant) }
        }
    }

    private var letIn: [Tenant: [LetIn]] {
        state.withLock { $0.desks.mapValues { desk in desk.waiters.values.flatMap { $0.map(\.letIn) } } }
    }

    private func whoMayBeOver(_ tenant: Tenant, _ news: TenantNews?, _ ended: EndedSessions?) -> [DeviceKey] {
        state.withLock { state in
            (state.desks[tenant]?.waiters ?? [:]).compactMap { id, waiters in
                var (waiters, mayBeOver) = (waiters, false)
                for index in waiters.indices where waiters[index].letIn.mayBeOver(news, ended) { mayBeOver = true }
                state.desks[tenant]?.waiters[id] = waiters
                return mayBeOver ? waiters.first?.device : nil
            }
        }
    }

    private func judge(_ devices: [DeviceKey], _ tenant: Tenant) async {
        do {
            let check = CourierCheck(devices)
            let reading = try await worker.read(check.reading, from: try await worker.open(tenant))
            let verdicts = check.verdicts(reading, now: worker.now)
            for device in devices {
                switch verdicts[device] {
                case .success(let admitted)?:
                    note(LetIn(by: reading.catalog, session: admitted.device.sessionID), device, tenant)
                case .failure(let refusal)?: end(device, tenant, refusal)
                case nil: break
                }
            }
        } catch StorageError.noSuchTenant {
            for device in devices { end(device, tenant, .authenticationFailed("this token's container was deleted")) }
        } catch {
            observer.failed(tenant, error)
        }
    }

    private func note(_ letIn: LetIn, _ device: DeviceKey, _ tenant: Tenant) {
        state.withLock { state in
            guard var waiters = state.desks[tenant]?.waiters[device.id] else { return }
            for index in waiters.indices { waiters[index].letIn = letIn }
            state.desks[tenant]?.waiters[device.id] = waiters
        }
    }

    private func end(_ device: DeviceKey, _ tenant: Tenant, _ refusal: Refusal) {
        let ended = state.withLock { $0.desks[tenant]?.waiters.removeValue(forKey: device.id) ?? [] }
        for waiter in ended { waiter.give(.refusal(refusal)) }
    }

    // MARK: Work queue

    /// Finds deliveries, and gives them out.
    private func look(_ tenant: Tenant) async {
        let devices = state.withLock { state in
            let wanted = state.desks[tenant]?.toLookAt.filter { state.desks[tenant]?.waiters[$0.key] != nil } ?? [:]
            state.desks[tenant]?.toLookAt = [:]
            return Array(wanted.values)
        }
        for chunk in devices.chunks(of: Self.lookedAtMax) { await look(Array(chunk), tenant) }
    }

    private func look(_ devices: [DeviceKey], _ tenant: Tenant) async {
        await worker.work(at: tenant, failed: { observer.failed(tenant, $0) }) { store in
            // For most waiters there is nothing, which a read without a transaction shows.
            let now = worker.now
            let scans = devices.map { DeliveryRow.waiting(for: $0, now: now, limit: 1) }
            var set = ReadSet()
            for scan in scans { set.ask(scan) }
            let reading = try await worker.read(set, from: store)
            let found = scans.flatMap { reading[$0] }
            let ready = found.filter { isDue($0, now) }
            for later in found where !isDue(later, now) {
                note([later.key.device], of: tenant, after: later.dueAt - now)
            }
            guard !ready.isEmpty else { return }
            let lease = LeaseDeliveries(
                ready.map { DeliveryRow.waiting(for: $0.device, now: now, limit: 1) }, now: now,
                seconds: Self.leaseSeconds)
            for delivery in try await worker.runner.commit(lease.reading, to: store, decide: lease.decide) {
                hand(delivery, tenant)
            }
        }
    }

    /// Without a window everything is due: the clock of the server that wrote the delivery may be ahead of this one.
    private func isDue(_ delivery: DeliveryRow, _ now: Milliseconds) -> Bool {
        options.window == 0 || delivery.dueAt <= now
    }

    private func hand(_ delivery: DeliveryRow, _ tenant: Tenant) {
        let (give, hasMore) = state.withLock { state -> (Give?, Bool) in
            guard var waiters = state.desks[tenant]?.waiters[delivery.key.device], !waiters.isEmpty else {
                return (nil, false)
            }
            let first = waiters.removeFirst()
            state.desks[tenant]?.waiters[delivery.key.device] = waiters.isEmpty ? nil : waiters
            return (first.give, !waiters.isEmpty)
        }
        guard let give else { return settle(delivery, of: tenant, wasSent: false) }
        give(.delivery(delivery))
        // Another waiter gets the next delivery.
        if hasMore { note([delivery.key.device], of: tenant) }
    }

    /// Writes the outcomes of deliveries. If that fails, they are given out again when the lease ends.
    private func putDown(_ tenant: Tenant) async {
        await worker.work(at: tenant, failed: { observer.failed(tenant, $0) }) { store in
            while let items = takeSettled(of: tenant) {
                let finish = FinishDeliveries(items, now: worker.now)
                observer.ended(try await worker.runner.commit(finish.reading, to: store, decide: finish.decide))
                let released = items.filter { $0.end == .released }.map(\.delivery.key.device)
                if !released.isEmpty { note(released, of: tenant) }
            }
        }
    }

    private func takeSettled(of tenant: Tenant) -> [FinishDeliveries.Item]? {
        state.withLock { state in
            guard let items = state.desks[tenant]?.settled.prefix(Self.settledMax), !items.isEmpty else { return nil }
            state.desks[tenant]?.settled.removeFirst(items.count)
            return Array(items)
        }
    }
}
