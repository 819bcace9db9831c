import NephosRunner
import NephosStorage
import Synchronization
import Testing

@testable import NephosEndpoints

/// docs/running.md, "Health, metrics and logs".
@Suite("The first page") struct FrontPageTests {
    private static let demo = Tenant(container: "iCloud.org.example.demo", environment: .development)
    private static let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

    private struct IsGone: Error {}

    private func answer(
        _ target: String = "/", _ method: RequestMethod = .get, accept: String? = browser, isHealthy: Bool = true,
        demo: Tenant? = nil, publicURL: String? = nil, hasMonitor: Bool = true
    ) throws -> (response: RawResponse, text: String) {
        let monitor = Monitor(
            health: { if !isHealthy { throw IsGone() } }, healthWaits: false, metrics: { [] })
        let responder = PagesResponder(
            monitor: monitor, hasMonitor: hasMonitor,
            front: FrontPage(publicURL: publicURL.flatMap { PublicURL($0) }, demo: demo))
        let request = RawRequest(
            method: method, target: target, headers: RequestHeaders(accept.map { [("Accept", $0)] } ?? []),
            arrivedAt: 0,
            peer: Peer(isProxy: false, address: nil, origin: "http://127.0.0.1:8080"))
        var work = responder.respond(to: request)
        if case .later(let begin) = work {
            // The first request for a page of the documentation is continued immediately.
            let next = Mutex<Work?>(nil)
            begin { work in next.withLock { $0 = work } }
            let continued = next.withLock { $0 }
            work = try #require(continued)
        }
        if case .blocking(let job) = work { work = try job() }
        guard case .answer(let response) = work else { throw IsGone() }
        return (response, String(decoding: response.body, as: UTF8.self))
    }

    private func header(_ name: String, of response: RawResponse) -> String? {
        response.headers.first { $0.name == name }?.value
    }

    @Test("A browser gets a page with what this server is, its state, and links to the documentation")
    func page() throws {
        for target in ["/", "/?utm=1"] {
            let (response, text) = try answer(target)
            #expect(response.status == 200 && response.contentType == "text/html; charset=UTF-8")
            for word in ["Nephos", ServerVersion.current, "It is healthy", "/docs/protocol", "/docs/running"] {
                #expect(text.contains(word), "\(word)")
            }
            #expect(text.contains("http://127.0.0.1:8080/database/1/"))
            let links = text.matches(of: #/href="\/docs\/([^"]+)"/#).map { String($0.1) }
            #expect(links == Documents.all.map(\.name))
        }
        #expect(
            try answer(publicURL: "https://cloud.example.org").text.contains("https://cloud.example.org/database/1/"))
    }

