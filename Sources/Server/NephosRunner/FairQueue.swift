package import NephosNetwork

/// Work of clients that waits for its turn, so that one network can neither fill the queue nor make others wait for all of its work:
/// each has a share of the places, and networks take turns, the networks of one site (``ClientNetwork/site``) together. Whoever
/// fills the queue keeps nobody out: those who wait for most make room.
///
/// Clients that are not counted, on a server's own machine, share one turn and are limited by the whole queue alone.
package struct FairQueue<Element> {
    /// What became of an element.
    package enum Admission {
        case added
        /// The queue was full, and it has taken the place of this one, the newest of those who waited for most.
        case displaced(Element)
        case refused
    }

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

    package mutating func append(_ element: Element, of network: ClientNetwork?) -> Admission {
        for (block, share) in network?.counted ?? [] {
            guard counts[block] ?? 0 < max(mostOfNetwork, min(share * mostOfNetwork, most / 2)) else { return .refused }
        }
        let turn = network.map { $0.site ?? $0.own }
        var displaced: Element?
        if count >= most {
            // One more than the other one would have left: nobody should be able to displace others again and again.
            displaced = removeNewest(ofMoreThan: (waiting[turn]?.count ?? 0) + 1)
            guard displaced != nil else { return .refused }
        }
        note(network, 1)
        if waiting[turn] == nil { turns.append(turn) }
        waiting[turn, default: []].append((network, element))
        return displaced.map { Admission.displaced($0) } ?? .added
    }

    /// The next element; nil if there is none.
    package mutating func popFirst() -> Element? {
        guard !turns.isEmpty else { return nil }
        let turn = turns.removeFirst()
        guard let (network, element) = waiting[turn]?.removeFirst() else { return nil }
        if waiting[turn]?.isEmpty == false { turns.append(turn) } else { waiting[turn] = nil }
        note(network, -1)
        return element
    }

    /// Removes the newest element of the longest turn; nil if that has no more than `number`, which is at least 1.
    private mutating func removeNewest(ofMoreThan number: Int) -> Element? {
        var longest: (turn: AddressBlock?, count: Int)?
        for (turn, elements) in waiting where elements.count > longest?.count ?? number {
            longest = (turn, elements.count)
        }
        guard let longest, let (network, element) = waiting[longest.turn]?.popLast() else { return nil }
        note(network, -1)
        return element
    }

    /// Counts an element that is added (1) or removed (-1).
    private mutating func note(_ network: ClientNetwork?, _ difference: Int) {
        for (block, _) in network?.counted ?? [] {
            let left = (counts[block] ?? 0) + difference
            counts[block] = left > 0 ? left : nil
        }
        count += difference
    }
}

extension FairQueue: Sendable where Element: Sendable {}
extension FairQueue.Admission: Sendable where Element: Sendable {}
