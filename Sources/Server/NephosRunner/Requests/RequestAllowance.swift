package import NephosNetwork
package import NephosStorage
import Synchronization

/// How often one client may ask for something in a minute, by its address: in the memory of one server, for what costs others little, and is
/// limited so that nobody invents without end.
package final class RequestAllowance: Sendable {
    private struct Spent {
        var since: Milliseconds
        var count: Int
    }

    private static let period: Milliseconds = 60_000
    /// Addresses that are remembered; past this many one is forgotten for each that comes.
    private static let networksMax = 10_000

    private let most: Int
    private let spent = Mutex<[NetworkAddress: Spent]>([:])

    /// - Parameter most: For one client in a minute.
    package init(_ most: Int) { self.most = most }

    /// Counts one request more.
    ///
    /// - Parameter network: ``RawRequest/network``; nil for whom there is no limit.
    /// - Returns: nil where it may be; else after how many seconds it may.
    package func spend(_ network: NetworkAddress?, now: Milliseconds) -> Int? {
        guard let network else { return nil }
        return spent.withLock { spent in
            var mine = spent[network] ?? Spent(since: now, count: 0)
            // A clock that was set back begins anew, too.
            if !(0..<Self.period).contains(now - mine.since) { mine = Spent(since: now, count: 0) }
            guard mine.count < most else { return Int((mine.since + Self.period - now + 999) / 1_000) }
            mine.count += 1
            if spent[network] == nil, spent.count >= Self.networksMax, let one = spent.keys.first { spent[one] = nil }
            spent[network] = mine
            return nil
        }
    }
}
