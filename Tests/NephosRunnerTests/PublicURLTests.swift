import NephosRunner
import Testing

/// docs/operating.md, "Below a path".
@Suite("The public URL") struct PublicURLTests {
    @Test(
        "It has a scheme, a host, and perhaps a port and a path; one slash at its end is ignored",
        arguments: [
            ("https://cloud.example.org", "https://cloud.example.org", ""),
            ("https://cloud.example.org/", "https://cloud.example.org", ""),
            ("HTTPS://Cloud.example.org:8443", "https://Cloud.example.org:8443", ""),
            ("https://example.org/nephos", "https://example.org", "/nephos"),
            ("http://[::1]:8080/a-b/c_d.e~f/", "http://[::1]:8080", "/a-b/c_d.e~f"),
            ("https://example.org/nephos/2", "https://example.org", "/nephos/2"),
        ])
    func parts(text: String, origin: String, path: String) throws {
        let url = try #require(PublicURL(text))
        #expect(url.origin == origin && url.path == path && url.text == origin + path)
    }

    @Test(
        "Anything else is none",
        arguments: [
            "", "example.org", "ftp://example.org", "https://", "https://user@example.org", "https://example.org?x=1",
            "https://example.org/nephos?x=1", "https://example.org/nephos#x", "https://example.org//",
            "https://example.org//nephos", "https://example.org/nephos//", "https://example.org/a/../b",
            "https://example.org/.", "https://example.org/a%20b", "https://example.org/a;b", "https://example.org/a\"b",
            "https://example.org/é", "https://example.org/docs", "https://example.org/account/x",
            "https://example.org/nephos/1", "https://example.org/" + String(repeating: "a", count: 200),
        ])
    func others(text: String) { #expect(PublicURL(text) == nil) }

    @Test(
        "A request is for the same path of the server, whether a proxy has kept the path of the public URL or removed it",
        arguments: [
            ("/nephos", "/"), ("/nephos/", "/"), ("/nephos?a=b", "/?a=b"), ("/nephos/docs/flags", "/docs/flags"),
            ("/nephos/database/1/c/development?t=/nephos/", "/database/1/c/development?t=/nephos/"),
            ("/nephos//database/1/c", "//database/1/c"),
            ("/nephos/nephos/1/c/production/trends/", "/nephos/1/c/production/trends/"),
            // Without it.
            ("/", "/"), ("/docs/flags", "/docs/flags"),
            ("/nephos/1/c/production/trends/", "/nephos/1/c/production/trends/"),
            ("/nephosx/docs", "/nephosx/docs"), ("/other/nephos", "/other/nephos"),
            // A rule of a proxy that hides these cannot be evaded by repeating the path.
            ("/nephos/metrics", "/nephos/metrics"), ("/nephos/healthz?x", "/nephos/healthz?x"),
        ])
    func targets(received: String, own: String) throws {
        let url = try #require(PublicURL("https://example.org/nephos"))
        #expect(url.ownTarget(of: received) == own)
        let without = try #require(PublicURL("https://example.org"))
        #expect(without.ownTarget(of: received) == received)
    }
}
