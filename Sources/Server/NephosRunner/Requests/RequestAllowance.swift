package import NephosNetwork
package import NephosStorage
import Synchronization

/// A rate limit per client address and minute: in the memory of one server, for cheap operations that must not be repeated without bound.
package final class RequestAllowance: Sendable {
    private struct Spent {
        var since: Milliseconds
        var count: Int
    }

    private static let period: Milliseconds = 60_000
    /// The maximum number of addresses; beyond it, one is dropped for each new one.
    private static let networksMax = 10_000

    private let most: Int
    private let spent = Mutex<[NetworkAddress: Spent]>([:])

    /// - Parameter most: Requests of one client per minute.
    package init(_ most: Int) { self.most = most }

    /// Counts one more request.
    ///
    /// - Parameter network: ``RawRequest/network``; nil for no limit.
    /// - Returns: nil if the request is allowed; otherwise the number of seconds to wait.
    package func spend(_ network: NetworkAddress?, now: Milliseconds) -> Int? {
        guard let network else { return nil }
        return spent.withLock { spent in
            var mine = spent[network] ?? Spent(since: now, count: 0)
            // A clock that was set back also starts a new period.
            if !(0..<Self.period).contains(now - mine.since) { mine = Spent(since: now, count: 0) }
            guard mine.count < most else { return Int((mine.since + Self.period - now + 999) / 1_000) }
            mine.count += 1
            if spent[network] == nil, spent.count >= Self.networksMax, let one = spent.keys.first { spent[one] = nil }
            spent[network] = mine
            return nil
        }
    }
}
