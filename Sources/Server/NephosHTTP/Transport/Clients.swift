package import NephosNetwork
import NephosRunner
import Synchronization

/// How client addresses are treated (docs/decisions/0017).
package struct ClientRules: Sendable {
    /// Proxies in front of the server: their headers about a request's client, scheme and host are trusted.
    package var trustedProxies: [AddressBlock]
    /// Clients at these addresses may use as much as all clients together.
    package var unlimited: [AddressBlock]
    /// Called once, when a request of an unlimited client shows that a proxy passes it on, which is then counted like any other
    /// client; nil not to look for that.
    package var onUnnamedProxy: (@Sendable () -> Void)?

    package init(trustedProxies: [AddressBlock] = [], unlimited: [AddressBlock] = AddressBlock.loopback) {
        self.trustedProxies = trustedProxies
        self.unlimited = unlimited
    }
}

/// A client, identified by its network, and what it uses of the server, over all its connections.
final class Client: Sendable {
    /// For logs; empty if it is not known.
    let text: String
    let budget: BodyBudget
    /// nil for a client that is not counted.
    let network: ClientNetwork?
    /// The status of a connection with respect to the connection limit.
    enum Status: Int {
        case admitted
        /// The client has the maximum number of connections: this one gets an error response, and counts as refused.
        case refused
        /// It also has as many refused connections, and is closed without a response.
        case flooding
    }

    let status: Status

    init(text: String, budget: BodyBudget, network: ClientNetwork? = nil, status: Status = .admitted) {
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
    /// The client of a connection that is not met yet.
    let unmet: Client
    private let limits: HTTPLimits
    private let all: BodyBudget
    private let entries = Mutex<[AddressBlock: Entry]>([:])
    private let hasMetProxy = Atomic<Bool>(false)

    init(_ rules: ClientRules, _ limits: HTTPLimits, _ all: BodyBudget) {
        self.rules = rules
        self.limits = limits
        self.all = all
        unmet = Client(text: "", budget: all)
    }

    /// The number of networks and sites with connections, for tests.
    var count: Int { entries.withLock { $0.count } }

    /// Counts a connection, until ``leave(_:)``. Those of trusted proxies are not counted: their requests are.
    ///
    /// - Parameter address: Of the other end; nil if the system does not know it.
    func enter(_ address: NetworkAddress?) -> Client {
        guard let address else { return counted(.unknown, "") }
        guard !address.isIn(rules.unlimited), !address.isIn(rules.trustedProxies) else {
            return Client(text: address.description, budget: all)
        }
        return counted(ClientNetwork(address), address.description)
    }

    /// Counts a request of a trusted proxy, until ``leave(_:)``: whatever the proxy says, it is somebody's.
    func enter(forwarded headers: RequestHeaders, by proxy: NetworkAddress?) -> Client {
        switch headers.forwardedClient(trusting: rules.trustedProxies) {
        case .address(let address): counted(ClientNetwork(address), address.description)
        case .unreadable: counted(.unknown, "unknown")
        case .nobody: counted(proxy.map { ClientNetwork($0) } ?? .unknown, proxy?.description ?? "")
        }
    }

    /// Counts a request that a proxy on this machine passes on, of which only its headers tell, until ``leave(_:)``.
    func enter(unnamed proxy: NetworkAddress) -> Client {
        if !hasMetProxy.exchange(true, ordering: .relaxed) { rules.onUnnamedProxy?() }
        return counted(ClientNetwork(proxy), proxy.description)
    }

    private func counted(_ network: ClientNetwork, _ text: String) -> Client {
        entries.withLock { entries in
            var (budget, status) = (all, Client.Status.admitted)
            // The site first, which the budget of the network is a part of.
            for (block, share) in network.counted.reversed() {
                let entry = entries[block] ?? Entry(budget: BodyBudget(bytesMax: bytesMax(share), of: budget))
                entries[block] = entry
                budget = entry.budget
                let own = entry.status(connectionsMax(share))
                if own.rawValue > status.rawValue { status = own }
            }
            for (block, _) in network.counted { entries[block]?.count(status, by: 1) }
            return Client(text: text, budget: budget, network: network, status: status)
        }
    }

    /// Of a site no more than half of what all have, unless one network may have more.
    private func connectionsMax(_ share: Int) -> Int {
        max(limits.clientConnectionsMax, min(share * limits.clientConnectionsMax, limits.connectionsMax / 2))
    }

    private func bytesMax(_ share: Int) -> Int {
        max(limits.clientBufferedBytesMax, min(share * limits.clientBufferedBytesMax, limits.bufferedBytesMax / 2))
    }

    func leave(_ client: Client) {
        guard let network = client.network else { return }
        entries.withLock { entries in
            for (block, _) in network.counted {
                guard var entry = entries[block] else { continue }
                entry.count(client.status, by: -1)
                entries[block] = entry.connections + entry.refused > 0 ? entry : nil
            }
        }
    }
}
