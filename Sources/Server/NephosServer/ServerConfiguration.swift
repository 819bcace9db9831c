package import NephosBackend
package import NephosHTTP
package import NephosNetwork
package import NephosRunner

/// The configuration of `nephos serve`.
package struct ServerConfiguration: Sendable {
    package var host = "127.0.0.1"
    /// 0 selects a free port; the listening callback gets its number.
    package var port = 8080
    /// The address of `/metrics` and `/healthz`, if not the server's own.
    package var monitorAddress: HostAndPort?
    /// Proxies in front of the server that are trusted.
    package var trustedProxies: [AddressBlock] = []
    /// The number of threads that read and write sockets; nil for one per core.
    package var eventLoops: Int?
    /// The number of threads that may block: for larger reads, compression, opening containers.
    package var waitingThreads = 8
    /// The number of threads that wait for the disk with the files of assets.
    package var fileThreads = 8
    /// Connections to the database server, if there is one. At most half of them write at a time; the number of concurrent reads
    /// is ``waitingThreads``.
    package var storeConnections = 16
    package var http = HTTPLimits()
    /// Everything except the network.
    package var backend = BackendConfiguration()
    package var logLevel = LogLevel.info
    /// Adds the routes that `make bench` measures (``BenchResponder``).
    package var bench = false

    package init() {}

    /// Only this machine reaches the server: it listens on loopback alone, trusts no proxy, and has no public URL elsewhere.
    package var isLocal: Bool {
        let isPublic = backend.publicURL.map { !$0.isLoopback } ?? false
        return HostAndPort(host: host, port: port).isLoopback && trustedProxies.isEmpty && !isPublic
    }
}

extension ServerConfiguration {
    /// Sets limits from the environment variables named here; unset and empty ones change nothing.
    ///
    /// - Throws: ``EnvironmentProblem``, which names the variable, its value, and what it may be.
    package mutating func apply(environment: [String: String]) throws(EnvironmentProblem) {
        try backend.apply(environment: environment)
        let variables = EnvironmentVariables(environment)
        if let loops = try variables.number("NEPHOS_EVENT_LOOPS", 1...1_024) { eventLoops = loops }
        try variables.set(&waitingThreads, "NEPHOS_WAITING_THREADS", 1...1_024)
        try variables.set(&fileThreads, "NEPHOS_FILE_THREADS", 1...1_024)
        try variables.set(&storeConnections, "NEPHOS_STORE_CONNECTIONS", 2...1_000)
        try variables.set(&http.bodyBytesMax, "NEPHOS_BODY_BYTES_MAX", 1_024...(1 << 30))
        try variables.set(&http.bufferedBytesMax, "NEPHOS_BUFFERED_BYTES_MAX", 1_024...(1 << 40))
        try variables.set(&http.connectionsMax, "NEPHOS_CONNECTIONS_MAX", 1...1_000_000)
        try variables.set(&http.clientConnectionsMax, "NEPHOS_CLIENT_CONNECTIONS_MAX", 1...1_000_000)
        try variables.set(&http.clientBufferedBytesMax, "NEPHOS_CLIENT_BUFFERED_BYTES_MAX", 1_024...(1 << 40))
        try variables.setSeconds(&http.headersMilliseconds, "NEPHOS_HEADERS_SECONDS")
        try variables.setSeconds(&http.bodyMilliseconds, "NEPHOS_BODY_SECONDS")
        try variables.setSeconds(&http.stalledReadMilliseconds, "NEPHOS_STALLED_READ_SECONDS")
        try variables.setSeconds(&http.stalledWriteMilliseconds, "NEPHOS_STALLED_WRITE_SECONDS")
        try variables.setSeconds(&http.requestMilliseconds, "NEPHOS_REQUEST_SECONDS")
        try variables.setSeconds(&http.idleMilliseconds, "NEPHOS_IDLE_SECONDS")
        try variables.setSeconds(&http.heartbeatMilliseconds, "NEPHOS_HEARTBEAT_SECONDS")
        try variables.setSeconds(&http.shutdownMilliseconds, "NEPHOS_SHUTDOWN_SECONDS")
        try variables.set(&logLevel, "NEPHOS_LOG_LEVEL")
    }
}

extension EnvironmentVariables {
    fileprivate func set(_ level: inout LogLevel, _ name: String) throws(EnvironmentProblem) {
        guard let text = text(name) else { return }
        guard let named = LogLevel(rawValue: text.lowercased()) else {
            let levels = LogLevel.allCases.map(\.rawValue).joined(separator: ", ")
            throw EnvironmentProblem(description: "\(name)=\(text): one of \(levels) is needed.")
        }
        level = named
    }
}
