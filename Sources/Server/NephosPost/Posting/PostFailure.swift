import AsyncHTTPClient
import NIOCore
import NIOPosix
import NIOSSL
import NephosNetwork

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Why a request got no response. The text is for logs; it contains no URL, because device tokens are part of one.
enum PostFailure: Error, Sendable, Equatable {
    case noAnswer(within: Duration)
    case cannotResolve
    case cannotConnect
    /// The host leads to an address of this machine or of a private network.
    case notPublic(NetworkAddress)
    /// The system does not report this machine's own addresses, for this reason: the host may be one of them.
    case ownAddressesUnknown(String)
    /// All connections were busy, or the host does not respond.
    case noConnection
    case noTrust
    case connectionLost
    /// The chosen connection had just been closed, before the request was sent.
    case staleConnection
    case cancelled
    /// More of them than ``InterimLimit/most``, and no response.
    case interimResponses
    /// Any other error, in the client's own words, which are a fixed set.
    case other(String)

    var reason: String {
        switch self {
        case .noAnswer(let limit): "no answer within \(limit)"
        case .cannotResolve: "cannot resolve the host name"
        case .cannotConnect: "cannot connect"
        case .notPublic(let address):
            "the host resolves to \(address), which is this machine or in a private network: "
                + "allow it with nephos serve --allow-webhook HOST"
        case .ownAddressesUnknown(let why): OwnAddresses.unknown(why)
        case .noConnection: "no connection was free in time"
        case .noTrust: "TLS handshake failed: is the certificate valid for this host, and trusted here?"
        case .connectionLost, .staleConnection: "the connection was lost before the answer"
        case .cancelled: "cancelled"
        case .interimResponses: "more than \(InterimLimit.most) interim responses (1xx), and no other"
        case .other(let words): words
        }
    }

    /// - Parameter timeout: The timeout of the whole exchange.
    init(_ error: any Error, timeout: Duration) {
        switch error {
        case let failure as PostFailure: self = failure
        case let error as HTTPClientError: self.init(error, timeout: timeout)
        case let error as NIOConnectionError:
            // Addresses that were found and refused the connection matter more than a lookup of the other kind without results.
            self = error.connectionErrors.isEmpty ? .cannotResolve : .cannotConnect
        case NIOSSLError.uncleanShutdown: self = .connectionLost
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError: self = .noTrust
        case is CancellationError: self = .cancelled
        case ChannelError.connectTimeout: self = .cannotConnect
        case ChannelError.ioOnClosedChannel: self = .staleConnection
        case let error as IOError where Self.unreachable.contains(error.errnoCode): self = .cannotConnect
        default: self = .connectionLost
        }
    }

    /// System errors for a host that does not exist, or that refuses connections.
    private static let unreachable = [ECONNREFUSED, EHOSTUNREACH, EHOSTDOWN, ENETUNREACH, ENETDOWN, EADDRNOTAVAIL]

    private init(_ error: HTTPClientError, timeout: Duration) {
        switch error {
        case .cancelled: self = .cancelled
        case .deadlineExceeded, .readTimeout, .writeTimeout: self = .noAnswer(within: timeout)
        case .connectTimeout, .tlsHandshakeTimeout: self = .cannotConnect
        case .getConnectionFromPoolTimeout: self = .noConnection
        case .remoteConnectionClosed, .uncleanShutdown: self = .connectionLost
        default: self = .other(error.shortDescription)
        }
    }
}
