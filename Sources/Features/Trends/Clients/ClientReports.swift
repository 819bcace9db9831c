import CloudKitWire
import NephosDomain
import NephosNetwork
import NephosRunner
import NephosStorage
import Synchronization

/// What clients have reported to this process; written to the store once a second, so no request waits for it. Reports that are
/// lost when the process is killed arrive again with the client's next request.
final class ClientReports: Sendable {
    /// Who reports: a person, regardless of the device, or a device on which nobody is signed in.
    enum Client: Hashable, Sendable {
        case person(UserID)
        case device(String)
    }

    struct Item: Sendable {
        let client: Client
        let report: ClientReport
        /// Where a device without a person is; nil if it is not limited there.
        var network: ClientNetwork?
    }

    /// The devices of one network, which anybody there can invent.
    private struct Share: Hashable {
        let tenant: Tenant
        /// nil for all networks that have no share of their own.
        let network: AddressBlock?
    }

    private struct Place: Hashable {
        let tenant: Tenant
        let client: Client
    }

    private struct State {
        var day: Int64 = 0
        /// Reported today, whether written or not.
        var noted: Set<Place> = []
        var waiting: [Tenant: [Item]] = [:]
        var waitingCount = 0
        /// Devices that were new today.
        var new: [Share: Int] = [:]

        /// Forgets what was noted on an earlier day.
        mutating func begin(_ day: Int64) {
            if self.day < day { (self.day, noted, new) = (day, [], [:]) }
        }
    }

    /// When there are more, all are forgotten and looked up again.
    private static let notedMax = 100_000
    /// Reports that arrive while this many are waiting are dropped.
    private static let waitingMax = 20_000
    /// Networks whose new devices are counted by themselves; those of further ones are counted together.
    private static let sharesMax = 10_000
    static let pause = Duration.seconds(1)

    private let state = Mutex(State())

    /// Takes the report of a request's client, once a day per client.
    func receive(_ call: AdmittedCall, _ header: String) {
        guard call.context.catalog.clients.isReporting else { return }
        let day = call.context.now.clientDay
        switch call.context.caller {
        case .person(let session):
            // Most requests are from clients that have already reported today.
            let place = Place(tenant: call.tenant, client: .person(session.user))
            guard !isNoted(place, day: day), let report = ClientReport(header) else { return }
            note(Item(client: place.client, report: report), at: place, day: day)
        case .anonymous:
            guard let report = ClientReport(header), let device = report.device else { return }
            let place = Place(tenant: call.tenant, client: .device(device))
            note(
                Item(client: place.client, report: report, network: call.call.request.network), at: place, day: day)
        // A program with a key is not an app in somebody's hands.
        case .serverKey, .administrator: return
        }
    }

    private func isNoted(_ place: Place, day: Int64) -> Bool {
        state.withLock { $0.day >= day && $0.noted.contains(place) }
    }

    private func note(_ item: Item, at place: Place, day: Int64) {
        state.withLock { state in
            state.begin(day)
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

    /// Forgets them, so that the clients' next requests report again.
    private func forget(_ items: ArraySlice<Item>, of tenant: Tenant) {
        state.withLock { state in
            for item in items { state.noted.remove(Place(tenant: tenant, client: item.client)) }
        }
    }

    /// How many devices that are new on a day each network has already had.
    func new(_ items: ArraySlice<Item>, of tenant: Tenant, on day: Int64) -> [AddressBlock: Int] {
        state.withLock { state in
            state.begin(day)
            let others = state.new[Share(tenant: tenant, network: nil)] ?? 0
            let further = state.new.count < Self.sharesMax ? 0 : others
            return items.reduce(into: [:]) { new, item in
                for (block, _) in item.network?.counted ?? [] {
                    new[block] = state.new[Share(tenant: tenant, network: block)] ?? further
                }
            }
        }
    }

    /// - Parameter new: As ``new(_:of:on:)`` returned it, with those that were added since.
    func note(new: [AddressBlock: Int], of tenant: Tenant, on day: Int64) {
        state.withLock { state in
            // Another day has begun since.
            guard state.day == day else { return }
            let others = Share(tenant: tenant, network: nil)
            let further = state.new[others] ?? 0
            for (network, count) in new where count > 0 {
                let share = Share(tenant: tenant, network: network)
                if state.new[share] != nil || state.new.count < Self.sharesMax {
                    state.new[share] = count
                } else {
                    state.new[others, default: 0] += count - further
                }
            }
        }
    }

    // MARK: Writing

    /// Writes once a second until the task is canceled, and then what is left.
    func run(_ host: FeatureHost) async {
        while (try? await Task.sleep(for: Self.pause)) != nil { await write(host) }
        await write(host)
    }

    private func write(_ host: FeatureHost) async {
        for (tenant, items) in take() {
            var rest = items[...]
            await host.worker.work(at: tenant) { error in
                forget(rest, of: tenant)
                // Already reported by the storage monitoring.
                switch error {
                case StorageError.unavailable, StorageError.full: return
                default: break
                }
                host.failed("reports of clients could not be counted", tenant, error)
            } _: { store in
                while !rest.isEmpty {
                    let catalog = try await host.worker.read(ReadSet(), from: store).catalog
                    let part = rest.prefix(SaveReports.most)
                    let now = host.worker.now
                    let day = now.clientDay
                    let step = SaveReports(part, catalog, new: new(part, of: tenant, on: day), now: now)
                    let added = try await host.runner.commit(step.reading, to: store, decide: step.decide)
                    note(new: added, of: tenant, on: day)
                    rest = rest.dropFirst(SaveReports.most)
                }
            }
        }
    }
}

extension Milliseconds {
    /// Days since 1970 UTC.
    var clientDay: Int64 { self / 86_400_000 }
}
