package import NephosStorage
import Synchronization

/// Credentials that let somebody in today, to be written down by background work (docs/decisions/0016). No request waits for
/// that, or writes.
package final class CredentialUses: Sendable {
    private struct State {
        var day: Int64 = 0
        /// Of today, written or not.
        var noted: Set<Place> = []
        var waiting: [Tenant: [CredentialUseRow]] = [:]
        var waitingCount = 0
    }

    private struct Place: Hashable {
        var tenant: Tenant
        var key: CredentialKey
    }

    /// About 150 bytes each. Past this many all are forgotten, and noted once more.
    private static let notedMax = 50_000
    /// What comes while so many wait is not noted: with the next day, or when the process starts again, it is.
    private static let waitingMax = 50_000

    private let state = Mutex(State())

    package init() {}

    /// A server's day, in milliseconds.
    static let day: Milliseconds = 86_400_000

    package func note(_ keys: [CredentialKey], of tenant: Tenant, at now: Milliseconds) {
        let day = now / Self.day
        state.withLock { state in
            if state.day < day { (state.day, state.noted) = (day, []) }
            for key in keys where state.waitingCount < Self.waitingMax {
                if state.noted.count >= Self.notedMax { state.noted = [] }
                guard state.noted.insert(Place(tenant: tenant, key: key)).inserted else { continue }
                state.waiting[tenant, default: []].append(CredentialUseRow(key: key, day: day))
                state.waitingCount += 1
            }
        }
    }

    /// What is to be written down, which is taken out.
    package func take() -> [Tenant: [CredentialUseRow]] {
        state.withLock { state in
            defer { (state.waiting, state.waitingCount) = ([:], 0) }
            return state.waiting
        }
    }

    /// What could not be written down waits for the next time.
    package func putBack(_ rows: [CredentialUseRow], of tenant: Tenant) {
        state.withLock { state in
            let rows = rows.prefix(Self.waitingMax - state.waitingCount)
            state.waiting[tenant, default: []] += rows
            state.waitingCount += rows.count
        }
    }
}
