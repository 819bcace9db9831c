import Foundation
import NephosTesting
import NephosTransport
import PublishedContent
import Testing

extension ContentType {
    /// The type in ``PublishingCloud``.
    static let chibi = ContentType("Chibi", preview: "thumbnail")
}

/// A visible item.
func chibi(
    _ id: String, start: Double = -1_000, until: Double? = nil, collection: String? = nil, audience: String? = nil,
    files: [String: Int64] = [:]
) -> ContentItem {
    var item = ContentItem(id: id, type: "Chibi", changeTag: "1")
    item["title"] = "A chibi"
    item["publishedAt"] = .date(TestTime.start + start)
    if let until { item["until"] = .date(TestTime.start + until) }
    if let collection { item["collection"] = .string(collection) }
    if let audience { item["audience"] = .string(audience) }
    for (field, size) in files {
        item[field] = .file(ContentFile(checksum: "\(id)/\(field)+", size: size))
    }
    return item
}

extension StaticContentSource {
    /// With the files that items reference.
    convenience init(_ items: [ContentItem], _ time: TestTime) {
        var files: [String: Data] = [:]
        for file in items.flatMap({ $0.fields.values.compactMap(\.file) }) {
            files[file.checksum ?? ""] = Data(repeating: 7, count: Int(file.size))
        }
        self.init(items, files: files, now: { time.now })
    }
}

/// A folder of a cache.
struct CacheFolder {
    let folder: TemporaryFolder
    var url: URL { URL(fileURLWithPath: folder.path).appending(path: "inner/cache") }

    init() throws { folder = try TemporaryFolder(prefix: "nephos-content") }

    func cache(_ maxBytes: Int64, _ time: TestTime) -> ContentCache {
        ContentCache(folder: url, maxBytes: maxBytes, now: { time.now })
    }

    func cache(_ time: TestTime) -> ContentCache { cache(1 << 20, time) }

    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? [] }

    /// The size measured from outside.
    var bytes: Int64 {
        names.reduce(0) { sum, name in
            let facts = try? FileManager.default.attributesOfItem(atPath: url.appending(path: name).path)
            return sum + ((facts?[.size] as? NSNumber)?.int64Value ?? 0)
        }
    }
}

func content(
    _ source: any ContentSource, _ cache: ContentCache, _ time: TestTime, mode: PublishedContent.Mode = .app
) -> PublishedContent {
    PublishedContent(.chibi, source, cache, ContentAudience(), mode, clock: time.clock)
}

/// The error that `body` throws; nil where it throws none.
func fault(_ body: () async throws -> Void) async -> ContentFault? {
    do {
        try await body()
        return nil
    } catch let fault as ContentFault {
        return fault
    } catch {
        Issue.record(error)
        return nil
    }
}
