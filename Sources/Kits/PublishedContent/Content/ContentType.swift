/// A record type for content, and the names of its fields with a meaning, as in the container's settings (docs/content.md). A
/// missing field imposes no condition; if the type lacks a field, its name may be empty.
public struct ContentType: Sendable, Hashable {
    public var name: String
    /// TIMESTAMP: when it is first shown.
    public var publishedAt: String
    /// TIMESTAMP: when it is no longer shown.
    public var until: String
    /// STRING: recurring hours, as JSON (docs/audiences.md, "Recurrences").
    public var every: String
    /// STRING: the audience, as a condition in JSON or the name of an audience.
    public var audience: String
    /// LIST<STRING>: the required proofs.
    public var access: String
    /// STRING
    public var collection: String
    /// INT64: how often it is picked.
    public var weight: String
    /// ASSET: the small picture, which is prefetched before all other files.
    public var preview: String

    public init(
        _ name: String, publishedAt: String = "publishedAt", until: String = "until", every: String = "every",
        audience: String = "audience", access: String = "access", collection: String = "collection",
        weight: String = "weight", preview: String = "preview"
    ) {
        (self.name, self.publishedAt, self.until, self.every) = (name, publishedAt, until, every)
        (self.audience, self.access, self.collection) = (audience, access, collection)
        (self.weight, self.preview) = (weight, preview)
    }

    /// The fields that determine the selection.
    package var choosing: [String] {
        [publishedAt, until, every, audience, access, collection, weight].filter { !$0.isEmpty }
    }
}

extension ContentItem {
    /// The fields that contain files: the preview first, then by name.
    func files(previewFirst preview: String) -> [(field: String, file: ContentFile)] {
        let files = fields.compactMap { field, value in value.file.map { (field: field, file: $0) } }
        return files.filter { $0.field == preview }
            + files.filter { $0.field != preview }.sorted { $0.field < $1.field }
    }
}
