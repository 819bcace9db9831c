import NephosDelivery
import NephosPost
import NephosRunner
import Testing

@Suite("Webhook URLs")
struct WebhookAddressTests {
    @Test(
        "https is allowed to any host, http only to this machine",
        arguments: [
            "https://example.com/", "https://example.com/hooks/1?key=a%20b&x=[]".replacing("[]", with: "1"),
            "https://example.com:8443/a", "https://192.168.1.2/a", "https://[2001:db8::1]:8443/a",
            "https://a_b.example/", "https://invalid.example/", "https://1.example/", "https://a.0xg/",
            "https://xn--bcher-kva.example/", "http://localhost/", "http://localhost:8080/a", "http://LOCALHOST/a",
            "http://127.0.0.1:9/", "http://127.255.3.4/", "http://[::1]/a", "http://[::1]:8080/a",
        ])
    func valid(url: String) throws {
        #expect(try WebhookAddress(url).url == url)
    }

    @Test("A missing path is added, and an uppercase scheme accepted")
    func normal() throws {
        #expect(try WebhookAddress("https://example.com").url == "https://example.com/")
        #expect(try WebhookAddress("https://example.com?a=1").url == "https://example.com/?a=1")
        #expect(try WebhookAddress("HTTPS://example.com/A").url == "https://example.com/A")
    }

    @Test(
        "Everything else is rejected with the reason",
        arguments: [
            ("", .notAbsolute), ("example.com", .notAbsolute), ("//example.com/", .notAbsolute),
            ("https:/example.com", .notAbsolute), ("https:example.com", .notAbsolute),
            ("ftp://example.com/", .notHTTPS), ("file:///etc/passwd", .notHTTPS), ("http+unix://sock/a", .notHTTPS),
            (" https://example.com/", .notHTTPS), ("http://example.com/", .notHTTPS), ("http://10.0.0.1/", .notHTTPS),
            ("http://127.0.0.1.example.com/", .notHTTPS), ("http://127.1/", .invalidHost),
            ("http://0127.0.0.1/", .invalidHost),
            ("http://127.0.0.256/", .invalidHost), ("http://localhost.example.com/", .notHTTPS),
            ("http://0/", .invalidHost),
            ("http://[::ffff:127.0.0.1]/", .notHTTPS), ("http://[::2]/", .notHTTPS),
            ("http://2130706433/", .invalidHost),
            ("https://user@example.com/", .userInfo), ("https://a:b@example.com/", .userInfo),
            ("http://127.0.0.1@example.com/", .userInfo), ("https://example.com/#a", .fragment),
            ("https://example.com#@a", .fragment), ("https:///a", .invalidHost), ("https://", .invalidHost),
            ("https://:443/", .invalidHost), ("https://exa mple.com/", .invalidHost),
            ("https://bücher.example/", .invalidHost),
            ("https://example.com\\a", .invalidHost), ("https://%65xample.com/", .invalidHost),
            ("https://a..b/", .invalidHost),
            ("https://-a.example/", .invalidHost), ("https://[::1/", .invalidHost), ("https://[::g]/", .invalidHost),
            ("https://[fe80::1%25eth0]/", .invalidHost), ("https://[127.0.0.1]/", .invalidHost),
            ("https://0x7f000001/", .invalidHost), ("https://0x7F.1/", .invalidHost),
            ("https://example.17/", .invalidHost),
            ("https://127.0.1/", .invalidHost), ("https://0.0.0.0/", .nowhere), ("https://[::]/", .nowhere),
            ("https://224.0.0.1/", .nowhere), ("https://255.255.255.255/", .nowhere), ("https://[ff02::1]/", .nowhere),
            ("https://[::ffff:0.0.0.0]/", .nowhere), ("https://hooks.invalid/", .nowhere),
            ("https://INVALID/", .nowhere),
            ("https://a.onion:443/", .nowhere), ("https://[::1]a/", .invalidHost),
            ("https://example.com:/", .invalidPort),
            ("https://example.com:0/", .invalidPort), ("https://example.com:65536/", .invalidPort),
            ("https://example.com:+1/", .invalidPort), ("https://example.com:1a/", .invalidPort),
            ("https://example.com/a b", .invalidCharacter), ("https://example.com/\r\nX: y", .invalidCharacter),
            ("https://example.com/ä", .invalidCharacter), ("https://example.com/%", .invalidCharacter),
            ("https://example.com/%2", .invalidCharacter), ("https://example.com/%zz", .invalidCharacter),
            ("https://example.com/a\\b", .invalidCharacter), ("https://example.com/<a>", .invalidCharacter),
            ("https://example.com/a\u{0}", .invalidCharacter),
        ] as [(String, WebhookAddressError)])
    func invalid(url: String, error: WebhookAddressError) {
        #expect(throws: error) { try WebhookAddress(url) }
        #expect(error.description.hasSuffix("."))
    }

    @Test("A URL has at most 2,048 bytes")
    func length() throws {
        let longest = "https://example.com/" + String(repeating: "a", count: 2_028)
        #expect(try WebhookAddress(longest).url.utf8.count == 2_048)
        #expect(throws: WebhookAddressError.tooLong(bytes: 2_049)) { try WebhookAddress(longest + "a") }
    }
}