    // docs/operating.md, "Below a path".
    @Test("Below the path of the public URL, the first page and the documentation link there, and requests lead there")
    func base() throws {
        let url = "https://example.org/nephos"
        let text = try answer(publicURL: url).text
        #expect(text.contains("\(url)/database/1/"))
        let links = text.matches(of: #/href="([^"]+)"/#).map { String($0.1) }
        #expect(links == Documents.all.map { "/nephos/docs/\($0.name)" })
        let page = try answer("/docs/flags", publicURL: url).text
        let inside = page.matches(of: #/href="(\/[^"]*)"/#).map { String($0.1) }
        #expect(inside.first == "/nephos/", "\(inside)")
        #expect(inside.dropFirst().allSatisfy { $0.hasPrefix("/nephos/docs/") }, "\(inside)")
        #expect(inside.contains("/nephos/docs/audiences"))
        for (target, page) in [("/docs", "/nephos/#documentation"), ("/docs/flags.md", "/nephos/docs/flags")] {
            let response = try answer(target, publicURL: url).response
            #expect(header("Location", of: response) == page)
        }
    }

    @Test("An unavailable store is reported with 503, on the page and to programs")
    func unwell() throws {
        let (page, text) = try answer(isHealthy: false)
        #expect(page.status == 503 && text.contains("It is not healthy") && text.contains("/docs/running"))
        #expect(header("Retry-After", of: page) == "1")
        let (line, json) = try answer(accept: nil, isHealthy: false)
        #expect(line.status == 503)
        #expect(json == #"{"name":"nephos","version":"\#(ServerVersion.current)","status":"unavailable"}"#)
        // Also if /healthz is served elsewhere.
        #expect(try answer(isHealthy: false, hasMonitor: false).response.status == 503)
    }

    @Test(
        "A client that does not request HTML, or requests JSON too, gets JSON",
        arguments: [nil, "", "*/*", "application/json", "text/plain", "application/json, text/html;q=0.5"])
    func json(accept: String?) throws {
        let (response, text) = try answer(accept: accept)
        #expect(response.status == 200 && response.contentType == RawResponse.json)
        #expect(text == #"{"name":"nephos","version":"\#(ServerVersion.current)","status":"ok"}"#)
        #expect(header("Vary", of: response) == "Accept")
    }

    @Test("A demo's container is named, with the first requests and no token; without a demo none is named")
    func container() throws {
        let (_, text) = try answer(demo: Self.demo)
        #expect(text.contains("http://127.0.0.1:8080/database/1/iCloud.org.example.demo/development/private</code>"))
        let curl = text.split(separator: "\n").filter { $0.contains("curl ") }
        #expect(
            curl.count == 2 && curl.allSatisfy { $0.contains("?ckAPIToken=$api&amp;ckWebAuthToken=$web&quot; -d ") })
        #expect(!(try answer().text.contains("iCloud.org.example.demo")))
    }

    @Test("A page runs no script, loads nothing from elsewhere, and sends no referrer")
    func headers() throws {
        for target in ["/", "/docs/protocol"] {
            let (response, text) = try answer(target)
            let policy = try #require(header("Content-Security-Policy", of: response))
            #expect(
                policy.hasPrefix("default-src 'none'; style-src 'sha256-") && policy.contains("frame-ancestors 'none'"))
            #expect(!policy.contains("unsafe"))
            #expect(header("X-Content-Type-Options", of: response) == "nosniff")
            #expect(header("Referrer-Policy", of: response) == "no-referrer")
            #expect(!response.isForAllOrigins)
            #expect(!text.contains("<script") && !text.contains(" style=") && !text.contains(" src="))
        }
    }

    @Test("Pages accept only GET and HEAD", arguments: ["/", "/docs/files"])
    func methods(target: String) throws {
        #expect(try answer(target, .head).response.status == 200)
        for method in [RequestMethod.post, .put, RequestMethod(rawValue: "DELETE")] {
            let response = try answer(target, method).response
            #expect(response.status == 405 && header("Allow", of: response) == "GET, HEAD")
        }
    }

    @Test(
        "The folder of the documentation and the names of its files lead to the pages",
        arguments: [
            ("/docs", "/#documentation"), ("/docs/", "/#documentation"), ("/docs/protocol.md", "/docs/protocol"),
            ("/docs/README", "/#documentation"), ("/docs/README.md", "/#documentation"),
            ("/docs/store-rules.md", "/docs/store-rules"),
        ])
    func redirects(target: String, page: String) throws {
        let response = try answer(target).response
        #expect(response.status == 303 && header("Location", of: response) == page)
        #expect(try answer().text.contains("<h2 id=\"documentation\">"))
    }

    @Test(
        "All other paths are not pages",
        arguments: [
            "//", "/index.html", "/documents", "/docs/nothing", "/docs/nothing.md", "/docs.md", "/docs/files/",
            "/database/1", "/device", "*",
        ])
    func others(target: String) {
        let monitor = Monitor(health: {}, healthWaits: false, metrics: { [] })
        let pages = PagesResponder(monitor: monitor, hasMonitor: true, front: FrontPage(publicURL: nil, demo: nil))
        #expect(!pages.has(RawRequest.path(of: target)))
    }
}
