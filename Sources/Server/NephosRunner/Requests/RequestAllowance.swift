package import NephosNetwork
package import NephosStorage
import Synchronization

/// A rate limit per client and minute: in the memory of one server, for cheap operations that must not be repeated without bound.
package final class RequestAllowance: Sendable {
    private struct Spent {
        var since: Milliseconds
        var count: Int

        /// Nothing, if its period is over, or the clock was set back.
        func current(_ now: Milliseconds) -> Spent {
            (0..<period).contains(now - since) ? self : Spent(since: now, count: 0)
        }
    }

    private static let period: Milliseconds = 60_000
    /// The maximum number of networks and sites; beyond it, one is dropped for each new one.
    private static let countMax = 10_000

    private let most: Int
    private let spent = Mutex<[AddressBlock: Spent]>([:])

    /// - Parameter most: Requests of one client per minute.
    package init(_ most: Int) { self.most = most }

    /// Counts one more request.
    ///
    /// - Parameter network: ``RawRequest/network``; nil for no limit.
    /// - Returns: nil if the request is allowed; otherwise the number of seconds to wait.
    package func spend(_ network: ClientNetwork?, now: Milliseconds) -> Int? {
        guard let network else { return nil }
        return spent.withLock { spent in
            let counted = network.counted.map { block, share in
                (block, spent: (spent[block] ?? Spent(since: now, count: 0)).current(now), most: most * share)
            }
            if let full = counted.filter({ $0.spent.count >= $0.most }).map(\.spent.since).max() {
                return Int((full + Self.period - now + 999) / 1_000)
            }
            for (block, mine, _) in counted {
                if spent[block] == nil, spent.count >= Self.countMax, let one = spent.keys.first { spent[one] = nil }
                spent[block] = Spent(since: mine.since, count: mine.count + 1)
            }
            return nil
        }
    }
}
