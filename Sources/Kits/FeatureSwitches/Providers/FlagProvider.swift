/// Where flags come from: a server by OFREP (``OFREPProvider``), records of a public database (`CloudFlagProvider` of
/// `FeatureSwitchesCloudKit`), the app itself (``StaticProvider``), a test (``MockProvider``).
public protocol FlagProvider: Sendable {
    /// Identifies the source, so that values saved from another source are not used. Contains no secret.
    var source: String { get }

    /// Fetches all flags.
    ///
    /// - Throws: The reason why there is no response. The caller keeps the values that it has and tries again.
    func fetch(_ question: FlagQuestion) async throws(FlagFault) -> FlagFetch

    /// Follows announcements of changes, if there is a stream for these values. Each element requires a refresh.
    ///
    /// - Returns: A sequence that ends when the connection does; nil if there are no announcements and the caller must poll.
    func news(after values: FlagValues) -> AsyncThrowingStream<FlagNews, any Error>?
}

extension FlagProvider {
    public func news(after values: FlagValues) -> AsyncThrowingStream<FlagNews, any Error>? { nil }
}

/// A request to a provider.
public struct FlagQuestion: Sendable {
    /// The context to evaluate for.
    public var context: FlagContext
    /// IDs of the flags that the app declares.
    public var flags: [String]
    /// The entity tag of the values that are already known.
    public var tag: String?

    public init(_ context: FlagContext = FlagContext(), flags: [String] = [], tag: String? = nil) {
        (self.context, self.flags, self.tag) = (context, flags, tag)
    }
}

/// The response of a provider.
public enum FlagFetch: Sendable, Hashable {
    /// The values still match the tag of the request.
    case unchanged
    case values(FlagValues)
}

/// An announcement that flags have changed.
public struct FlagNews: Sendable, Hashable {
    /// The entity tag of the current values; nil if not stated.
    public var tag: String?

    public init(tag: String? = nil) { self.tag = tag }
}

/// Why a refresh failed.
public struct FlagFault: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Kind: Sendable, Hashable {
        /// No response arrived: there is no network, or the server does not respond.
        case unreachable
        /// The server refused the request: because of a credential, an invalid context, or another reason of its own.
        case refused
        /// The response cannot be parsed.
        case unreadable
        case cancelled
    }

    public var kind: Kind
    /// A message for people: what happened, and what to do about it if that is known. Contains no secret.
    public var message: String
    /// How long to wait before the next request, as the server requires.
    public var retryAfter: Duration?

    public init(_ kind: Kind, _ message: String, retryAfter: Duration? = nil) {
        (self.kind, self.message, self.retryAfter) = (kind, message, retryAfter)
    }

    public var description: String { message }
}
