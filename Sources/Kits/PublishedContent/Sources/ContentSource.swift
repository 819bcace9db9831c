public import Foundation

/// Where content comes from: a Nephos server over HTTP (``HTTPContentSource``), records of a public database (`CloudContentSource` of
/// `PublishedContentCloudKit`), a test or a preview (``StaticContentSource``).
public protocol ContentSource: Sendable {
    /// Identifies the source, so that content cached from another source is not used. Contains no secret.
    var name: String { get }

    /// Fetches items.
    ///
    /// - Throws: The reason why there is no response. A response without matching items is not an error.
    func fetch(_ request: ContentRequest) async throws(ContentFault) -> ContentFetch

    /// Downloads a file of an item, without holding all of it in memory.
    ///
    /// - Parameters:
    ///   - file: The destination. No file is there before, nor afterwards if this throws.
    ///   - bytesMax: The maximum number of bytes to write.
    func download(_ field: String, of item: ContentItem, to file: URL, bytesMax: Int64) async throws(ContentFault)

    /// Sets when a record is shown, and to whom.
    ///
    /// - Throws: ``ContentFault`` of kind `notAllowed` if the caller may not write the record.
    func publish(_ publication: Publication) async throws(ContentFault)
}

extension ContentSource {
    public func publish(_ publication: Publication) async throws(ContentFault) {
        throw ContentFault(.refused, "this source cannot publish")
    }
}

/// When a record of content is shown, and to whom.
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
        /// The value of the record's audience field: a condition in JSON, or the name of an audience (docs/audiences.md).
        case condition(String)
    }

    public var type: ContentType
    /// The name of the record.
    public var item: String
    public var start: Start
    /// nil for no end.
    public var until: Date?
    public var audience: Audience

    public init(
        _ item: String, of type: ContentType, start: Start = .now, until: Date? = nil, audience: Audience = .unchanged
    ) {
        (self.item, self.type, self.start, self.until, self.audience) = (item, type, start, until, audience)
    }
}
