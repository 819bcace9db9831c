import Foundation
import KitTesting
import NephosTesting
import NephosTransport
import Testing

@testable import PublishedContent

/// docs/published-content.md, "Requesting content" and "When the service cannot be reached".
@Suite("Responses from a source or from the cache") struct AnswerTests {
    private static let down = ContentFault(.unreachable, "nobody answers", retryAfter: .seconds(40))

    @Test("Without a response the cache is used, and marked as such with the reason; with an empty cache it fails")
    func fallback() async throws {
        let (folder, time) = (try CacheFolder(), TestTime())
        let source = StaticContentSource([chibi("a", until: 60), chibi("b", start: -5), chibi("c")], time)
        let content = content(source, folder.cache(time), time)
        source.fail(with: Self.down)
        #expect(await fault { _ = try await content.newest() } == Self.down)
        source.fail(with: nil)
        let answer = try await content.newest()
        #expect(answer.items.map(\.id) == ["b", "a", "c"] && !answer.isFromCache && answer.fault == nil)
        source.fail(with: Self.down)
        // In another process.
        let kept = try await PublishedContentTests.again(content, folder, time).newest()
        #expect(kept.items == answer.items && kept.eligible == 3)
        #expect(kept.isFromCache && kept.fault == Self.down && kept.changesAt == time.now + 60)
        // Time passes without a server.
        time.advance(61)
        #expect(try await content.newest().items.map(\.id) == ["b", "c"])
        #expect(try await content.pick(count: 9, seed: "s").items.count == 2)
        #expect(content.cacheProblem == nil)
    }

