import NephosDelivery

/// The meaning of an APNs response, according to "Handling notification responses from APNs" in Apple's documentation.
struct APNsAnswer {
    /// How long pushes wait for an operator to fix a problem that prevents all of them.
    static let waitForOperator = Duration.seconds(15 * 60)
    private static let waitForTokens = Duration.seconds(ProviderTokens.leastBetween)
    /// After too many pushes to one device, unless APNs specifies a time.
    private static let waitForDevice = Duration.seconds(60)

    private let answer: PostAnswer
    private let reason: String?

    init(_ answer: PostAnswer) {
        self.answer = answer
        reason = APNsReason.find(in: answer.body)
    }

    /// Whether the same push, sent with a new provider token, may be delivered.
    var isExpiredProviderToken: Bool { answer.status == 403 && reason == "ExpiredProviderToken" }

    var outcome: SendOutcome {
        guard answer.isHTTP2 else {
            return .failed(
                reason: "the server does not support HTTP/2, so it is not APNs: check the host",
                retryAfter: Self.waitForOperator)
        }
        switch answer.status {
        case 200: return .delivered(answer: "200")
        case 400 where reason == nil && !answer.isComplete:
            // The missing part would have contained whether the device or the push is at fault.
            return .failed(reason: "400, and the connection was lost before the reason", retryAfter: nil)
        case 410: return .deviceIsGone(reason: log)
        case 400 where reason == "BadDeviceToken" || reason == "DeviceTokenNotForTopic":
            // A wrong topic, or sandbox instead of production, makes every token invalid: devices are kept.
            return .refused(reason: "\(log): check topic and sandbox, or the app registered a wrong token")
        case 400 where reason == "IdleTimeout": return .failed(reason: log, retryAfter: nil)
        case 400, 404, 405, 413: return .refused(reason: log)
        case 403: return .failed(reason: "\(log): \(advice)", retryAfter: Self.waitForOperator)
        case 429 where reason == "TooManyProviderTokenUpdates":
            return .failed(reason: log, retryAfter: max(answer.retryAfter ?? .zero, Self.waitForTokens))
        case 429: return .failed(reason: log, retryAfter: answer.retryAfter ?? Self.waitForDevice)
        default: return .failed(reason: log, retryAfter: answer.retryAfter)
        }
    }

    /// For example `410 Unregistered`.
    private var log: String { reason.map { "\(answer.status) \($0)" } ?? String(answer.status) }

    /// What to check when APNs rejects the sender's credentials.
    private var advice: String {
        switch reason {
        case "ExpiredProviderToken": "check this machine's clock"
        case "InvalidProviderToken": "check the key, its key id and the team id"
        case "MissingProviderToken": "check proxies between this server and APNs"
        default: "check the key, the topic and whether the host is production or sandbox"
        }
    }
}
