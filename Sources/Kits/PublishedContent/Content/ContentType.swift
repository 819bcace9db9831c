/// A type of records that are content, and how those of its fields are called that mean something: as the settings of the container have
/// it (docs/content.md). What a record does not have says nothing; where the type has no such field the name may be empty.
public struct ContentType: Sendable, Hashable {
    public var name: String
    /// TIMESTAMP: from when on it is shown.
    public var publishedAt: String
    /// TIMESTAMP: until when.
    public var until: String
    /// STRING: hours that come again, as JSON (docs/audiences.md, "Recurrences").
    public var every: String
    /// STRING: whom for, as a condition in JSON or the name of an audience.
    public var audience: String
    /// LIST<STRING>: what must be proved.
    public var access: String
    /// STRING
    public var collection: String
    /// INT64: how often it is picked.
    public var weight: String
    /// ASSET: the small picture, which is fetched ahead before all other files.
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

    /// The fields by which one chooses.
    package var choosing: [String] {
        [publishedAt, until, every, audience, access, collection, weight].filter { !$0.isEmpty }
    }
}

extension ContentItem {
    /// The names of the fields that hold files: the preview first, then by their names.
    func files(previewFirst preview: String) -> [(field: String, file: ContentFile)] {
        let files = fields.compactMap { field, value in value.file.map { (field: field, file: $0) } }
        return files.filter { $0.field == preview }
            + files.filter { $0.field != preview }.sorted { $0.field < $1.field }
    }
}