    @Test("An empty result is a response, with the reasons counted, from the cache too")
    func nothing() async throws {
        let (folder, time) = (try CacheFolder(), TestTime())
        let items = [
            chibi("early", start: 90), chibi("ended", until: -1), chibi("spanish", audience: #"{"locale":["es"]}"#),
            chibi("new", audience: #"{"app":">=2.3"}"#), chibi("named", audience: "friends"),
        ]
        let source = StaticContentSource(items, time)
        let content = content(source, folder.cache(time), time)
        var audience = ContentAudience()
        (audience.locale, audience.appVersion) = ("de", "1.0")
        content.audience = audience
        let answer = try await content.pick()
        var why = ContentWhy()
        (why.early, why.ended, why.locale, why.version, why.unreadable) = (1, 1, 1, 1, 1)
        #expect(answer.nothingFits && answer.items == [] && answer.why == why && why.count == 5)
        #expect(answer.changesAt == time.now + 90)
        (audience.locale, audience.appVersion) = ("es-MX", "2.3")
        content.audience = audience
        #expect(try await content.newest().items.map(\.id) == ["new", "spanish"])
        source.fail(with: Self.down)
        content.audience.locale = "de"
        content.audience.appVersion = "2"
        let kept = try await content.pick()
        #expect(kept.nothingFits && kept.isFromCache && kept.fault == Self.down)
        #expect(kept.why?.locale == 1 && kept.why?.version == 1)
    }

    @Test(
        "Going through content shows all items before any repeats, across restarts and in the widget",
        arguments: Seeds.all(6))
    func next(seed: UInt64) async throws {
        let (folder, time) = (try CacheFolder(), TestTime())
        let all = Set((0..<12).map { "i\($0)" })
        let source = StaticContentSource(all.map { chibi($0) }, time)
        let app = content(source, folder.cache(time), time)
        var shown: [String] = []
        for _ in 0..<4 {
            let process = PublishedContentTests.again(app, folder, time)
            shown += try await process.next(count: 3).items.map(\.id)
        }
        #expect(Set(shown) == all && shown.count == 12)
        let again = try await app.next(count: 12).items.map(\.id)
        #expect(Set(again) == all)
        source.fail(with: Self.down)
        var offline: [String] = []
        for _ in 0..<4 { offline += try await app.next(count: 3).items.map(\.id) }
        #expect(Set(offline) == all && offline.count == 12)
    }

    @Test("A position that the source no longer knows is dropped, and a new round begins")
    func forgotten() async throws {
        let (folder, time) = (try CacheFolder(), TestTime())
        let asked = LockedBox<[String?]>([])
        let source = HTTPContentSource(
            server: URL(filePath: "/"), container: "c", environment: "production", credentials: .init(token: "t"),
            transport: ClosureTransport { request throws(TransportFault) in
                let query = URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
                let after = query.first { $0.name == "after" }?.value
                asked.withLock { $0.append(after) }
                guard after == nil else { return TransportAnswer(status: 400, body: Data(#"{"reason":"after"}"#.utf8)) }
                let body =
                    #"{"records":[{"recordName":"a","recordType":"Chibi","fields":{}}],"eligible":1,"changesAt":null,"after":"x+/"}"#
                return TransportAnswer(status: 200, body: Data(body.utf8))
            })
        let content = content(source, folder.cache(time), time)
        for _ in 0..<2 { #expect(try await content.next().items.map(\.id) == ["a"]) }
        #expect(asked.value == [nil, "x+/", nil])
    }

    @Test("App and device are reported only if the app enables it, in one line")
    func reported() async throws {
        let (folder, time) = (try CacheFolder(), TestTime())
        for reportsApp in [false, true] {
            let said = LockedBox<[String?]>([])
            var source = HTTPContentSource(
                server: URL(filePath: "/"), container: "c", environment: "production", credentials: .init(token: "t"),
                transport: ClosureTransport { request throws(TransportFault) in
                    said.withLock { $0.append(request.headers["X-Nephos-App"]) }
                    return TransportAnswer(status: 200, body: Data(#"{"records":[],"eligible":0}"#.utf8))
                })
            source.reportsApp = reportsApp
            let content = content(source, folder.cache(time), time)
            var audience = ContentAudience()
            (audience.appVersion, audience.platform, audience.osVersion) = ("2;3\n", "Linux", "6.1")
            audience.installation = "kitchen"
            content.audience = audience
            _ = try await content.pick()
            #expect(said.value == [reportsApp ? "23;Linux;6.1;;kitchen" : nil])
        }
    }

    @Test("A person has the same seed all day in their time zone, and their name is not in it")
    func seeds() async throws {
        let zone = try #require(TimeZone(identifier: "Pacific/Auckland"))
        let morning = try Date("2027-03-20T12:00:00Z", strategy: .iso8601)
        func seed(_ person: String, _ hours: Double) -> String {
            ContentRequest.seed(person: person, day: morning + hours * 3_600, in: zone)
        }
        #expect(seed("ada", 0) == seed("ada", 22.9) && seed("ada", 0) != seed("ada", 23.1))
        #expect(seed("ada", 0) != seed("grace", 0) && !seed("ada", 0).contains("ada"))
        #expect(seed("ada", 0) == "\(ContentRequest.hash("1-2027-3-21 ada"))")
        let (folder, time) = (try CacheFolder(), TestTime())
        let content = content(StaticContentSource((0..<30).map { chibi("i\($0)") }, time), folder.cache(time), time)
        let picks = try await [
            content.pick(count: 3, seed: seed("ada", 0)), content.pick(count: 3, seed: seed("ada", 9)),
        ]
        #expect(picks[0].items == picks[1].items && picks[0].items.count == 3)
        #expect(try await content.pick(count: 3, seed: seed("ada", 24)).items != picks[0].items)
    }

    @Test("Items with more weight are picked more often, and collections are filtered before the limit")
    func weights() async throws {
        var items = (0..<10).map { chibi("i\($0)", collection: $0 < 5 ? "cats" : "dogs") }
        items[0]["weight"] = 20
        let (folder, time) = (try CacheFolder(), TestTime())
        let content = content(StaticContentSource(items, time), folder.cache(time), time)
        var count = 0
        for seed in 0..<200 {
            let id = try await content.pick(seed: "\(seed)", in: ["cats"]).items[0].id
            #expect(["i0", "i1", "i2", "i3", "i4"].contains(id))
            if id == "i0" { count += 1 }
        }
        #expect((150...185).contains(count), "of 200 it is 167 on average: \(count)")
    }

    @Test("An item is decoded as the app's type; a failure names what is missing")
    func decoded() throws {
        struct Chibi: Decodable, Equatable {
            var id: String, title: String, publishedAt: Date, weight: Double?, tags: [String], data: Data
            var thumbnail: ContentFile
        }
        var item = chibi("a", files: ["thumbnail": 40])
        (item["tags"], item["data"], item["weight"]) = (.list(["x", "y"]), .bytes(Data([1, 2])), 3)
        let read = try item.decoded(as: Chibi.self)
        #expect(read.id == "a" && read.tags == ["x", "y"] && read.data == Data([1, 2]) && read.weight == 3)
        #expect(read.publishedAt == TestTime.start - 1_000 && read.thumbnail.size == 40)
        item["title"] = nil
        #expect { try item.decoded(as: Chibi.self) } throws: { ($0 as? ContentFault)?.kind == .unreadable }
    }

    @Test("A withdrawn item is removed from the cache by the next request for the newest")
    func withdrawn() async throws {
        let (folder, time) = (try CacheFolder(), TestTime())
        let source = StaticContentSource((0..<6).map { chibi("i\($0)", start: -Double($0) - 1) }, time)
        let content = content(source, folder.cache(time), time)
        _ = try await content.newest(count: 6)
        source.items.removeAll { ["i1", "i5"].contains($0.id) }
        _ = try await content.newest(count: 3)
        source.fail(with: Self.down)
        // i5 is older than everything that was requested.
        #expect(try await content.newest().items.map(\.id) == ["i0", "i2", "i3", "i4", "i5"])
        source.fail(with: nil)
        _ = try await content.newest(count: 6)
        source.fail(with: Self.down)
        #expect(try await content.newest().items.map(\.id) == ["i0", "i2", "i3", "i4"])
    }
}

enum PublishedContentTests {
    /// The same in another process: only the folder is shared.
    static func again(_ content: PublishedContent, _ folder: CacheFolder, _ time: TestTime) -> PublishedContent {
        PublishedContent(
            .chibi, content.source, folder.cache(content.cache.maxBytes, time), content.audience, content.mode,
            clock: time.clock)
    }
}
