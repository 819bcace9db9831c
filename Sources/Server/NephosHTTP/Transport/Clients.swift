package import NephosNetwork
import NephosRunner
import Synchronization

/// How client addresses are treated (docs/decisions/0017).
package struct ClientRules: Sendable {
    /// Proxies in front of the server: their headers about a request's client, scheme and host are trusted.
    package var trustedProxies: [AddressBlock]
    /// Clients at these addresses may use as much as all clients together.
    package var unlimited: [AddressBlock]

    package init(trustedProxies: [AddressBlock] = [], unlimited: [AddressBlock] = AddressBlock.loopback) {
        self.trustedProxies = trustedProxies
        self.unlimited = unlimited
    }
}

/// A client, identified by its address, and what it uses of the server, over all its connections.
///
/// For IPv6 the first 64 bits count, because a client with one such address has all of the network's.
final class Client: Sendable {
    /// For logs; empty if it is not known.
    let text: String
    let budget: BodyBudget
    /// nil for a client that is not counted.
    let network: NetworkAddress?
    /// The status of a connection with respect to the connection limit.
    enum Status {
        case admitted
        /// The client has the maximum number of connections: this one gets an error response, and counts as refused.
        case refused
        /// It also has as many refused connections, and is closed without a response.
        case flooding
    }

    let status: Status

    init(text: String, budget: BodyBudget, network: NetworkAddress? = nil, status: Status = .admitted) {
        self.text = text
        self.budget = budget
        self.network = network
        self.status = status
    }
}

/// The clients with open connections, and their numbers of connections.
final class Clients: Sendable {
    private struct Entry {
        var connections = 0
        /// Connections that get the error for too many connections, until they are closed.
        var refused = 0
        let budget: BodyBudget

        /// The status of one more connection.
        func status(_ most: Int) -> Client.Status {
            connections < most ? .admitted : refused < most ? .refused : .flooding
        }

        mutating func count(_ status: Client.Status, by difference: Int) {
            switch status {
            case .admitted: connections += difference
            case .refused: refused += difference
            case .flooding: break
            }
        }
    }

    let rules: ClientRules
    /// The client without an address.
    let unknown: Client
    private let limits: HTTPLimits
    private let all: BodyBudget
    private let entries = Mutex<[NetworkAddress: Entry]>([:])

    init(_ rules: ClientRules, _ limits: HTTPLimits, _ all: BodyBudget) {
        self.rules = rules
        self.limits = limits
        self.all = all
        unknown = Client(text: "", budget: all)
    }

    /// The number of clients with connections, for tests.
    var count: Int { entries.withLock { $0.count } }

    /// Counts a connection of a client, until ``leave(_:)``.
    func enter(_ address: NetworkAddress) -> Client {
        let text = address.description
        guard !address.isIn(rules.unlimited), !address.isIn(rules.trustedProxies) else {
            return Client(text: text, budget: all)
        }
        let network = AddressBlock(address, bits: address.isIPv4 ? 128 : 64).first
        let (budget, status) = entries.withLock { entries -> (BodyBudget, Client.Status) in
            var entry = entries[network] ?? Entry(budget: BodyBudget(bytesMax: limits.clientBufferedBytesMax, of: all))
            let status = entry.status(limits.clientConnectionsMax)
            entry.count(status, by: 1)
            entries[network] = entry
            return (entry.budget, status)
        }
        return Client(text: text, budget: budget, network: network, status: status)
    }

    func leave(_ client: Client) {
        guard let network = client.network else { return }
        entries.withLock { entries in
            guard var entry = entries[network] else { return }
            entry.count(client.status, by: -1)
            entries[network] = entry.connections + entry.refused > 0 ? entry : nil
        }
    }
}
