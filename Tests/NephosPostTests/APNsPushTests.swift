import DeliveryTesting
import NephosDelivery
import NephosPost
import NephosRunner
import Testing

@Suite("Pushes, topics and hosts")
struct APNsPushTests {
    @Test("Device tokens of 64 to 200 hexadecimal digits are accepted, in lower case")
    func tokens() throws {
        #expect(try makePush(device: String(repeating: "AB", count: 32)).deviceToken.hasPrefix("abab"))
        #expect(try makePush(device: String(repeating: "f", count: 200)).deviceToken.count == 200)
    }

    @Test(
        "Other device tokens are refused",
        arguments: [
            "", String(repeating: "a", count: 62), String(repeating: "a", count: 65),
            String(repeating: "a", count: 202),
            String(repeating: "g", count: 64), String(repeating: "a", count: 61) + "/..",
            String(repeating: "é", count: 32),
        ])
    func wrongTokens(token: String) {
        #expect(throws: APNsPushError.invalidDeviceToken) { try makePush(device: token) }
    }

    @Test("Payloads have 1 to 4,096 bytes, and an expiration before 1970 is rejected")
    func limits() throws {
        #expect(try makePush(payload: String(repeating: " ", count: 4_096)).payload.count == 4_096)
        #expect(throws: APNsPushError.payloadTooLong(bytes: 4_097)) {
            try makePush(payload: String(repeating: " ", count: 4_097))
        }
        #expect(throws: APNsPushError.emptyPayload) { try makePush(payload: "") }
        #expect(throws: APNsPushError.negativeExpiration) { try makePush(expiration: -1) }
    }

    @Test("A collapse id is truncated at a character boundary")
    func collapse() {
        #expect(CollapseID("note-1")?.text == "note-1")
        #expect(CollapseID(String(repeating: "a", count: 65))?.text == String(repeating: "a", count: 64))
        // 63 bytes and a character of 2, 3 and 4 bytes.
        for character in ["é", "€", "😀"] {
            let text = String(repeating: "a", count: 63) + character
            #expect(CollapseID(text)?.text == String(repeating: "a", count: 63))
        }
        #expect(CollapseID(String(repeating: "😀", count: 20))?.text == String(repeating: "😀", count: 16))
    }

    @Test("A collapse id contains nothing that could break a header")
    func collapseCharacters() {
        #expect(CollapseID("a\r\nx: y\u{0}\u{7F}\u{85}")?.text == "ax: y")
        #expect(CollapseID("  a b  ")?.text == "a b")
        #expect(CollapseID(String(repeating: "a", count: 63) + " b")?.text == String(repeating: "a", count: 63))
        #expect(CollapseID("") == nil && CollapseID(" \r\n ") == nil)
    }

    @Test("A host is https, without a path")
    func hosts() throws {
        #expect(APNsHost.production.baseURL == "https://api.push.apple.com")
        #expect(APNsHost.sandbox.baseURL == "https://api.sandbox.push.apple.com")
        #expect(try APNsHost(baseURL: "https://localhost:2197/").baseURL == "https://localhost:2197")
        #expect(throws: WebhookAddressError.notHTTPS) { try APNsHost(baseURL: "http://localhost") }
        #expect(throws: WebhookAddressError.path) { try APNsHost(baseURL: "https://localhost/3/device") }
        #expect(throws: WebhookAddressError.path) { try APNsHost(baseURL: "https://localhost?a") }
        #expect(throws: WebhookAddressError.userInfo) {
            try APNsHost(baseURL: "https://api.push.apple.com@evil.example")
        }
    }

    @Test("A topic is a bundle id", arguments: ["", "a b", "a\r\nb", "bündel", String(repeating: "a", count: 256)])
    func topics(topic: String) throws {
        let key = try APNsKey(pem: TestKeys.one.pem, teamID: TestKeys.one.teamID, keyID: TestKeys.one.keyID)
        #expect(throws: InvalidTopic.self) { try APNsConfiguration(key: key, topic: topic) }
    }

    @Test("Roots without a certificate are refused")
    func roots() throws {
        #expect(throws: InvalidRoots.self) { try WebhookClient(roots: Array("no PEM".utf8)) }
        #expect(throws: InvalidRoots.self) { try WebhookClient(roots: Array(TestKeys.one.pem.utf8)) }
    }
}
