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

    /// Determines the client for which a proxy forwards a request.
    func meetClient(in headers: RequestHeaders) {
        leaveClient()
        client = transport.clients.enter(forwarded: headers, by: peer.address)
    }

    func leaveClient() {
        guard client !== host else { return }
        transport.clients.leave(client)
        client = host
    }
}
