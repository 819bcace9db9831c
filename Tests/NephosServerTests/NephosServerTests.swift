import Foundation
import NephosAssets
import NephosBackend
import NephosNetwork
import NephosRunner
import NephosServer
import NephosStorage
import NephosTesting
import RequestTesting
import Synchronization
import TestEngines
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("A complete server")
struct NephosServerTests {
    /// Runs a server on a free port, and returns its log.
    private func withServer(
        engine: EmptyEngine = EmptyEngine(), monitor: HostAndPort? = nil, publicURL: String? = nil,
        _ body: @escaping @Sendable (Int) async throws -> Void
    ) async throws -> String {
        let log = Mutex<[UInt8]>([])
        var configuration = ServerConfiguration()
        configuration.port = 0
        configuration.eventLoops = 1
        configuration.monitorAddress = monitor
        configuration.backend.publicURL = publicURL.flatMap { PublicURL($0) }
        let folder = try TemporaryFolder(prefix: "nephos-files")
        let server = NephosServer(
            configuration: configuration, engine: engine, files: try DiskAssetStore(folder: folder.path),
            logOutput: { bytes in log.withLock { $0 += bytes } })
        let ports = AsyncStream<Int>.makeStream()
        let running = Task { try await server.run { ports.continuation.yield($0) } }
        for await port in ports.stream {
            try await body(port)
            break
        }
        running.cancel()
        // Cancellation is the way it ends here; whether that is reported as an error is up to the service group.
        _ = await running.result
        return log.withLock { String(decoding: $0, as: UTF8.self) }
    }

    private func get(_ port: Int, _ path: String) async throws -> (status: Int, text: String) {
        let url = try #require(URL(string: "http://127.0.0.1:\(port)\(path)"))
        let (data, answer) = try await URLSession.shared.data(from: url)
        return ((answer as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: data, as: UTF8.self))
    }

    @Test("/healthz checks the engine")
    func health() async throws {
        _ = try await withServer { port in
            let answer = try await get(port, "/healthz")
            #expect(answer.status == 200)
            #expect(answer.text == #"{"status":"ok"}"#)
        }
        _ = try await withServer(engine: EmptyEngine(failure: .failed("the disk is gone"))) { port in
            let answer = try await get(port, "/healthz")
            #expect(answer.status == 503)
            #expect(answer.text.contains("TRY_AGAIN_LATER"))
            #expect(!answer.text.contains("disk is gone"))
        }
    }

    @Test("An unreachable database makes the server unhealthy, and is logged once")
    func outage() async throws {
        let engine = EmptyEngine(failure: .unavailable("no route to db.example.org"))
        let log = try await withServer(engine: engine) { port in
            for _ in 0..<3 {
                let answer = try await get(port, "/healthz")
                #expect(answer.status == 503)
            }
        }
        let lines = log.split(separator: "\n").filter { $0.contains("the database cannot be reached") }
        #expect(lines.count == 1 && lines.first?.contains("no route to db.example.org") == true)
        #expect(lines.first?.contains(#""level":"error""#) == true)
    }

