import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage
import Synchronization

/// What clients have reported to this process, to be written down once a second. No request waits for that; what is not written when the process is
/// killed comes again with the client's next request.
final class ClientReports: Sendable {
    /// Who reports: a person, whatever device they use, or a device of nobody's.
    enum Client: Hashable, Sendable {
        case person(UserID)
        case device(String)
    }

    struct Item: Sendable {
        let client: Client
        let report: ClientReport
    }

    private struct Place: Hashable {
        let tenant: Tenant
        let client: Client
    }

    private struct State {
        var day: Int64 = 0
        /// Of today, written or not.
        var noted: Set<Place> = []
        var waiting: [Tenant: [Item]] = [:]
        var waitingCount = 0
    }

    /// Past this many all are forgotten, and looked up once more.
    private static let notedMax = 100_000
    /// What comes while so many wait is not noted.
    private static let waitingMax = 20_000
    static let pause = Duration.seconds(1)

    private let state = Mutex(State())

    /// Takes what a request says of its client, once a day.
    func hear(_ call: AdmittedCall, _ header: String) {
        guard call.context.catalog.clients.isReporting else { return }
        let day = call.context.now.clientDay
        switch call.context.caller {
        case .person(let session):
            // Most requests are of somebody who was heard today.
            let place = Place(tenant: call.tenant, client: .person(session.user))
            guard !isNoted(place, day: day), let report = ClientReport(header) else { return }
            note(Item(client: place.client, report: report), at: place, day: day)
        case .anonymous:
            guard let report = ClientReport(header), let device = report.device else { return }
            let place = Place(tenant: call.tenant, client: .device(device))
            note(Item(client: place.client, report: report), at: place, day: day)
        // A program with a key is nobody's app.
        case .serverKey, .administrator: return
        }
    }

    private func isNoted(_ place: Place, day: Int64) -> Bool {
        state.withLock { $0.day >= day && $0.noted.contains(place) }
    }

    private func note(_ item: Item, at place: Place, day: Int64) {
        state.withLock { state in
            if state.day < day { (state.day, state.noted) = (day, []) }
            guard state.waitingCount < Self.waitingMax else { return }
            if state.noted.count >= Self.notedMax { state.noted = [] }
            guard state.noted.insert(place).inserted else { return }
            state.waiting[place.tenant, default: []].append(item)
            state.waitingCount += 1
        }
    }

    private func take() -> [Tenant: [Item]] {
        state.withLock { state in
            defer { (state.waiting, state.waitingCount) = ([:], 0) }
            return state.waiting
        }
    }

    /// So that the clients' next requests bring it again.
    private func forget(_ items: ArraySlice<Item>, of tenant: Tenant) {
        state.withLock { state in
            for item in items { state.noted.remove(Place(tenant: tenant, client: item.client)) }
        }
    }

    // MARK: Writing them down

    /// Now and then, until the task is cancelled; then what is left.
    func run(_ host: FeatureHost) async {
        while (try? await Task.sleep(for: Self.pause)) != nil { await write(host) }
        await write(host)
    }

    private func write(_ host: FeatureHost) async {
        for (tenant, items) in take() {
            var rest = items[...]
            await host.worker.work(at: tenant) { error in
                forget(rest, of: tenant)
                // Told by whoever watches the storage.
                switch error {
                case StorageError.unavailable, StorageError.full: return
                default: break
                }
                host.failed("what clients reported was not counted", tenant, error)
            } _: { store in
                while !rest.isEmpty {
                    let catalog = try await host.worker.read(ReadSet(), from: store).catalog
                    let step = TakeReports(rest.prefix(TakeReports.most), catalog, now: host.worker.now)
                    try await host.runner.commit(step.reading, to: store, decide: step.decide)
                    rest = rest.dropFirst(TakeReports.most)
                }
            }
        }
    }
}

extension Milliseconds {
    /// Of UTC, since 1970.
    var clientDay: Int64 { self / 86_400_000 }
}
