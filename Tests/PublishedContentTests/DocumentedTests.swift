import CloudKit
import Foundation
import PublishedContent
import PublishedContentCloudKit
import Testing

// The listings of docs/published-content.md, verbatim.

func open(server: URL, token: String, folder: URL) -> PublishedContent {
    let source = HTTPContentSource(
        server: server, container: "iCloud.com.example.app", environment: "production",
        credentials: HTTPContentSource.Credentials(token: token))
    return PublishedContent(
        ContentType("Chibi", preview: "thumbnail"), source: source,
        cache: ContentCache(folder: folder, maxBytes: 20_000_000))
}

struct Chibi: Decodable {
    var id: String
    var title: String
}

func chibiOfTheDay(_ content: PublishedContent, for person: String) async throws -> Chibi? {
    let seed = ContentRequest.seed(person: person, day: .now)
    let answer = try await content.pick(count: 1, seed: seed, in: ["cats", "dogs"])
    if answer.nothingFits, let why = answer.why {
        print("nothing today: \(why.version) need another version, \(why.locale) are in other languages")
    }
    return try answer.items.first?.decoded(as: Chibi.self)
}

func picture(of item: ContentItem, _ content: PublishedContent) async throws -> Data {
    try await Data(contentsOf: content.file("thumbnail", of: item))
}

func fetchAhead(_ content: PublishedContent) async throws {
    let report = try await content.prefetch(count: 50, maxBytes: 5_000_000)
    print("\(report.items.count) items and \(report.files) files, \(report.bytes) bytes")
    for missing in report.leftOut { print("\(missing.item) \(missing.field ?? ""): \(missing.fault)") }
}

func keepWarm(_ content: PublishedContent) -> Task<Void, Never> {
    let plan = WarmPlan(count: 50, maxBytes: 5_000_000, every: .seconds(3_600))
    return Task { await content.warm(plan) }
}

func widgetContent(_ source: any ContentSource, _ cache: ContentCache) -> PublishedContent {
    PublishedContent(ContentType("Chibi", preview: "thumbnail"), source: source, cache: cache, mode: .extension)
}

func publish(_ record: String, _ content: PublishedContent) async throws {
    var form = PublishForm()
    form.end = Date.now + 7 * 86_400
    form.minimumVersion = "2.3"
    form.languages = ["es", "pt-BR"]
    for problem in form.problems { print(problem.message) }
    try await content.publish(record, form)
}

func openWithCloudKit(_ container: CKContainer, _ cache: ContentCache) -> PublishedContent {
    PublishedContent(ContentType("Chibi"), source: CloudContentSource(container: container), cache: cache)
}

/// docs/published-content.md
@Suite("The page about published content") struct DocumentedTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

    @Test("Each line of code on the page is in a file that compiles")
    func code() throws {
        let page = try String(
            contentsOf: Self.folder.appending(path: "../../docs/published-content.md"), encoding: .utf8)
        let file = try String(contentsOf: Self.folder.appending(path: "DocumentedTests.swift"), encoding: .utf8)
        let compiled = Set(file.split(separator: "\n"))
        let blocks = page.components(separatedBy: "```swift\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
        #expect(blocks.count == 8)
        for line in blocks.joined().split(separator: "\n") { #expect(compiled.contains(line), "\(line)") }
    }
}
