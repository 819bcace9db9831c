public import Foundation

/// A source's items for an audience, or the reason why there are none.
public struct ContentAnswer: Sendable, Hashable {
    public var items: [ContentItem]
    /// The total number of items for this audience; the result may contain only some of them.
    public var eligible: Int
    /// If nothing matches: the number of excluded records by reason.
    public var why: ContentWhy?
    /// The number of records that cannot be read: they are left out, without affecting the others.
    public var unreadable = 0
    /// When the result changes because of the time alone.
    public var changesAt: Date?
    /// The position at which the next request continues; nil at the end.
    public var after: String?
    /// The entity tag of the response.
    public var tag: String?
    /// Whether it was built from content cached on this device, without a request or after a failed one.
    public var isFromCache = false
    /// The failure of the request, if that is why the result is from the cache.
    public var fault: ContentFault?

    public init(_ items: [ContentItem] = [], eligible: Int? = nil, why: ContentWhy? = nil) {
        (self.items, self.eligible, self.why) = (items, eligible ?? items.count, why)
    }

    /// Whether there is nothing for this audience. This is not an error.
    public var nothingFits: Bool { eligible == 0 }
}

/// The response of a source.
public enum ContentFetch: Sendable, Hashable {
    /// The content still matches the tag of the request.
    case unchanged
    case answer(ContentAnswer)
}

/// The number of excluded records, each counted once, by the first reason that applies.
public struct ContentWhy: Sendable, Hashable, Codable {
    /// Not published yet.
    public var early = 0
    /// No longer shown.
    public var ended = 0
    /// For other languages.
    public var locale = 0
    /// For other versions of the app or the system.
    public var version = 0
    public var platform = 0
    /// Excluded by another condition of the audience.
    public var audience = 0
    /// They require a proof that the caller did not present.
    public var access = 0
    /// Not readable.
    public var unreadable = 0

    public init() {}

    public var count: Int { early + ended + locale + version + platform + audience + access + unreadable }
}
