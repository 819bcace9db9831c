import NIOCore
import NIOHTTP1
import NephosRunner

/// The client of a connection, and the client for which a proxy forwards a request.
extension Connection {
    func meet(_ channel: any Channel) {
        guard isAdmitted else { return fail(.tooManyConnections(limits.connectionsMax)) }
        peer = Peer(channel, transport.clients.rules)
        host = transport.clients.enter(peer.address)
        client = host
        switch host.status {
        case .admitted: break
        case .refused: fail(.tooManyOfClient(limits.clientConnectionsMax))
        case .flooding: close()
        }
    }

    /// Whether a request is counted by what its headers say: that of a trusted proxy, or of one on this machine that nobody has named.
    func comesByProxy(_ traits: RequestTraits) -> Bool {
        if peer.isProxy { return true }
        guard host.network == nil, transport.clients.rules.onUnnamedProxy != nil else { return false }
        if traits.namesProxy { return true }
        guard let name = traits.host, name != localHost else { return false }
        guard name.isOfLoopback else { return true }
        localHost = name
        return false
    }

    /// Determines the client for which a proxy forwards a request.
    func meetClient(in headers: RequestHeaders) {
        leaveClient()
        if !peer.isProxy, let address = peer.address {
            client = transport.clients.enter(unnamed: address)
        } else {
            client = transport.clients.enter(forwarded: headers, by: peer.address)
        }
    }

    func leaveClient() {
        guard client !== host else { return }
        transport.clients.leave(client)
        client = host
    }
}
