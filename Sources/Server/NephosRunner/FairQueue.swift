package import NephosNetwork

/// Work of clients that waits for its turn, so that one network can neither fill the queue nor make others wait for all of its work:
/// each has a share of the places, and networks take turns, the networks of one site (``ClientNetwork/site``) together.
///
/// Clients that are not counted, on a server's own machine, share one turn and are limited by the whole queue alone.
package struct FairQueue<Element> {
    private let most: Int
    private let mostOfNetwork: Int
    /// Elements and their networks, by whose turn it is, in order of arrival.
    private var waiting: [AddressBlock?: [(network: ClientNetwork?, element: Element)]] = [:]
    /// The keys of ``waiting``, in the order of their turns.
    private var turns: [AddressBlock?] = []
    private var counts: [AddressBlock: Int] = [:]
    package private(set) var count = 0

    /// - Parameters:
    ///   - most: Places in all.
    ///   - mostOfNetwork: Places of one network. A site has half of all places at most.
    package init(most: Int, mostOfNetwork: Int) { (self.most, self.mostOfNetwork) = (most, mostOfNetwork) }

    /// - Returns: Whether there was a place.
    package mutating func append(_ element: Element, of network: ClientNetwork?) -> Bool {
        guard count < most else { return false }
        for (block, share) in network?.counted ?? [] {
            guard counts[block] ?? 0 < max(mostOfNetwork, min(share * mostOfNetwork, most / 2)) else { return false }
        }
        for (block, _) in network?.counted ?? [] { counts[block, default: 0] += 1 }
        count += 1
        let turn = network.map { $0.site ?? $0.own }
        if waiting[turn] == nil { turns.append(turn) }
        waiting[turn, default: []].append((network, element))
        return true
    }

    /// The next element; nil if there is none.
    package mutating func popFirst() -> Element? {
        guard !turns.isEmpty else { return nil }
        let turn = turns.removeFirst()
        guard var mine = waiting[turn], !mine.isEmpty else { return nil }
        let (network, element) = mine.removeFirst()
        waiting[turn] = mine.isEmpty ? nil : mine
        if !mine.isEmpty { turns.append(turn) }
        for (block, _) in network?.counted ?? [] {
            let left = (counts[block] ?? 1) - 1
            counts[block] = left > 0 ? left : nil
        }
        count -= 1
        return element
    }
}

extension FairQueue: Sendable where Element: Sendable {}
