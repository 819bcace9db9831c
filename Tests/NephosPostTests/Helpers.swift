import DeliveryTesting
import NephosDelivery
import NephosPost
import NephosRunner
import NephosTesting
import Synchronization
import Testing

/// How long a server may take to respond, unless a test is about that.
let patience = Duration.seconds(Patience.seconds)

/// Seconds since 1970, advanced by tests.
final class TestClock: Sendable {
    private let seconds: Mutex<Int64>

    init(_ seconds: Int64) { self.seconds = Mutex(seconds) }

    var now: @Sendable () -> Int64 { { self.seconds.withLock { $0 } } }

    func advance(minutes: Int64) { seconds.withLock { $0 += minutes * 60 } }
}

let aDevice = String(repeating: "0a", count: 32)
let someID = "8f14e45f-ceea-467f-a1ab-0d2f6a3c7e55"

func makeID(_ text: String = someID) throws -> DeliveryID { try #require(DeliveryID(text)) }

func makePush(
    device: String = aDevice, payload: String = #"{"aps":{}}"#, kind: APNsPush.Kind = .alert,
    collapse: String? = nil, expiration: Int64 = 0
) throws -> APNsPush {
    try APNsPush(
        deviceToken: device, payload: Array(payload.utf8), kind: kind, collapseID: collapse.flatMap { CollapseID($0) },
        id: makeID(), expiration: expiration)
}

func makeCall(_ url: String, body: String = #"{"a":1}"#) throws -> WebhookCall {
    WebhookCall(
        address: try WebhookAddress(url), body: Array(body.utf8), id: try makeID(), secret: Array("secret".utf8))
}

/// Runs `body` with a server in place of APNs, a client and a push, and closes both. The client posts to the server, or to `url`.
func withAPNs(
    _ server: APNsStandIn, at url: String? = nil, key: TestKey = TestKey(), clock: TestClock = TestClock(1_700_000_000),
    timeout: Duration = patience, isTrusted: Bool = true,
    wait: @escaping @Sendable (Duration) async -> Void = SystemClock.wait,
    _ body: (APNsClient, APNsPush) async throws -> Void
) async throws {
    let configuration = try APNsConfiguration(
        key: APNsKey(pem: key.pem, teamID: key.teamID, keyID: key.keyID), topic: "com.example.notes",
        host: APNsHost(baseURL: url ?? server.url), roots: isTrusted ? Array(server.rootPEM.utf8) : [], timeout: timeout
    )
    let client = try APNsClient(configuration, now: clock.now, wait: wait)
    let result: Result<Void, any Error>
    do { result = .success(try await body(client, try makePush())) } catch { result = .failure(error) }
    try await client.shutdown()
    await server.stop()
    try result.get()
}

/// The outcome of one push with these responses.
func outcome(of answers: ScriptedAnswer..., timeout: Duration = patience) async throws -> SendOutcome? {
    var outcome: SendOutcome?
    try await withAPNs(try await APNsStandIn.start(answers), timeout: timeout) { outcome = await $0.send($1) }
    return outcome
}

extension WebhookClient {
    /// With its own connections.
    convenience init(
        timeout: Duration = patience, roots: [UInt8] = [], allowing: [String] = [], resolve: HostResolver? = nil,
        own: OwnAddresses = .ofSystem, now: @escaping @Sendable () -> Int64 = SystemClock.now,
        wait: @escaping @Sendable (Duration) async -> Void = SystemClock.wait
    ) throws(InvalidRoots) {
        let client = try GuardedClient(
            timeout: timeout, roots: roots, allowing: allowing, resolve: resolve, own: own, wait: wait)
        self.init(client, timeout: timeout, now: now)
    }
}

/// Runs `body` with a receiver of webhooks, a client and a call, and closes both. The client posts to the receiver, or to `url`.
func withWebhook(
    _ server: WebhookStandIn, at url: String? = nil, timeout: Duration = patience,
    wait: @escaping @Sendable (Duration) async -> Void = SystemClock.wait,
    _ body: (WebhookClient, WebhookCall) async throws -> Void
) async throws {
    let client = try WebhookClient(timeout: timeout, allowing: ["127.0.0.1"], now: { 1_700_000_000 }, wait: wait)
    let result: Result<Void, any Error>
    do { result = .success(try await body(client, try makeCall(url ?? server.url))) } catch { result = .failure(error) }
    try await client.shutdown()
    await server.stop()
    try result.get()
}

/// The outcome of one call with this response.
func webhookOutcome(of answer: ScriptedAnswer, timeout: Duration = patience) async throws -> SendOutcome? {
    let server = try await WebhookStandIn.start([answer])
    var outcome: SendOutcome?
    try await withWebhook(server, timeout: timeout) { outcome = await $0.send($1) }
    return outcome
}

enum TestKeys {
    static let one = TestKey()
}

extension TestKeys {
    /// Stores the first token that it receives.
    final class Seen: Sendable {
        private let first = Mutex<String?>(nil)

        func isFirst(_ token: String?) -> Bool {
            first.withLock { first in
                if first == nil { first = token }
                return first == token
            }
        }
    }
}

/// The requested delays.
final class Times: Sendable {
    private let times = Mutex<[Duration]>([])

    var all: [Duration] { times.withLock { $0 } }

    func append(_ time: Duration) { times.withLock { $0.append(time) } }
}
