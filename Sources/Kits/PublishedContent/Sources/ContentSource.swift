public import Foundation

/// Where content comes from: a Nephos server over HTTP (``HTTPContentSource``), records of a public database (`CloudContentSource` of
/// `PublishedContentCloudKit`), a test or a preview (``StaticContentSource``).
public protocol ContentSource: Sendable {
    /// Names the place: what was kept of another is not taken for its own. It holds no secret.
    var name: String { get }

    /// Asks for items.
    ///
    /// - Throws: Why there is no answer. That nothing fits is an answer.
    func fetch(_ request: ContentRequest) async throws(ContentFault) -> ContentFetch

    /// Brings a file of an item here, without having all of it in memory.
    ///
    /// - Parameters:
    ///   - file: Where it is to be; nothing is there yet, nor is afterwards where this throws.
    ///   - bytesMax: No more is written.
    func download(_ field: String, of item: ContentItem, to file: URL, bytesMax: Int64) async throws(ContentFault)

    /// Says when a record is shown, and whom for.
    ///
    /// - Throws: ``ContentFault`` of kind `notAllowed` where who asks may not write the record.
    func publish(_ publication: Publication) async throws(ContentFault)
}

extension ContentSource {
    public func publish(_ publication: Publication) async throws(ContentFault) {
        throw ContentFault(.refused, "nothing can be published here")
    }
}

/// When a record of content is to be shown, and whom for.
public struct Publication: Sendable, Hashable {
    public enum Start: Sendable, Hashable {
        /// By the server's clock.
        case now
        case at(Date)
        /// Not at all: it is a draft.
        case never
    }

    public enum Audience: Sendable, Hashable {
        case unchanged
        case everybody
        /// As the record's field says it: a condition in JSON, or the name of an audience (docs/audiences.md).
        case condition(String)
    }

    public var type: ContentType
    /// The name of the record.
    public var item: String
    public var start: Start
    /// nil for good.
    public var until: Date?
    public var audience: Audience

    public init(
        _ item: String, of type: ContentType, start: Start = .now, until: Date? = nil, audience: Audience = .unchanged
    ) {
        (self.item, self.type, self.start, self.until, self.audience) = (item, type, start, until, audience)
    }
}
