import AsyncHTTPClient
import NIOCore
import NIOPosix

/// Makes the HTTP clients of this room. They differ in HTTP's version only.
enum ClientSettings {
    /// - Parameters:
    ///   - roots: PEM certificates that are trusted as well as the system's; empty for none.
    ///   - timeout: Of a whole exchange.
    /// - Throws: ``InvalidRoots``.
    static func make(roots: [UInt8], timeout: Duration) throws(InvalidRoots) -> HTTPClient.Configuration {
        let tls = try ClientTLS.configuration(roots: roots)
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls, redirectConfiguration: .disallow)
        // A bit less than the whole, so that a log says of a host behind a silent firewall: cannot connect.
        configuration.timeout.connect = TimeAmount(timeout * 0.8)
        // Repeating is the queue's business, which knows how long. Here it would only hide what is wrong.
        configuration.connectionPool.retryConnectionEstablishment = false
        // Traces hold whole addresses, and device tokens are part of one.
        configuration.tracing.tracer = nil
        return configuration
    }

    static func client(_ configuration: HTTPClient.Configuration) -> HTTPClient {
        HTTPClient(eventLoopGroupProvider: .shared(MultiThreadedEventLoopGroup.singleton), configuration: configuration)
    }
}
