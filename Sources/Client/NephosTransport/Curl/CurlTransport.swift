#if canImport(Glibc)
    import CNephosCurl
    import Foundation

    /// Talks to the network by libcurl, on one thread of its own, which sleeps while nothing moves (docs/decisions/0010).
    /// Keeps no cookies, no cache and follows no redirects, which would carry secrets away.
    final class CurlTransport: Transport {
        /// Why libcurl is not there, where it is not.
        private static let missing = nephos_curl_load().map { String(cString: $0) }

        private let loop: CurlLoop?

        init() { loop = Self.missing == nil ? CurlLoop() : nil }

        deinit { loop?.stop() }

        func send(_ request: TransportRequest) async throws(TransportFault) -> TransportAnswer {
            guard let loop else {
                throw TransportFault(kind: .local, message: Self.missing ?? "libcurl cannot be started")
            }
            let exchange = try CurlExchange(request)
            let outcome = await withTaskCancellationHandler {
                loop.begin(exchange)
                return await exchange.outcome.wait()
            } onCancel: {
                loop.cancel(exchange)
            }
            return try outcome.get()
        }
    }
#endif
