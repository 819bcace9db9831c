import CloudKit
import Foundation
import KitTesting
import NephosTesting
import NephosTransport
import PublishedContentCloudKit
import RequestTesting
import Testing

@testable import NephosKit
@testable import PublishedContent

/// docs/published-content.md, "CloudKit": plain public records, on a server that does not treat them as content.
@Suite("Content through Apple's API alone") struct CloudKitTests {
    private func content(
        _ cloud: PublishingCloud, _ person: PublishingCloud.Person = .nobody, audiences: String? = nil
    ) throws -> PublishedContent {
        let source = CloudContentSource(
            container: try cloud.container(person), audiences: audiences, now: { cloud.time.now })
        return PublishedContent(
            .chibi, source, cloud.folder.cache(cloud.time), ContentAudience(), clock: cloud.time.clock)
    }

    @Test("Records are selected in the app by their times, languages, versions and collections")
    func chosen() async throws {
        let cloud = try await PublishingCloud(isContent: false)
        try await cloud.save("plain", [#""weight":{"value":3}"#, #""place":{"value":{"latitude":1.5,"longitude":2}}"#])
        try await cloud.save("draft", start: nil)
        try await cloud.save("early", start: 500)
        try await cloud.save("ended", [#""until":{"value":\#(cloud.now),"type":"TIMESTAMP"}"#])
        try await cloud.save("spanish", start: -50, [#""audience":{"value":"{\"locale\":[\"es\"]}"}"#])
        try await cloud.save("new", start: -40, [#""audience":{"value":"new"},"collection":{"value":"cats"}"#])
        try await cloud.save("own", start: -30, [#""access":{"value":["signedIn"]}"#])
        try await cloud.save("testers", start: -20, [#""access":{"value":["role:Testers"]}"#])
        let content = try content(cloud, audiences: #"{"new":{"app":">=3"}}"#)
        let answer = try await content.newest()
        #expect(answer.items.map(\.id) == ["plain"] && answer.eligible == 1 && answer.unreadable == 0)
        #expect(answer.items[0]["weight"] == 3 && answer.items[0]["title"]?.string == "A chibi")
        #expect(answer.items[0]["place"] == .location(latitude: 1.5, longitude: 2))
        (content.audience.locale, content.audience.appVersion) = ("es-MX", "3.1")
        #expect(try await content.newest().items.map(\.id) == ["new", "spanish", "plain"])
        #expect(try await content.pick(count: 5, in: ["cats"]).items.map(\.id) == ["new"])
        let nothing = try await content.pick(in: ["dogs"])
        #expect(nothing.nothingFits && nothing.why?.count == 0)
        let ada = try self.content(cloud, .ada, audiences: #"{"new":{"app":">=3"}}"#)
        #expect(try await ada.newest().items.map(\.id) == ["own", "plain"])
        var shown: [String] = []
        for _ in 0..<3 { shown += try await content.next().items.map(\.id) }
        #expect(Set(shown) == ["new", "spanish", "plain"])
        cloud.transport.setDown(true)
        #expect(try await content.newest().isFromCache)
    }

    @Test("The server's content service and the app itself give the same results for the same records")
    func alike() async throws {
        let cloud = try await PublishingCloud()
        for number in 0..<12 {
            try await cloud.save(
                "i\(number)", start: -Double(number) * 100,
                [#""audience":{"value":"{\"locale\":[\"\#(["es", "de", "en"][number % 3])\"]}"}"#])
        }
        for locale in ["es-MX", "de", "fr"] {
            let contents = [cloud.content(), try content(cloud)]
            var found: [[String]] = []
            for content in contents {
                content.audience.locale = locale
                let answer = try await content.newest(count: 3)
                found.append(answer.items.map(\.id) + ["\(answer.eligible == 0)", "\(answer.why?.locale ?? 0)"])
            }
            #expect(found[0] == found[1])
        }
    }

    @Test("Records that cannot be read count toward the limit of those that are examined")
    func unreadable() async throws {
        let fields = #"{"publishedAt":{"value":"x","type":"TIMESTAMP"}}"#
        let record = #"{"recordName":"a","recordType":"Chibi","fields":\#(fields)}"#
        let page = Array(repeating: record, count: 200).joined(separator: ",")
        let requests = LockedBox(0)
        let transport = ClosureTransport { _ throws(TransportFault) in
            let number = requests.withLock { count in
                count += 1
                return count
            }
            guard number < 100 else { throw TransportFault(kind: .lost, message: "there is no end") }
            let body = #"{"records":[\#(page)],"continuationMarker":"\#(number)"}"#
            return TransportAnswer(status: 200, body: Data(body.utf8))
        }
        let settings = NephosConfiguration(serverURL: URL(string: "http://cloud.test"))
        let service = Service(container: "iCloud.test", configuration: .success(settings), transport: transport)
        let container = CKContainer(ContainerCore(service), OperationDefaults())
        let source = CloudContentSource(container: container, audiences: nil, now: { TestTime.start })
        guard case .answer(let answer) = try await source.fetch(ContentRequest(.chibi)) else {
            Issue.record("there is no answer")
            return
        }
        #expect(answer.items.isEmpty && answer.unreadable == 2_000 && requests.value == 10, "\(requests.value)")
    }

    @Test("Files are fetched as CKAsset, and again after the system removed them")
    func files() async throws {
        let cloud = try await PublishingCloud(isContent: false)
        try await cloud.save("a", files: ["thumbnail": Array("small".utf8), "drawing": Array("a drawing".utf8)])
        let content = try content(cloud)
        let report = try await content.prefetch(count: 5, maxBytes: 100_000)
        #expect(report.files == 2 && report.items.count == 1, "\(report)")
        let item = try #require(report.items.first)
        #expect(try await String(contentsOf: content.file("thumbnail", of: item), encoding: .utf8) == "small")
        try content.cache.removeAll()
        var kept = item
        kept["drawing"] = item["drawing"]?.kept
        #expect(try await String(contentsOf: content.file("drawing", of: kept), encoding: .utf8) == "a drawing")
        try content.cache.removeAll()
        try await cloud.save("a", files: ["drawing": Array("different".utf8)])
        #expect(await fault { _ = try await content.file("drawing", of: kept) }?.kind == .notFound)
    }

    @Test("A person who can write a record publishes it, and others are rejected")
    func published() async throws {
        let cloud = try await PublishingCloud(isContent: false)
        try await cloud.save("ghost", start: nil)
        var form = PublishForm()
        (form.minimumVersion, form.end) = ("2", cloud.time.now + 1_000)
        for person in [PublishingCloud.Person.nobody, .ada] {
            let other = try content(cloud, person)
            let fault = await fault { try await other.publish("ghost", form) }
            #expect(
                fault?.kind == .notAllowed && fault?.message.contains("role") ?? false, "\(String(describing: fault))")
        }
        let admin = try content(cloud, .grace)
        #expect(try await admin.newest().nothingFits)
        try await admin.publish("ghost", form)
        admin.audience.appVersion = "2.1"
        let item = try #require(try await admin.newest().items.first)
        #expect(item["audience"]?.string == #"{"app":">=2"}"# && item["until"]?.date == form.end)
        try await admin.withdraw("ghost")
        #expect(try await admin.newest().nothingFits)
        #expect(await fault { try await admin.publish("absent") }?.kind == .notAllowed)
    }
}
