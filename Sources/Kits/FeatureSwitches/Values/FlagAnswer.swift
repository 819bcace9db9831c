public import Foundation

/// A provider's result for one flag.
public struct FlagAnswer: Sendable, Hashable {
    /// The flag's ID.
    public var id: String
    /// The value, or why there is none.
    public var value: Result<FlagValue, FlagError>
    /// The name of the value.
    public var variant: String?
    /// The reason for this value.
    public var reason: FlagReason
    /// Further data: the matching rule, the bucket of a split.
    public var metadata: [String: FlagValue]

    public init(
        id: String, value: FlagValue, variant: String? = nil, reason: FlagReason = .static,
        metadata: [String: FlagValue] = [:]
    ) {
        (self.id, self.value, self.variant, self.reason) = (id, .success(value), variant, reason)
        self.metadata = metadata
    }

    /// A flag that exists but has no value.
    public init(id: String, error: FlagError) {
        (self.id, value, variant, reason, metadata) = (id, .failure(error), nil, .error, [:])
    }
}

/// A provider's result for all flags.
public struct FlagValues: Sendable, Hashable {
    /// One for each flag.
    public var answers: [FlagAnswer]
    /// The entity tag by which the provider recognizes these values.
    public var tag: String?
    /// The URL of the event stream that announces changes.
    public var stream: URL?
    /// When the next value changes because of the time alone.
    public var nextChange: Date?

    public init(_ answers: [FlagAnswer], tag: String? = nil, stream: URL? = nil, nextChange: Date? = nil) {
        (self.answers, self.tag, self.stream, self.nextChange) = (answers, tag, stream, nextChange)
    }
}
