import CloudKitWire
package import NephosDelivery
package import NephosDomain
import NephosEndpoints
package import NephosHTTP
package import NephosNetwork
package import NephosStorage

/// Everything `nephos serve` can be told.
package struct ServerConfiguration: Sendable {
    package var host = "127.0.0.1"
    /// 0 takes a free port; the listening callback tells which.
    package var port = 8080
    /// Scheme and authority by which clients reach the server, where a proxy stands in front of it.
    package var publicURL: String?
    /// Where `/metrics` and `/healthz` are, if not on the server's own address.
    package var monitorAddress: HostAndPort?
    /// Proxies in front of the server, which are believed.
    package var trustedProxies: [AddressBlock] = []
    /// Threads that read and write sockets; nil is one for each core.
    package var eventLoops: Int?
    /// Threads that may wait: reads that are not small, compression, opening containers.
    package var waitingThreads = 8
    /// Threads that wait for the disk which files of assets lie on.
    package var fileThreads = 8
    /// Connections to the database server, where there is one. Half of them may write at a time; how many requests read
    /// at a time is ``waitingThreads``.
    package var storeConnections = 16
    package var http = HTTPLimits()
    /// How far the date of a signed request may be off.
    package var signatureWindowMilliseconds: Milliseconds = 600_000
    /// Tombstones older than this are forgotten; change tokens older than that are then expired.
    package var tombstoneDays = 90
    /// Deleted records of public databases can be restored for so long.
    package var trashDays = 30
    /// From one pass of background work to the next (``Upkeep``).
    package var upkeepSeconds = 60
    package var delivery = DeliveryOptions()
    /// Bytes of one file.
    package var assetBytesMax: Int64 = 50 << 20
    /// Bytes of files that no record holds.
    package var unheldFiles = UnheldLimits()
    /// In place of Apple's push service: a proxy, or a stand-in for tests.
    package var apnsURL: String?
    /// A file of certificates to trust beside the system's when pushes are sent, in PEM.
    package var pushRootsFile: String?
    package var logLevel = LogLevel.info
    /// Adds the routes that `make bench` measures (``BenchResponder``).
    package var bench = false

    package init() {}
}

/// An environment variable that does not say what it should.
package struct EnvironmentProblem: Error, Equatable, CustomStringConvertible {
    package let description: String
}

extension ServerConfiguration {
    /// Takes limits from the environment variables named here; unset and empty ones change nothing.
    ///
    /// - Throws: ``EnvironmentProblem``, which names the variable, its value, and what it may be.
    package mutating func apply(environment: [String: String]) throws(EnvironmentProblem) {
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
        try variables.setSeconds(&signatureWindowMilliseconds, "NEPHOS_SIGNATURE_WINDOW_SECONDS")
        try variables.set(&tombstoneDays, "NEPHOS_TOMBSTONE_DAYS", 1...36_500)
        try variables.set(&trashDays, "NEPHOS_TRASH_DAYS", 1...36_500)
        try variables.set(&upkeepSeconds, "NEPHOS_UPKEEP_SECONDS", 1...86_400)
        if let window = try variables.number("NEPHOS_PUSH_WINDOW_MILLISECONDS", 0...3_600_000) {
            delivery.window = Int64(window)
        }
        if let poll = try variables.number("NEPHOS_PUSH_POLL_SECONDS", 1...3_600) {
            delivery.pollEvery = .seconds(poll)
        }
        if let wait = try variables.number("NEPHOS_COURIER_SECONDS", 1...3_600) { delivery.pollWait = .seconds(wait) }
        try variables.set(&delivery.deviceHours, "NEPHOS_DEVICE_HOURS", 2...87_600)
        try variables.set(&delivery.logDays, "NEPHOS_PUSH_LOG_DAYS", 1...36_500)
        if let megabytes = try variables.number("NEPHOS_ASSET_MB", 1...10_240) {
            assetBytesMax = Int64(megabytes) << 20
        }
        if let megabytes = try variables.number("NEPHOS_UNHELD_PERSON_MB", 1...1_048_576) {
            unheldFiles.uploaderBytesMax = Int64(megabytes) << 20
        }
        if let megabytes = try variables.number("NEPHOS_UNHELD_CONTAINER_MB", 1...1_048_576) {
            unheldFiles.bytesMax = Int64(megabytes) << 20
        }
        apnsURL = variables.text("NEPHOS_APNS_URL") ?? apnsURL
        pushRootsFile = variables.text("NEPHOS_PUSH_ROOTS") ?? pushRootsFile
        try variables.set(&logLevel, "NEPHOS_LOG_LEVEL")
    }
}

private struct EnvironmentVariables {
    private let values: [String: String]

    init(_ values: [String: String]) { self.values = values.filter { !$0.value.isEmpty } }

    func text(_ name: String) -> String? { values[name] }

    func number(_ name: String, _ range: ClosedRange<Int>) throws(EnvironmentProblem) -> Int? {
        guard let text = values[name] else { return nil }
        guard let number = Digits.number(text.utf8).flatMap(Int.init(exactly:)), range.contains(number) else {
            let needed = "a whole number from \(range.lowerBound) to \(range.upperBound) is needed."
            throw EnvironmentProblem(description: "\(name)=\(text): \(needed)")
        }
        return number
    }

    func set(_ value: inout Int, _ name: String, _ range: ClosedRange<Int>) throws(EnvironmentProblem) {
        if let number = try number(name, range) { value = number }
    }

    func setSeconds(_ milliseconds: inout Int64, _ name: String) throws(EnvironmentProblem) {
        if let seconds = try number(name, 1...86_400) { milliseconds = Int64(seconds) * 1_000 }
    }

    func set(_ level: inout LogLevel, _ name: String) throws(EnvironmentProblem) {
        guard let text = values[name] else { return }
        guard let named = LogLevel(rawValue: text.lowercased()) else {
            let levels = LogLevel.allCases.map(\.rawValue).joined(separator: ", ")
            throw EnvironmentProblem(description: "\(name)=\(text): one of \(levels) is needed.")
        }
        level = named
    }
}
