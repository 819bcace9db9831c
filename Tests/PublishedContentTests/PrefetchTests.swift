import Foundation
import NephosTesting
import Testing

@testable import PublishedContent

/// docs/published-content.md, "Prefetching".
@Suite("Prefetching") struct PrefetchTests {
    @Test(
        "Items and files are fetched within the budget and stay cached, previews before other files",
        arguments: Seeds.all(12))
    func budget(seed: UInt64) async throws {
        let (folder, time) = (try CacheFolder(), TestTime())
        var random = SeededGenerator(seed: seed)
        let items = (0..<40).map { number in
            chibi(
                "i\(number)", start: -Double(number) - 1,
                files: [
                    "thumbnail": .random(in: 0...400, using: &random),
                    "drawing": .random(in: 0...3_000, using: &random),
                ])
        }
        let source = StaticContentSource(items, time)
        let cap = Int64.random(in: 500...60_000, using: &random)
        let content = content(source, folder.cache(cap, time), time)
        let budget = Int64.random(in: 0...60_000, using: &random)
        let count = Int.random(in: 0...50, using: &random)
        let report = try await content.prefetch(count: count, maxBytes: budget)
        #expect(report.bytes <= budget && folder.bytes <= min(budget, cap) && report.bytes == folder.bytes)
        #expect(report.items.count + report.leftOut.count { $0.field == nil } == min(count, 40))
        #expect(report.files + report.leftOut.count { $0.field != nil } == 2 * report.items.count)
        #expect(report.leftOut.allSatisfy { $0.fault.kind == .tooLarge } && report.fault == nil)
        let firstDrawing = source.downloads.firstIndex { $0.hasSuffix(".drawing") } ?? source.downloads.count
        #expect(!source.downloads[firstDrawing...].contains { $0.hasSuffix(".thumbnail") })
        // What is reported as present is available without the source.
        source.fail(with: ContentFault(.unreachable, "down"))
        let missing = Set(report.leftOut.map { "\($0.item).\($0.field ?? "")" })
        for item in report.items {
            for field in ["thumbnail", "drawing"] where !missing.contains("\(item.id).\(field)") {
                #expect(
                    try await Data(contentsOf: content.file(field, of: item)).count == item[field]?.file?.size ?? -1)
            }
        }
        if !report.items.isEmpty { #expect(try await content.newest(count: 50).items.count == report.items.count) }
        // Nothing is written twice.
        source.fail(with: nil)
        let again = try await content.prefetch(count: count, maxBytes: 0)
        #expect(again.bytes == 0 && again.items.map(\.id) == report.items.map(\.id))
    }

    @Test("Without a response it ends early and reports that; fetched items stay")
    func interrupted() async throws {
        let (folder, time) = (try CacheFolder(), TestTime())
        let source = BreakingSource(
            StaticContentSource((0..<5).map { chibi("i\($0)", files: ["thumbnail": 10]) }, time), after: 2)
        let content = content(source, folder.cache(time), time)
        let report = try await content.prefetch(count: 5, maxBytes: 100_000)
        #expect(report.files == 2 && report.items.count == 5 && report.fault?.kind == .unreachable)
        #expect(report.leftOut.count == 3 && source.downloads == 3)
    }

    @Test("More items than fit on a page are requested page by page")
    func pages() async throws {
        let (folder, time) = (try CacheFolder(), TestTime())
        let source = StaticContentSource((0..<450).map { chibi("i\($0)", start: -Double($0) - 1) }, time)
        let content = content(source, folder.cache(time), time)
        #expect(try await content.prefetch(count: 420, maxBytes: 1 << 20).items.map(\.id) == (0..<420).map { "i\($0)" })
        #expect(source.requests.map(\.count) == [200, 200, 20])
    }
}

/// Completes this many downloads.
private final class BreakingSource: ContentSource {
    private let source: StaticContentSource
    private let most: Int
    private let count = LockedBox(0)

    init(_ source: StaticContentSource, after most: Int) { (self.source, self.most) = (source, most) }

    var name: String { source.name }
    var downloads: Int { count.value }

    func fetch(_ request: ContentRequest) async throws(ContentFault) -> ContentFetch { try await source.fetch(request) }

    func download(
        _ field: String, of item: ContentItem, to file: URL, bytesMax: Int64
    ) async throws(ContentFault) {
        let number = count.withLock { count in
            count += 1
            return count
        }
        guard number <= most else { throw ContentFault(.unreachable, "down") }
        try await source.download(field, of: item, to: file, bytesMax: bytesMax)
    }
}
