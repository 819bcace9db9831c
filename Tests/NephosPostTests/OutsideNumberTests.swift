import NephosDelivery
import NephosRunner
import Testing

@testable import NephosPost

/// docs/protocol.md, J14: numbers in responses of receivers, and in their URLs.
@Suite("Numbers from receivers and in webhook URLs") struct OutsideNumberTests {
    private static let waits: [(text: String, seconds: Int64?)] = [
        ("0", 0), ("5", 5), ("3600", 3_600), ("3601", 3_600), ("9223372036854775807", 3_600),
        ("9223372036854775808", 3_600), (String(repeating: "9", count: 8_000), 3_600), ("", nil), ("-1", nil),
        ("+1", nil), ("1.5", nil), ("1e400", nil), (" 5", nil), ("٣", nil), ("Wed, 21 Oct 2026 07:28:00 GMT", nil),
    ]

    @Test("A receiver can request a delay of an hour at most, in digits", arguments: waits)
    func retryAfter(text: String, seconds: Int64?) {
        #expect(RetryAfter.parse([text]) == seconds.map { .seconds($0) })
    }

    @Test(
        "A signature with an invalid time is rejected",
        arguments: [
            "9223372036854775807", "9223372036854775808", String(repeating: "9", count: 8_000), "-1", "+1", "1e400",
            "٣", "",
        ])
    func times(time: String) {
        let header = "t=\(time),v1=\(String(repeating: "0", count: 64))"
        for now in [0, Int64.max, .min] {
            #expect(!WebhookSignature.isValid(header, body: [], secret: [1], now: now))
        }
    }

    @Test(
        "A port is 1 to 65535",
        arguments: ["0", "01", "65536", "9999999999999999999", String(repeating: "9", count: 1_000), "-1", "+1", "٣"])
    func ports(port: String) {
        #expect(throws: WebhookAddressError.self) { try WebhookAddress("https://example.com:\(port)/") }
    }

    @Test(
        "Only four numbers up to 255 are an address of this machine",
        arguments: ["127.0.0.256", "127.0.0.01", "127.0.0.9999999999999999999", "127.0.0.+1", "127.0.0."])
    func octets(host: String) {
        #expect(throws: WebhookAddressError.self) { try WebhookAddress("http://\(host)/") }
    }

    @Test func theLastPortAndTheLastNumberAreGood() throws {
        #expect(try WebhookAddress("http://127.0.0.255:65535/").url == "http://127.0.0.255:65535/")
        #expect(try WebhookAddress("http://127.0.0.0:1/").url == "http://127.0.0.0:1/")
    }
}
