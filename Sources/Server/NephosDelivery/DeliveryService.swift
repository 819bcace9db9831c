import NephosDomain
package import NephosRunner
package import NephosStorage

/// Everything that tells devices of changes, put together: the pump, the desk, and the senders; woken by the engine's news,
/// and by looking now and then for what nobody was woken for.
package final class DeliveryService: Sendable {
    package let desk: CourierDesk
    private let pump: Pump
    private let senders: Senders
    private let engine: any StorageEngine
    private let options: DeliveryOptions
    private let threads: any WaitingThreads
    package let observer: DeliveryObserver
    private let clock: @Sendable () -> Milliseconds

    /// How often it is looked for credentials that were taken back from under who waits.
    private static let watchEvery = Duration.milliseconds(500)
    /// Devices and entries forgotten in one transaction.
    private static let forgottenMax = 200

    /// - Parameter clock: Milliseconds since 1970.
    package init(
        engine: any StorageEngine, options: DeliveryOptions, post: any Post, threads: any WaitingThreads,
        observer: DeliveryObserver = DeliveryObserver(), clock: @escaping @Sendable () -> Milliseconds
    ) {
        self.engine = engine
        self.options = options
        self.threads = threads
        self.observer = observer
        self.clock = clock
        pump = Pump(engine: engine, options: options, threads: threads, observer: observer, clock: clock)
        desk = CourierDesk(engine: engine, options: options, threads: threads, observer: observer, clock: clock)
        senders = Senders(engine: engine, post: post, threads: threads, observer: observer, clock: clock)
    }

    /// Works until the task is cancelled, then ends what is under way.
    package func run() async {
        engine.listen { [weak self] in self?.hear($0) }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.lookAround() }
            group.addTask { await self.sweep() }
            group.addTask { await self.watch() }
            await group.waitForAll()
        }
        await pump.stop()
        await senders.stop()
        await desk.close()
    }

    private func hear(_ news: StorageNews) {
        switch news {
        case .events(let tenant, let databases): for database in databases { pump.wake(tenant, database) }
        case .deliveries(let tenant, let devices): desk.note(devices, of: tenant)
        case .toSend(let tenant): senders.wake(tenant, after: options.window)
        }
    }

    private func sweep() async {
        while (try? await Task.sleep(for: .seconds(1))) != nil {
            desk.sweep()
            senders.wakeDue()
        }
    }

    private func watch() async {
        while (try? await Task.sleep(for: Self.watchEvery)) != nil { await desk.watch() }
    }

    // MARK: Looking around

    /// Looks for events and deliveries that nobody here was woken for: of a process that died, of another command, and what
    /// is to be sent again. Tenants that are open more often than the others.
    private func lookAround() async {
        var nextOfAll = ContinuousClock.now
        repeat {
            let isOfAll = ContinuousClock.now >= nextOfAll
            if isOfAll { nextOfAll = ContinuousClock.now + options.pollAllEvery }
            await look(opening: isOfAll)
            desk.lookAgain()
        } while (try? await Task.sleep(for: options.pollEvery)) != nil
    }

    private func look(opening: Bool) async {
        let engine = engine
        // Whether the store can be reached is said by those who have something to do with it.
        guard let containers = try? await threads.run({ try engine.containers() }) else { return }
        for container in containers {
            for environment in Environment.allCases {
                if Task.isCancelled { return }
                await look(at: Tenant(container: container.id, environment: environment), opening: opening)
            }
        }
    }

    private func look(at tenant: Tenant, opening: Bool) async {
        let engine = engine
        do {
            let store = try await threads.run { opening ? try engine.open(tenant) : engine.opened(tenant) }
            guard let store else { return }
            try await pump.look(store)
            senders.wake(tenant)
            if opening { try await forget(store) }
        } catch is CancellationError {
        } catch StorageError.noSuchTenant {
            // Its container was deleted meanwhile.
        } catch {
            observer.failed(tenant, error)
        }
    }

    /// Devices that nobody asks for any more, and old entries of the log.
    private func forget(_ store: any TenantStore) async throws {
        let now = clock()
        let forget = ForgetDeliveries(
            silentSince: now - Milliseconds(options.deviceHours) * 3_600_000,
            loggedBefore: now - Milliseconds(options.logDays) * 86_400_000, limit: Self.forgottenMax)
        let old = try await threads.run { try store.read(forget.reading) }
        guard !old.devices[0].isEmpty || !old.pushLogs[0].isEmpty || !old.deliveries[0].isEmpty else { return }
        // A short page is the last; what came since can wait.
        while try await store.commit(forget.reading, decide: forget.decide) == Self.forgottenMax {
            try Task.checkCancellation()
        }
    }
}
