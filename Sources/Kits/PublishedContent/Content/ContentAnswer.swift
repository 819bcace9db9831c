public import Foundation

/// What a source has for somebody, or that it has nothing and why.
public struct ContentAnswer: Sendable, Hashable {
    public var items: [ContentItem]
    /// How many there are for who asks, of which the items are some.
    public var eligible: Int
    /// Where nothing fits: how many records are out of reach, by the reason.
    public var why: ContentWhy?
    /// Records that came and cannot be read: they are left out, and hide no others.
    public var unreadable = 0
    /// When time alone makes another answer of it.
    public var changesAt: Date?
    /// Where the next request goes on; nil at the end.
    public var after: String?
    /// By which a source says that nothing has changed.
    public var tag: String?
    /// Whether it was made of what is kept on this device, without asking anybody, or since nobody answered.
    public var isFromCache = false
    /// Why it is from the cache, where the source was asked and failed.
    public var fault: ContentFault?

    public init(_ items: [ContentItem] = [], eligible: Int? = nil, why: ContentWhy? = nil) {
        (self.items, self.eligible, self.why) = (items, eligible ?? items.count, why)
    }

    /// That there is nothing for who asks: no failure, and none of ``ContentFault``.
    public var nothingFits: Bool { eligible == 0 }
}

/// What a source answers.
public enum ContentFetch: Sendable, Hashable {
    /// All is as the tag of the request says.
    case unchanged
    case answer(ContentAnswer)
}

/// How many records are out of reach of who asks, each counted once, by what comes first.
public struct ContentWhy: Sendable, Hashable, Codable {
    /// Their time has not come.
    public var early = 0
    /// Their time is over.
    public var ended = 0
    /// They are for other languages.
    public var locale = 0
    /// They are for other versions of the app or the system.
    public var version = 0
    public var platform = 0
    /// They are for others by something else.
    public var audience = 0
    /// They ask for a proof that who asks did not show.
    public var access = 0
    /// They cannot be read.
    public var unreadable = 0

    public init() {}

    public var count: Int { early + ended + locale + version + platform + audience + access + unreadable }
}
