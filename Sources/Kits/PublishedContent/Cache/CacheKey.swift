/// The name of a file of the cache.
struct CacheKey: Hashable, Sendable {
    let name: String

    /// The common prefix of names of all items of a type from a source.
    static func items(_ source: String, _ type: String) -> String {
        "item-\(ContentRequest.hash("\(source) \(type)"))-"
    }

    static func item(_ source: String, _ type: String, _ id: String) -> CacheKey {
        CacheKey(name: items(source, type) + wide(id))
    }

    /// Files with the same checksum at a server share one entry.
    static func file(_ source: String, _ item: ContentItem, _ field: String, _ file: ContentFile) -> CacheKey {
        let content = file.checksum ?? "\(item.type) \(item.changeTag) \(field) \(item.id)"
        return CacheKey(name: "file-\(wide("\(source) \(content)"))")
    }

    /// The key of a note about a response.
    static func note(_ kind: String, _ source: String, _ what: String) -> CacheKey {
        CacheKey(name: "note-\(wide("\(kind) \(source) \(what)"))")
    }

    private static func wide(_ text: String) -> String { ContentRequest.hash(text) + ContentRequest.hash("\(text) 2") }
}
