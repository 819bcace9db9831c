public import Foundation

/// What a provider says of one flag.
public struct FlagAnswer: Sendable, Hashable {
    /// The flag's id.
    public var id: String
    /// The value, or why there is none.
    public var value: Result<FlagValue, FlagError>
    /// The name of the value.
    public var variant: String?
    /// Why it is this value.
    public var reason: FlagReason
    /// What else is said of it: which rule fits, the bucket of a split.
    public var metadata: [String: FlagValue]

    public init(
        id: String, value: FlagValue, variant: String? = nil, reason: FlagReason = .static,
        metadata: [String: FlagValue] = [:]
    ) {
        (self.id, self.value, self.variant, self.reason) = (id, .success(value), variant, reason)
        self.metadata = metadata
    }

    /// A flag of which somebody knows, and that has no value.
    public init(id: String, error: FlagError) {
        (self.id, value, variant, reason, metadata) = (id, .failure(error), nil, .error, [:])
    }
}

/// What a provider says of all flags at once.
public struct FlagValues: Sendable, Hashable {
    /// One for each flag.
    public var answers: [FlagAnswer]
    /// By which the provider knows these values again.
    public var tag: String?
    /// Where it is told when they change.
    public var stream: URL?
    /// When time alone may change one of them.
    public var nextChange: Date?

    public init(_ answers: [FlagAnswer], tag: String? = nil, stream: URL? = nil, nextChange: Date? = nil) {
        (self.answers, self.tag, self.stream, self.nextChange) = (answers, tag, stream, nextChange)
    }
}
