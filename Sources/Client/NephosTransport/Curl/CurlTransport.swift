#if canImport(Glibc)
    import CNephosCurl
    import Foundation

    /// Sends requests with libcurl, on a single thread of its own, which sleeps while no data is transferred (docs/decisions/0010).
    /// Stores no cookies, has no cache, and follows no redirects, which could expose secrets.
    final class CurlTransport: Transport {
        /// Why libcurl cannot be loaded; nil if it is loaded.
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
