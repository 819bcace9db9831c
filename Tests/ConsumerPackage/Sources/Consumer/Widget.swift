import CloudKit
import Foundation
import PublishedContent
import PublishedContentCloudKit

/// How an app and its widget use published content.
enum Widget {
    static func show() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "consumer-\(UUID().uuidString)")
        let cache = ContentCache(folder: folder, maxBytes: 100_000)
        let ghost = ContentItem(
            id: "ghost", type: "Chibi", fields: ["publishedAt": .date(.distantPast), "title": "A ghost"])
        let app = PublishedContent(ContentType("Chibi"), source: StaticContentSource([ghost]), cache: cache)
        try await app.prefetch(count: 10, maxBytes: 50_000)
        let widget = PublishedContent(
            ContentType("Chibi"), source: StaticContentSource(), cache: cache, mode: .extension)
        let answer = try await widget.next()
        precondition(answer.isFromCache && answer.items.first?["title"]?.string == "A ghost")
        try cache.removeAll()
        // The server is not configured.
        let container = CKContainer(identifier: "iCloud.org.example.consumer")
        let cloud = PublishedContent(
            ContentType("Chibi"), source: CloudContentSource(container: container), cache: cache)
        do {
            _ = try await cloud.newest()
            preconditionFailure("content came from nowhere")
        } catch {
            precondition(!error.message.isEmpty)
        }
    }
}
