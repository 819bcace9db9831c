package import NephosDomain
package import NephosRunner
package import NephosStorage
import Synchronization

/// The long-poll hub: gives deliveries to devices that request them, as soon as there are any.
///
/// Deliveries are leased before they are given out and removed once they were sent, many at a time. So those of a process that
/// dies are given out again (docs/decisions/0006).
package final class LongPollHub: Sendable {
    /// Identifies a waiter.
    package typealias Ticket = UInt64
    package typealias Completion = @Sendable (Outcome) -> Void

    /// The result of a wait. Passed once.
    package enum Outcome: Sendable {
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
    private static let checkedMax = 500

    private struct Waiter {
        var device: DeviceKey
        var ticket: Ticket
        /// The credentials by which the device may wait.
        var basis: AdmissionBasis
        var until: ContinuousClock.Instant
        var completion: Completion
    }

    /// The state of one tenant.
    private struct TenantState {
        var waiters: [[UInt8]: [Waiter]] = [:]
        /// Devices for which there may be deliveries.
        var toCheck: [[UInt8]: DeviceKey] = [:]
        var settled: [FinishDeliveries.Item] = []
    }

    private struct State {
        var tenants: [Tenant: TenantState] = [:]
        var lastTicket: Ticket = 0
        var isClosed = false
    }

    private let worker: Worker
    private let options: DeliveryOptions
    private let observer: DeliveryObserver
    private let state = Mutex(State())
    private let delivering = CoalescingWorkQueue<Tenant>(limit: 4)
    private let settling = CoalescingWorkQueue<Tenant>(limit: 4)

    package init(worker: Worker, options: DeliveryOptions, observer: DeliveryObserver) {
        self.worker = worker
        self.options = options
        self.observer = observer
    }

    /// The number of waiters.
    package var waiting: Int {
        state.withLock { $0.tenants.values.reduce(0) { $0 + $1.waiters.values.reduce(0) { $0 + $1.count } } }
    }

    private var waitedAt: [Tenant] {
        state.withLock { $0.tenants.filter { !$0.value.waiters.isEmpty }.map(\.key) }
    }

    // MARK: Waiting

    /// Waits for the next delivery to a device.
    ///
    /// - Parameters:
    ///   - basis: The credentials by which the device was admitted. When they may have been revoked, ``watch()`` checks again.
    ///   - wait: The maximum wait; nil for ``DeliveryOptions/pollWait``.
    package func wait(
        for device: DeviceKey, of tenant: Tenant, authenticatedBy basis: AdmissionBasis, atMost wait: Duration? = nil,
        completion: @escaping Completion
    ) -> Ticket {
        let until = ContinuousClock.now + (wait ?? options.pollWait)
        let (ticket, refused) = state.withLock { state -> (Ticket, Completion?) in
            state.lastTicket += 1
            if state.isClosed { return (state.lastTicket, completion) }
            let waiter = Waiter(
                device: device, ticket: state.lastTicket, basis: basis, until: until, completion: completion)
            var waiters = state.tenants[tenant]?.waiters[device.id] ?? []
            let first = waiters.count == Self.waitersMax ? waiters.removeFirst().completion : nil
            waiters.append(waiter)
            state.tenants[tenant, default: TenantState()].waiters[device.id] = waiters
            state.tenants[tenant]?.toCheck[device.id] = device
            return (state.lastTicket, first)
        }
        refused?(.nothing)
        delivering.submit(tenant, deliver)
        return ticket
    }

    /// Removes a waiter that disconnected.
    package func leave(_ ticket: Ticket, _ device: DeviceKey, of tenant: Tenant) {
        state.withLock { state in
            state.tenants[tenant]?.waiters[device.id]?.removeAll { $0.ticket == ticket }
            if state.tenants[tenant]?.waiters[device.id]?.isEmpty == true {
                state.tenants[tenant]?.waiters[device.id] = nil
            }
        }
    }

    /// Notifies the hub that there may be deliveries for these devices (IDs).
    package func note(_ devices: [[UInt8]], of tenant: Tenant) {
        let isAny = state.withLock { state in
            guard let tenantState = state.tenants[tenant] else { return false }
            var isAny = false
            for id in devices {
                guard let waiter = tenantState.waiters[id]?.first else { continue }
                state.tenants[tenant]?.toCheck[id] = waiter.device
                isAny = true
            }
            return isAny
        }
        if isAny { delivering.submit(tenant, deliver) }
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
    package func checkAll() {
        state.withLock { state in
            for (tenant, tenantState) in state.tenants {
                for (id, waiters) in tenantState.waiters { state.tenants[tenant]?.toCheck[id] = waiters.first?.device }
            }
        }
        for tenant in waitedAt { delivering.submit(tenant, deliver) }
    }

    /// Settles a delivery that was given out, whether it was sent or not.
    package func settle(_ delivery: DeliveryRow, of tenant: Tenant, wasSent: Bool) {
        let item = FinishDeliveries.Item(
            delivery, wasSent ? .delivered("taken") : .released, nonce: .random(in: .min ... .max))
        state.withLock { $0.tenants[tenant, default: TenantState()].settled.append(item) }
        settling.submit(tenant, writeOutcomes)
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
        await delivering.stop()
        await settling.stop()
        let unsettled = state.withLock { $0.tenants.filter { !$0.value.settled.isEmpty }.keys }
        for tenant in unsettled { await writeOutcomes(tenant) }
    }

    private func endWaits(_ isOver: (Waiter) -> Bool) {
        let ended = state.withLock { state in
            var ended: [Completion] = []
            for (tenant, tenantState) in state.tenants {
                for (id, waiters) in tenantState.waiters where waiters.contains(where: isOver) {
                    ended += waiters.filter(isOver).map(\.completion)
                    let rest = waiters.filter { !isOver($0) }
                    state.tenants[tenant]?.waiters[id] = rest.isEmpty ? nil : rest
                }
            }
            return ended
        }
        for completion in ended { completion(.nothing) }
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
            found = (news, try await worker.endedSessions(news, for: basis))
        }
        guard let found else { return }
        for tenant in tenants {
            let devices = possiblyRevoked(tenant, found.news[tenant], found.ended[tenant])
            for chunk in devices.chunks(of: Self.checkedMax) { await recheck(Array(chunk), tenant) }
        }
    }

    private var basis: [Tenant: [AdmissionBasis]] {
        state.withLock {
            $0.tenants.mapValues { tenantState in tenantState.waiters.values.flatMap { $0.map(\.basis) } }
        }
    }

    private func possiblyRevoked(_ tenant: Tenant, _ news: TenantNews?, _ ended: EndedSessions?) -> [DeviceKey] {
        state.withLock { state in
            (state.tenants[tenant]?.waiters ?? [:]).compactMap { id, waiters in
                var (waiters, mayBeRevoked) = (waiters, false)
                for index in waiters.indices where waiters[index].basis.mayBeRevoked(news, ended) {
                    mayBeRevoked = true
                }
                state.tenants[tenant]?.waiters[id] = waiters
                return mayBeRevoked ? waiters.first?.device : nil
            }
        }
    }

    private func recheck(_ devices: [DeviceKey], _ tenant: Tenant) async {
        do {
            let check = CourierCheck(devices)
            let reading = try await worker.read(check.reading, from: try await worker.open(tenant))
            let verdicts = check.verdicts(reading, now: worker.now)
            for device in devices {
                switch verdicts[device] {
                case .success(let admitted)?:
                    note(AdmissionBasis(by: reading.catalog, session: admitted.device.sessionID), device, tenant)
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

    private func note(_ basis: AdmissionBasis, _ device: DeviceKey, _ tenant: Tenant) {
        state.withLock { state in
            guard var waiters = state.tenants[tenant]?.waiters[device.id] else { return }
            for index in waiters.indices { waiters[index].basis = basis }
            state.tenants[tenant]?.waiters[device.id] = waiters
        }
    }

    private func end(_ device: DeviceKey, _ tenant: Tenant, _ refusal: Refusal) {
        let ended = state.withLock { $0.tenants[tenant]?.waiters.removeValue(forKey: device.id) ?? [] }
        for waiter in ended { waiter.completion(.refusal(refusal)) }
    }

    // MARK: Work queue

    /// Finds deliveries, and gives them out.
    private func deliver(_ tenant: Tenant) async {
        let devices = state.withLock { state in
            let wanted = state.tenants[tenant]?.toCheck.filter { state.tenants[tenant]?.waiters[$0.key] != nil } ?? [:]
            state.tenants[tenant]?.toCheck = [:]
            return Array(wanted.values)
        }
        for chunk in devices.chunks(of: Self.checkedMax) { await deliver(Array(chunk), tenant) }
    }

    private func deliver(_ devices: [DeviceKey], _ tenant: Tenant) async {
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
        let (completion, hasMore) = state.withLock { state -> (Completion?, Bool) in
            guard var waiters = state.tenants[tenant]?.waiters[delivery.key.device], !waiters.isEmpty else {
                return (nil, false)
            }
            let first = waiters.removeFirst()
            state.tenants[tenant]?.waiters[delivery.key.device] = waiters.isEmpty ? nil : waiters
            return (first.completion, !waiters.isEmpty)
        }
        guard let completion else { return settle(delivery, of: tenant, wasSent: false) }
        completion(.delivery(delivery))
        // Another waiter gets the next delivery.
        if hasMore { note([delivery.key.device], of: tenant) }
    }

    /// Writes the outcomes of deliveries. If that fails, they are given out again when the lease ends.
    private func writeOutcomes(_ tenant: Tenant) async {
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
            guard let items = state.tenants[tenant]?.settled.prefix(Self.settledMax), !items.isEmpty else { return nil }
            state.tenants[tenant]?.settled.removeFirst(items.count)
            return Array(items)
        }
    }
}
