package import NephosNetwork
import NephosRunner
import Synchronization

/// Whose addresses count, and for what (docs/decisions/0017).
package struct ClientRules: Sendable {
    /// Proxies in front of the server: what they say of a request's client, scheme and host is believed.
    package var trustedProxies: [AddressBlock]
    /// Whoever is here may have as much as all clients together.
    package var unlimited: [AddressBlock]

    package init(trustedProxies: [AddressBlock] = [], unlimited: [AddressBlock] = AddressBlock.loopback) {
        self.trustedProxies = trustedProxies
        self.unlimited = unlimited
    }
}

/// A client by its address: what it holds of the server, over all its connections.
///
/// Of IPv6 the first 64 bits count, since whoever has one such address has all of the network's.
final class Client: Sendable {
    /// For logs; empty where it is not known.
    let text: String
    let budget: BodyBudget
    /// nil for who is not counted.
    let network: NetworkAddress?
    /// What it has to do with the limit of connections.
    enum Standing {
        case admitted
        /// It has as many connections as it may: this one is told so, and counted as refused.
        case refused
        /// It has as many refused ones besides, and is told nothing.
        case flooding
    }

    let standing: Standing

    init(text: String, budget: BodyBudget, network: NetworkAddress? = nil, standing: Standing = .admitted) {
        self.text = text
        self.budget = budget
        self.network = network
        self.standing = standing
    }
}

/// The clients that have connections, and how many.
final class Clients: Sendable {
    private struct Entry {
        var connections = 0
        /// Those that are told that there are too many, until they are closed.
        var refused = 0
        let budget: BodyBudget

        /// What becomes of one connection more.
        func standing(_ most: Int) -> Client.Standing {
            connections < most ? .admitted : refused < most ? .refused : .flooding
        }

        mutating func count(_ standing: Client.Standing, by difference: Int) {
            switch standing {
            case .admitted: connections += difference
            case .refused: refused += difference
            case .flooding: break
            }
        }
    }

    let rules: ClientRules
    /// Whoever has no address.
    let nobody: Client
    private let limits: HTTPLimits
    private let all: BodyBudget
    private let entries = Mutex<[NetworkAddress: Entry]>([:])

    init(_ rules: ClientRules, _ limits: HTTPLimits, _ all: BodyBudget) {
        self.rules = rules
        self.limits = limits
        self.all = all
        nobody = Client(text: "", budget: all)
    }

    /// How many have something, for tests.
    var count: Int { entries.withLock { $0.count } }

    /// Counts a connection of a client in, until ``leave(_:)``.
    func enter(_ address: NetworkAddress) -> Client {
        let text = address.description
        guard !address.isIn(rules.unlimited), !address.isIn(rules.trustedProxies) else {
            return Client(text: text, budget: all)
        }
        let network = AddressBlock(address, bits: address.isIPv4 ? 128 : 64).first
        let (budget, standing) = entries.withLock { entries -> (BodyBudget, Client.Standing) in
            var entry = entries[network] ?? Entry(budget: BodyBudget(bytesMax: limits.clientBufferedBytesMax, of: all))
            let standing = entry.standing(limits.clientConnectionsMax)
            entry.count(standing, by: 1)
            entries[network] = entry
            return (entry.budget, standing)
        }
        return Client(text: text, budget: budget, network: network, standing: standing)
    }

    func leave(_ client: Client) {
        guard let network = client.network else { return }
        entries.withLock { entries in
            guard var entry = entries[network] else { return }
            entry.count(client.standing, by: -1)
            entries[network] = entry.connections + entry.refused > 0 ? entry : nil
        }
    }
}
