import DeliveryTesting
import NephosDelivery
import NephosPost
import Testing

@Suite("The meaning of APNs responses", .serialized)
struct APNsAnswerTests {
    @Test(
        "A device unknown to APNs for this app is removed",
        arguments: [(410, "Unregistered"), (410, "ExpiredToken")])
    func gone(status: Int, reason: String) async throws {
        #expect(try await outcome(of: .apns(status, reason)) == .deviceIsGone(reason: "\(status) \(reason)"))
    }

    @Test(
        "A rejected token drops the push but keeps the device: a wrong topic would otherwise remove all devices",
        arguments: ["BadDeviceToken", "DeviceTokenNotForTopic"])
    func badToken(reason: String) async throws {
        guard case .refused(let text) = try await outcome(of: .apns(400, reason)) else {
            Issue.record("it was not given up")
            return
        }
        #expect(text.hasPrefix("400 \(reason): check topic and sandbox"))
    }

    @Test(
        "A push that is itself invalid is dropped",
        arguments: [
            (400, "PayloadEmpty"), (400, "BadTopic"), (400, "TopicDisallowed"), (400, "BadMessageId"), (404, "BadPath"),
            (405, "MethodNotAllowed"), (413, "PayloadTooLarge"),
        ])
    func refused(status: Int, reason: String) async throws {
        #expect(try await outcome(of: .apns(status, reason)) == .refused(reason: "\(status) \(reason)"))
    }

    @Test(
        "Pushes wait while APNs rejects the sender's credentials, and the log names what to check",
        arguments: [
            ("InvalidProviderToken", "check the key, its key id and the team id"),
            ("MissingProviderToken", "check proxies between this server and APNs"),
            ("Forbidden", "check the key, the topic and whether the host is production or sandbox"),
        ])
    func forbidden(reason: String, advice: String) async throws {
        let expected = SendOutcome.failed(reason: "403 \(reason): \(advice)", retryAfter: .seconds(900))
        #expect(try await outcome(of: .apns(403, reason)) == expected)
    }

    @Test("Too many requests and server errors are retried after the requested delay")
    func later() async throws {
        let after: [(name: String, value: String)] = [("retry-after", "17")]
        let cases: [(ScriptedAnswer, String, Duration?)] = [
            (.apns(429, "TooManyRequests"), "429 TooManyRequests", .seconds(60)),
            (.apns(429, "TooManyRequests", headers: after), "429 TooManyRequests", .seconds(17)),
            (
                .apns(429, "TooManyProviderTokenUpdates", headers: after), "429 TooManyProviderTokenUpdates",
                .seconds(1_200)
            ),
            (.apns(500, "InternalServerError"), "500 InternalServerError", nil),
            (.apns(503, "ServiceUnavailable", headers: after), "503 ServiceUnavailable", .seconds(17)),
            (.apns(503, "Shutdown"), "503 Shutdown", nil),
            (.apns(400, "IdleTimeout"), "400 IdleTimeout", nil),
            (.status(502, body: "<html>"), "502", nil), (.status(301), "301", nil), (.status(204), "204", nil),
        ]
        for (answer, reason, retryAfter) in cases {
            #expect(try await outcome(of: answer) == .failed(reason: reason, retryAfter: retryAfter))
        }
    }

    @Test(
        "Retry-After counts in seconds, up to an hour",
        arguments: [
            ("0", 0), ("3600", 3_600), ("86400", 3_600), ("99999999999999999999999999", 3_600), ("-1", nil),
            ("1.5", nil),
            ("", nil), ("Wed, 21 Oct 2026 07:28:00 GMT", nil), ("٣", nil),
        ] as [(String, Int?)])
    func retryAfter(header: String, seconds: Int?) async throws {
        let answer = ScriptedAnswer.apns(503, "Shutdown", headers: [("retry-after", header)])
        let expected = SendOutcome.failed(reason: "503 Shutdown", retryAfter: seconds.map { .seconds($0) })
        #expect(try await outcome(of: answer) == expected)
    }

    @Test("A reason is read anywhere in the object")
    func reasonPlace() async throws {
        let body = "{ \"timestamp\" : 1700000000000,\n\t\"reason\" : \"Unregistered\" }"
        #expect(try await outcome(of: .status(410, body: body)) == .deviceIsGone(reason: "410 Unregistered"))
        let long = #"{"pad":"\#(String(repeating: "x", count: 4_000))","reason":"BadTopic"}"#
        #expect(try await outcome(of: .status(400, body: long)) == .refused(reason: "400 BadTopic"))
    }

    @Test(
        "A reason that is not a plain word, or too far into the body, is not logged",
        arguments: [
            #"{"reason":"Bad\nDevice"}"#, #"{"reason":"BadDeviceToken "}"#, #"{"reason":""}"#, #"{"reason":7}"#,
            #"{"reason":"BadDeviceToken"#, #"{"reason"}"#, #"{"reason":"#, "", "BadDeviceToken",
            #"{"reason":"\#(String(repeating: "a", count: 65))"}"#, #"{"reason":"Ümlaut"}"#,
            #"{"pad":"\#(String(repeating: "x", count: 4_090))","reason":"BadDeviceToken"}"#,
        ])
    func noReason(body: String) async throws {
        #expect(try await outcome(of: .status(400, body: body)) == .refused(reason: "400"))
    }
}
