package import NephosRunner
import NephosStorage

/// All parts that notify devices of changes: the pump, the long-poll hub, and the senders. It is woken by the engine's news, and
/// by a job that finds what no process was notified of.
package final class DeliveryService: Sendable {
    package let hub: LongPollHub
    private let pump: Pump
    private let senders: Senders
    private let worker: Worker
    private let options: DeliveryOptions
    package let observer: DeliveryObserver

    /// How often waiting devices are checked for revoked credentials.
    private static let watchEvery = Duration.milliseconds(500)
    /// Devices and entries removed per transaction.
    private static let forgottenMax = 200

    package init(
        worker: Worker, options: DeliveryOptions, post: any Post, observer: DeliveryObserver = DeliveryObserver()
    ) {
        self.worker = worker
        self.options = options
        self.observer = observer
        pump = Pump(worker: worker, options: options, observer: observer)
        hub = LongPollHub(worker: worker, options: options, observer: observer)
        senders = Senders(worker: worker, post: post, observer: observer)
    }

    /// Has the engine wake the pump, the long-poll hub, and the senders from now on.
    package func listen() { worker.engine.listen { [weak self] in self?.receive($0) } }

    /// Runs until the task is canceled, then finishes what is in progress.
    package func run() async {
        await withTaskGroup(of: Void.self) { group in
            // Finds deliveries of which devices waiting here were not notified.
            hub.checkAll()
            group.addTask { [self] in await every(options.pollEvery) { hub.checkAll() } }
            group.addTask { [self] in
                await every(.seconds(1)) {
                    hub.sweep()
                    senders.wakeDue()
                }
            }
            group.addTask { [self] in await every(Self.watchEvery) { await hub.watch() } }
            await group.waitForAll()
        }
        await pump.stop()
        await senders.stop()
        await hub.close()
    }

    private func receive(_ news: StorageNews) {
        switch news {
        case .events(let tenant, let databases): for database in databases { pump.wake(tenant, database) }
        case .deliveries(let tenant, let devices): hub.note(devices, of: tenant)
        case .toSend(let tenant): senders.wake(tenant, after: options.window)
        case .posted: break
        }
    }

    private func every(_ interval: Duration, _ body: () async -> Void) async {
        while (try? await Task.sleep(for: interval)) != nil { await body() }
    }

    // MARK: Missed events

    /// Finds events and deliveries that no process is working on: those of a process that died or of a command, and retries that
    /// are due. Removes old rows.
    package var job: Job {
        Job(Job.delivery, dueAfterWriting: options.pollEvery.milliseconds, atOnce: 4) { [self] run, store in
            try await pump.look(store)
            senders.wake(store.tenant)
            try await forget(store, run)
            return .again(at: try await next(in: store))
        }
    }

    /// The next time there is something to do, as far as the store knows; at most a day from now.
    private func next(in store: any TenantStore) async throws -> Milliseconds {
        let now = worker.now
        var set = ReadSet()
        let event = ChangeEventRow.oldest(limit: 1)
        set.ask(event)
        let toSend = DeviceRow.Channel.allCases.filter(\.isSentTo).map {
            DeliveryRow.toSend($0, now: .max, limit: 1)
        }
        for scan in toSend { set.ask(scan) }
        let oldest = PushLogRow.before(.max, limit: 1)
        let (completed, silentest) = (
            DeliveryRow.completed(createdBefore: .max, limit: 1), DeviceRow.silent(.courier, since: .max, limit: 1)
        )
        set.ask(oldest)
        set.ask(completed)
        set.ask(silentest)
        let first = try await worker.read(set, from: store)
        var times = [now + 86_400_000]
        if !first[event].isEmpty { times.append(now) }
        times += toSend.compactMap { first[$0].first?.dueAt }
        times += first[completed].first.map { [$0.createdAt + logged] } ?? []
        times += first[silentest].first.map { [$0.usedAt + silent] } ?? []
        times += first[oldest].first.map { [$0.at + logged] } ?? []
        return max(times.min() ?? now, now + options.pollEvery.milliseconds)
    }

    private var silent: Milliseconds { Milliseconds(options.deviceHours) * 3_600_000 }
    private var logged: Milliseconds { Milliseconds(options.logDays) * 86_400_000 }

    /// Removes devices that no longer poll, and old entries of the log.
    private func forget(_ store: any TenantStore, _ run: JobRun) async throws {
        let now = worker.now
        let forget = ForgetDeliveries(
            silentSince: now - silent, loggedBefore: now - logged, limit: Self.forgottenMax)
        let old = try await worker.read(forget.reading, from: store)
        guard forget.most(in: old) > 0 else { return }
        // A short page is the last; rows added since can wait.
        while try await worker.runner.commit(forget.reading, to: store, decide: forget.decide) == Self.forgottenMax {
            try await run.keep()
        }
    }
}
