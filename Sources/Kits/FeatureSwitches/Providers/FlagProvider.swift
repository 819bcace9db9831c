/// Where flags come from: a server by OFREP (``OFREPProvider``), records of a public database (`CloudFlagProvider` of
/// `FeatureSwitchesCloudKit`), the app itself (``StaticProvider``), a test (``MockProvider``).
public protocol FlagProvider: Sendable {
    /// Names the place: values that were kept of another are not taken for its own. It holds no secret.
    var source: String { get }

    /// Asks for all flags.
    ///
    /// - Throws: Why there is no answer. Whoever asked goes on with what it had, and asks again.
    func fetch(_ question: FlagQuestion) async throws(FlagFault) -> FlagFetch

    /// Follows what is told of changes, where such a thing is known for these values. Each element asks for a refresh.
    ///
    /// - Returns: A sequence that ends when the connection does; nil where nothing is told, and one asks from time to time.
    func news(after values: FlagValues) -> AsyncThrowingStream<FlagNews, any Error>?
}

extension FlagProvider {
    public func news(after values: FlagValues) -> AsyncThrowingStream<FlagNews, any Error>? { nil }
}

/// What is asked of a provider.
public struct FlagQuestion: Sendable {
    /// Whom for.
    public var context: FlagContext
    /// Ids of the flags that the app declares.
    public var flags: [String]
    /// Of the values that are known already.
    public var tag: String?

    public init(_ context: FlagContext = FlagContext(), flags: [String] = [], tag: String? = nil) {
        (self.context, self.flags, self.tag) = (context, flags, tag)
    }
}

/// What a provider answers.
public enum FlagFetch: Sendable, Hashable {
    /// All is as the tag of the question says.
    case unchanged
    case values(FlagValues)
}

/// That flags have changed.
public struct FlagNews: Sendable, Hashable {
    /// Of the values that hold now; nil where it is not said.
    public var tag: String?

    public init(tag: String? = nil) { self.tag = tag }
}

/// Why a refresh failed.
public struct FlagFault: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Kind: Sendable, Hashable {
        /// No answer came: there is no network, or nobody answers.
        case unreachable
        /// The server says no: a credential, a context that it does not take, or something of its own.
        case refused
        /// What came cannot be understood.
        case unreadable
        case cancelled
    }

    public var kind: Kind
    /// For people: what happened, and what to do about it where that is known. It holds no secret.
    public var message: String
    /// How long the server wants to be left alone.
    public var retryAfter: Duration?

    public init(_ kind: Kind, _ message: String, retryAfter: Duration? = nil) {
        (self.kind, self.message, self.retryAfter) = (kind, message, retryAfter)
    }

    public var description: String { message }
}
