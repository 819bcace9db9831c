import NephosBackend
import NephosHTTP
import NephosRunner
import NephosServer
import NephosTesting
import Testing

@Suite("Configuration from the environment")
struct ServerConfigurationTests {
    @Test("Limits are read from variables; unset and empty ones change nothing")
    func variables() throws {
        var configuration = ServerConfiguration()
        try configuration.apply(environment: [
            "NEPHOS_EVENT_LOOPS": "3", "NEPHOS_WAITING_THREADS": "5", "NEPHOS_BODY_BYTES_MAX": "2048",
            "NEPHOS_BUFFERED_BYTES_MAX": "4096", "NEPHOS_CONNECTIONS_MAX": "7", "NEPHOS_HEADERS_SECONDS": "1",
            "NEPHOS_BODY_SECONDS": "2", "NEPHOS_STALLED_WRITE_SECONDS": "3", "NEPHOS_REQUEST_SECONDS": "4",
            "NEPHOS_IDLE_SECONDS": "", "NEPHOS_SHUTDOWN_SECONDS": "6", "NEPHOS_SIGNATURE_WINDOW_SECONDS": "60",
            "NEPHOS_TOMBSTONE_DAYS": "8", "NEPHOS_TRASH_DAYS": "9", "NEPHOS_LOG_LEVEL": "Warning", "PATH": "/bin",
            "NEPHOS_STORE_CONNECTIONS": "2", "NEPHOS_HEARTBEAT_SECONDS": "5", "NEPHOS_STALLED_READ_SECONDS": "10",
        ])
        #expect(configuration.eventLoops == 3)
        #expect(configuration.waitingThreads == 5)
        #expect(configuration.http.bodyBytesMax == 2_048)
        #expect(configuration.http.bufferedBytesMax == 4_096)
        #expect(configuration.http.connectionsMax == 7)
        #expect(configuration.http.headersMilliseconds == 1_000)
        #expect(configuration.http.bodyMilliseconds == 2_000)
        #expect(configuration.http.stalledReadMilliseconds == 10_000)
        #expect(configuration.http.stalledWriteMilliseconds == 3_000)
        #expect(configuration.http.requestMilliseconds == 4_000)
        #expect(configuration.http.idleMilliseconds == 75_000)
        #expect(configuration.http.shutdownMilliseconds == 6_000)
        #expect(configuration.http.heartbeatMilliseconds == 5_000)
        #expect(configuration.backend.signatureWindowMilliseconds == 60_000)
        #expect(configuration.backend.tombstoneDays == 8)
        #expect(configuration.backend.trashDays == 9)
        #expect(configuration.logLevel == .warning)
        #expect(configuration.storeConnections == 2)
    }

    // CONTRIBUTING.md, "Time in tests"
    @Test("Servers that tests start are more patient than their clients")
    func patience() throws {
        var configuration = ServerConfiguration()
        try configuration.apply(environment: Patience.ofServers)
        let http = configuration.http
        for limit in [
            http.headersMilliseconds, http.bodyMilliseconds, http.requestMilliseconds, http.stalledReadMilliseconds,
            http.stalledWriteMilliseconds, http.idleMilliseconds,
        ] { #expect(limit > 1_000 * Patience.seconds) }
    }

    @Test(
        "An invalid value is rejected with the variable and what is needed",
        arguments: [
            ("NEPHOS_CONNECTIONS_MAX", "many", "a whole number from 1 to 1000000"),
            ("NEPHOS_CONNECTIONS_MAX", "0", "a whole number from 1 to 1000000"),
            ("NEPHOS_STORE_CONNECTIONS", "1", "a whole number from 2 to 1000"),
            ("NEPHOS_REQUEST_SECONDS", "1.5", "a whole number from 1 to 86400"),
            ("NEPHOS_REQUEST_SECONDS", "-1", "a whole number from 1 to 86400"),
            ("NEPHOS_REQUEST_SECONDS", "9999999999999999999", "a whole number from 1 to 86400"),
            ("NEPHOS_ASSET_MB", "9223372036854775807", "a whole number from 1 to 10240"),
            ("NEPHOS_TRASH_DAYS", "٣", "a whole number from 1 to 36500"),
            ("NEPHOS_LOG_LEVEL", "loud", "one of trace, debug, info, notice, warning, error, critical"),
        ])
    func refused(name: String, value: String, needed: String) throws {
        var configuration = ServerConfiguration()
        let problem = #expect(throws: EnvironmentProblem.self) {
            try configuration.apply(environment: [name: value])
        }
        #expect(problem?.description == "\(name)=\(value): \(needed) is needed.")
    }
}
