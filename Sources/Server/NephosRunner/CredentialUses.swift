package import NephosStorage
import Synchronization

/// Credentials that were used today, recorded later by background work (docs/decisions/0016). No request blocks or writes for
/// that.
package final class CredentialUses: Sendable {
    private struct State {
        var day: Int64 = 0
        /// Of today, recorded or not.
        var noted: Set<Place> = []
        var waiting: [Tenant: [CredentialUseRow]] = [:]
        var waitingCount = 0
    }

    private struct Place: Hashable {
        var tenant: Tenant
        var key: CredentialKey
    }

    /// About 150 bytes each. Above this count all are forgotten, and noted again.
    private static let notedMax = 50_000
    /// While this many are waiting, further uses are not noted; they are noted the next day, or after the process restarts.
    private static let waitingMax = 50_000

    private let state = Mutex(State())

    package init() {}

    /// The length of a day, in milliseconds.
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

    /// Removes and returns what is waiting to be recorded.
    package func take() -> [Tenant: [CredentialUseRow]] {
        state.withLock { state in
            defer { (state.waiting, state.waitingCount) = ([:], 0) }
            return state.waiting
        }
    }

    /// Returns rows that could not be recorded to the queue.
    package func putBack(_ rows: [CredentialUseRow], of tenant: Tenant) {
        state.withLock { state in
            let rows = rows.prefix(Self.waitingMax - state.waitingCount)
            state.waiting[tenant, default: []] += rows
            state.waitingCount += rows.count
        }
    }
}