    @Test("/metrics counts requests by endpoint and status, and shows the process")
    func metrics() async throws {
        _ = try await withServer { port in
            _ = try await get(port, "/healthz")
            _ = try await get(port, "/nothing")
            let answer = try await get(port, "/metrics")
            for line in [
                #"nephos_requests_total{endpoint="healthz",status="200"} 1"#,
                #"nephos_requests_total{endpoint="other",status="404"} 1"#,
                #"nephos_request_seconds_count{endpoint="healthz"} 1"#,
                "# TYPE nephos_connections gauge", "# TYPE nephos_buffered_bytes gauge",
                "# TYPE process_resident_memory_bytes gauge", "# TYPE process_cpu_seconds_total counter",
                "# TYPE nephos_request_body_bytes_total counter", "# TYPE nephos_response_bytes_total counter",
            ] { #expect(answer.text.contains(line), "\(line)") }
        }
    }

    @Test(
        "With an address of their own, /metrics and /healthz are only there, and unreadable for pages of other origins")
    func ownAddress() async throws {
        let monitor = HostAndPort(host: "127.0.0.1", port: try Socket.freePort())
        _ = try await withServer(monitor: monitor) { port in
            for path in ["/metrics", "/healthz"] {
                #expect(try await get(port, path).status == 404)
                #expect(try await get(monitor.port, path).status == 200)
            }
            for path in ["/sign-in", "/", "/docs/running"] {
                #expect(try await get(port, path).status == 200)
                #expect(try await get(monitor.port, path).status == 404)
            }
            let connection = try HTTPConnection(port: monitor.port)
            #expect(try connection.exchange(HTTPRequest("GET", "/metrics"))["Access-Control-Allow-Origin"] == nil)
            #expect(try connection.exchange(HTTPRequest("GET", "/healthz"))["Access-Control-Allow-Origin"] == "*")
        }
    }

    // docs/running.md, "Health, metrics and logs"
    @Test(
        "A page whose own name was pointed at the server cannot read /metrics: only addresses and configured names can",
        arguments: [false, true])
    func rebinding(hasOwnAddress: Bool) async throws {
        let monitor = hasOwnAddress ? HostAndPort(host: "127.0.0.1", port: try Socket.freePort()) : nil
        _ = try await withServer(monitor: monitor, publicURL: "https://Cloud.example.org:8443") { port in
            func ask(_ path: String, _ host: String) throws -> HTTPResponse {
                let connection = try HTTPConnection(port: monitor?.port ?? port)
                try connection.socket.send(HTTPRequest("GET", path).bytes(host: host))
                return try connection.response()
            }
            for host in [
                "127.0.0.1:9464", "10.0.0.7", "[::1]:80", "LOCALHOST:1", "nephos:9464", "cloud.example.org",
                "cloud.example.org:8443",
            ] {
                #expect(try ask("/metrics", host).status == 200, "\(host)")
            }
            for host in [
                "evil.example", "evil.example:9464", "127.0.0.1.evil.example", "cloud.example.org.evil.example",
            ] {
                let answer = try ask("/metrics", host)
                #expect(answer.status == 403, "\(host)")
                #expect(String(decoding: answer.body, as: UTF8.self).contains("--public-url"))
                #expect(try ask("/healthz", host).status == 200)
            }
        }
    }

    // docs/operating.md, "Below a path"
    @Test(
        "Below a path, pages are there with and without it, but not those that proxies hide; each path is logged without it"
    )
    func below() async throws {
        let log = try await withServer(publicURL: "http://127.0.0.1:9/nephos") { port in
            for path in ["/docs/running", "/sign-in", "/"] {
                for target in ["/nephos\(path)", path] {
                    let answer = try await get(port, target)
                    #expect(answer.status == 200, "\(target)")
                }
            }
            #expect(try await get(port, "/nephos").text.contains(#""name":"nephos""#))
            for path in ["/metrics", "/healthz"] {
                #expect(try await get(port, path).status == 200)
                #expect(try await get(port, "/nephos\(path)").status == 404)
            }
            #expect(try await get(port, "/nephosx/docs/running").status == 404)
            #expect(try await get(port, "/nephos/asset/1/c/development/private.jpg").status != 200)
        }
        #expect(log.contains(#""path":"/docs/running""#))
        #expect(!log.contains("nephos/docs") && !log.contains("private.jpg"))
    }

    // docs/running.md, "Health, metrics and logs"
    @Test("A browser at an unknown path gets a page that leads to the first one; programs get an error dictionary")
    func missing() async throws {
        _ = try await withServer(publicURL: "http://127.0.0.1:9/nephos") { port in
            func ask(_ target: String, accept: String?) throws -> HTTPResponse {
                let headers = accept.map { [HTTPHeader("Accept", $0)] } ?? []
                return try HTTPConnection(port: port).exchange(HTTPRequest("GET", target, headers: headers))
            }
            let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
            for (target, status) in [
                ("/nothing", 404), ("/nephos/nothing", 404), ("/docs/nothing", 404), ("/favicon.ico", 404),
                ("/database/1/c/development/public/%3Cb%3E", 404), ("/database/1/c/staging/zones/list", 400),
            ] {
                let page = try ask(target, accept: browser)
                let text = String(decoding: page.body, as: UTF8.self)
                #expect(page.status == status && page["Content-Type"] == "text/html; charset=UTF-8", "\(target)")
                #expect(text.contains("There is no page here") && text.contains("href=\"/nephos/\""), "\(text)")
                #expect(!text.contains("<b>") && page["Vary"] == "Accept" && page["Cache-Control"] == "no-store")
                for accept in [nil, "*/*", "application/json, text/html"] {
                    let answer = try ask(target, accept: accept)
                    #expect(answer.status == status)
                    #expect(try answer.json["serverErrorCode"].string == (status == 404 ? "NOT_FOUND" : "BAD_REQUEST"))
                }
            }
        }
    }

    @Test("A request is one log line without its query; errors contain the id that the client got")
    func log() async throws {
        let log = try await withServer { port in
            _ = try await get(port, "/database/1/x?ckAPIToken=SECRET&ckWebAuthToken=SECRET2")
        }
        #expect(!log.contains("SECRET"))
        let lines = try log.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: any Sendable])
        }
        let line = try #require(lines.first { $0["message"] as? String == "request" })
        #expect(line["method"] as? String == "GET")
        #expect(line["path"] as? String == "/database/1/x")
        #expect(line["status"] as? Int == 404)
        #expect(UUID(uuidString: line["request"] as? String ?? "") != nil)
        for key in ["ms", "client", "bytesIn", "bytesOut", "endpoint", "time", "level"] { #expect(line[key] != nil) }
    }
}
