/// The name of a file of the cache.
struct CacheKey: Hashable, Sendable {
    let name: String

    /// Names begin so for all items of a type from a source.
    static func items(_ source: String, _ type: String) -> String {
        "item-\(ContentRequest.hash("\(source) \(type)"))-"
    }

    static func item(_ source: String, _ type: String, _ id: String) -> CacheKey {
        CacheKey(name: items(source, type) + wide(id))
    }

    /// Files that a server knows by one checksum are one.
    static func file(_ source: String, _ item: ContentItem, _ field: String, _ file: ContentFile) -> CacheKey {
        let content = file.checksum ?? "\(item.type) \(item.changeTag) \(field) \(item.id)"
        return CacheKey(name: "file-\(wide("\(source) \(content)"))")
    }

    /// What is remembered of an answer.
    static func note(_ kind: String, _ source: String, _ what: String) -> CacheKey {
        CacheKey(name: "note-\(wide("\(kind) \(source) \(what)"))")
    }

    private static func wide(_ text: String) -> String { ContentRequest.hash(text) + ContentRequest.hash("\(text) 2") }
}
