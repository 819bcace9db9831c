import AsyncHTTPClient
import NIOCore
import NIOPosix

/// Creates the HTTP clients of this module. They differ only in the version of HTTP.
enum ClientSettings {
    /// - Parameters:
    ///   - roots: PEM certificates that are trusted in addition to the system's; empty for none.
    ///   - timeout: For a whole exchange.
    /// - Throws: ``InvalidRoots``.
    static func make(roots: [UInt8], timeout: Duration) throws(InvalidRoots) -> HTTPClient.Configuration {
        let tls = try ClientTLS.configuration(roots: roots)
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls, redirectConfiguration: .disallow)
        // A bit less than the whole, so that the log reports "cannot connect" for a host behind a silent firewall.
        configuration.timeout.connect = TimeAmount(timeout * 0.8)
        // The queue does the retries and knows the delays. Here they would only hide failures.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.http1_1ConnectionDebugInitializer = { InterimLimit.add(toConnection: $0) }
        configuration.http2StreamChannelDebugInitializer = { InterimLimit.add(toStream: $0) }
        // Traces contain whole URLs, and device tokens are part of one.
        configuration.tracing.tracer = nil
        return configuration
    }

    static func client(_ configuration: HTTPClient.Configuration) -> HTTPClient {
        HTTPClient(eventLoopGroupProvider: .shared(MultiThreadedEventLoopGroup.singleton), configuration: configuration)
    }
}
