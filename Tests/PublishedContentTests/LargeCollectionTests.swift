import Foundation
import KitTesting
import NephosTesting
import RequestTesting
import Testing

@testable import PublishedContent

/// docs/published-content.md, "Prefetching": a collection that is too large to be part of an app.
@Suite("A collection of thousands of items") struct LargeCollectionTests {
    @Test("Of 3,000 items an app has those that fit into its budget, and its widget shows these offline (S0-50)")
    func thousands() async throws {
        let cloud = try await PublishingCloud()
        let (count, wanted, budget) = (3_000, 240, Int64(400_000))
        let drawing = Data(repeating: 7, count: 900).base64EncodedString()
        try await cloud.save(count: count) { number in
            let time = cloud.now - Int64(number + 1) * 1_000
            var fields = [
                #""title":{"value":"A chibi"}"#, #""publishedAt":{"value":\#(time),"type":"TIMESTAMP"}"#,
                #""data":{"value":"\#(drawing)","type":"BYTES"}"#,
            ]
            if number < wanted {
                let picture = Array("\(number)".utf8) + [UInt8](repeating: 1, count: 600)
                fields.append(try cloud.upload(picture, for: "i\(number)", "thumbnail"))
            }
            return fields
        }
        let app = cloud.content()
        for _ in 0..<100 where try await app.newest(count: 1).eligible != count { await cloud.advance(1) }
        #expect(try await app.newest(count: 1).eligible == count)
        // An item of all of them at random costs one small response.
        cloud.transport.forget()
        #expect(try await app.pick().items.count == 1 && cloud.transport.paths == ["pick 200"])

        let folder = try CacheFolder()
        let other = PublishedContent(
            .chibi, cloud.source(), folder.cache(1 << 20, cloud.time), ContentAudience(), .app, clock: cloud.time.clock)
        cloud.transport.forget()
        let report = try await other.prefetch(count: wanted, maxBytes: budget)
        #expect(report.fault == nil && report.bytes <= budget && report.bytes > budget * 9 / 10)
        #expect((100..<wanted).contains(report.items.count), "\(report.items.count)")
        #expect(report.items.map(\.id) == report.items.indices.map { "i\($0)" })
        #expect(report.leftOut.allSatisfy { $0.fault.kind == .tooLarge } && folder.bytes <= budget)
        // Two pages of items, and each file once.
        #expect(cloud.transport.paths.count { $0 == "list 200" } == 2)
        #expect(cloud.transport.paths.count { $0 == "asset 200" } == report.files)

        cloud.transport.setDown(true)
        let widget = PublishedContent(
            .chibi, cloud.source(), other.cache, ContentAudience(), .extension, clock: cloud.time.clock)
        let withoutPicture = Set(report.leftOut.filter { $0.field != nil }.map(\.item))
        var shown: Set<String> = []
        for _ in report.items {
            let item = try #require(try await widget.next().items.first)
            #expect(item["data"]?.bytes?.count == 900)
            if !withoutPicture.contains(item.id) {
                #expect(try await Data(contentsOf: widget.file("thumbnail", of: item)).count > 600)
            }
            shown.insert(item.id)
        }
        #expect(shown == Set(report.items.map(\.id)))
    }
}
