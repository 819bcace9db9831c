import Foundation
import KitTesting
import NephosTesting
import NephosTransport
import RequestTesting
import Testing

@testable import PublishedContent

/// docs/published-content.md, against a server in this process.
@Suite("Content at a server") struct ServerTests {
    @Test("Picked and listed items have their fields, counts and times, and nothing is sent twice (S0-58)")
    func asked() async throws {
        let cloud = try await PublishingCloud()
        try await cloud.save(
            "a",
            [
                #""weight":{"value":3}"#, #""place":{"value":{"latitude":1.5,"longitude":2}}"#,
                #""data":{"value":"AQI=","type":"BYTES"}"#,
            ])
        try await cloud.save("b", start: -30, [#""collection":{"value":"cats"}"#])
        try await cloud.save("soon", start: 100)
        let content = cloud.content()
        cloud.transport.forget()
        let answer = try await content.newest()
        #expect(
            answer.items.map(\.id) == ["b", "a"] && answer.eligible == 2 && answer.why == nil && answer.after == nil)
        let item = answer.items[1]
        #expect(item["weight"] == 3 && item["place"] == .location(latitude: 1.5, longitude: 2))
        #expect(item["data"]?.bytes == Data([1, 2]) && item["title"]?.string == "A chibi" && !item.changeTag.isEmpty)
        #expect(item["publishedAt"]?.date != nil && answer.changesAt ?? .distantPast > cloud.time.now)
        #expect(try await content.newest(in: ["cats"]).items.map(\.id) == ["b"])
        let again = try await content.newest()
        #expect(again.items.map(\.kept) == answer.items.map(\.kept) && !again.isFromCache)
        #expect(again.changesAt == answer.changesAt && again.eligible == 2)
        #expect(cloud.transport.paths == ["list 200", "list 200", "list 304"])
        cloud.transport.setDown(true)
        #expect(try await content.pick(count: 9).items.count == 2)
        cloud.transport.setDown(false)
        await cloud.advance(200)
        #expect(try await content.newest().items.map(\.id) == ["soon", "b", "a"])
    }

    @Test("If nothing is for the caller, the server's counts are the response")
    func why() async throws {
        let cloud = try await PublishingCloud()
        try await cloud.save("early", start: 500)
        try await cloud.save("spanish", [#""audience":{"value":"{\"locale\":[\"es\"]}"}"#])
        try await cloud.save("new", [#""audience":{"value":"{\"app\":\">=2.3\"}"}"#])
        try await cloud.save("own", [#""access":{"value":["signedIn"]}"#])
        let content = cloud.content()
        (content.audience.locale, content.audience.appVersion) = ("de", "2.2")
        let answer = try await content.pick()
        var why = ContentWhy()
        // How many records are hidden is not for an app (docs/content.md, "Picking").
        (why.locale, why.version) = (1, 1)
        #expect(answer.nothingFits && answer.why == why && !answer.isFromCache, "\(answer)")
        content.audience.locale = "es-MX"
        #expect(try await content.pick().items.map(\.id) == ["spanish"])
        #expect(try await cloud.content(.ada).newest().items.map(\.id) == ["own"])
    }

    @Test("Going through the server's content shows all items before any repeats")
    func rounds() async throws {
        let cloud = try await PublishingCloud()
        for number in 0..<7 { try await cloud.save("i\(number)") }
        var shown: [String] = []
        for _ in 0..<7 { shown += try await cloud.content().next().items.map(\.id) }
        #expect(Set(shown).count == 7 && shown.count == 7, "\(shown)")
        let seeded = try await [cloud.content().pick(count: 3, seed: "x"), cloud.content().pick(count: 3, seed: "x")]
        #expect(seeded[0].items.map(\.id) == seeded[1].items.map(\.id))
    }

    @Test("Files are fetched into the cache, even if the URL from the item has expired (S0-58)")
    func files() async throws {
        let cloud = try await PublishingCloud()
        try await cloud.save("a", files: ["thumbnail": Array("small".utf8), "drawing": Array("a drawing".utf8)])
        let content = cloud.content()
        let item = try #require(try await content.newest().items.first)
        #expect(item["thumbnail"]?.file?.size == 5 && item["thumbnail"]?.file?.url != nil)
        cloud.transport.forget()
        #expect(try await String(contentsOf: content.file("thumbnail", of: item), encoding: .utf8) == "small")
        #expect(cloud.transport.paths == ["asset 200"])
        _ = try await content.file("thumbnail", of: item)
        #expect(cloud.transport.paths == ["asset 200"])
        // After five minutes another URL is requested.
        await cloud.advance(400)
        #expect(try await String(contentsOf: content.file("drawing", of: item), encoding: .utf8) == "a drawing")
        #expect(cloud.transport.paths.suffix(2) == ["records/lookup 200", "asset 200"])
        // URLs work for anyone who has them, so none is stored.
        cloud.transport.setDown(true)
        let kept = try #require(try await content.newest().items.first)
        #expect(kept["drawing"]?.file?.url == nil && kept["drawing"]?.file?.size == 9)
        cloud.transport.setDown(false)
        try content.cache.removeAll()
        #expect(try await String(contentsOf: content.file("drawing", of: kept), encoding: .utf8) == "a drawing")
        // A file that the record no longer has is not the requested one.
        try content.cache.removeAll()
        try await cloud.save("a", files: ["drawing": Array("different".utf8)])
        #expect(await fault { _ = try await content.file("drawing", of: kept) }?.kind == .notFound)
        try await cloud.delete("a")
        #expect(await fault { _ = try await content.file("thumbnail", of: kept) }?.kind == .notFound)
        #expect(!cloud.folder.names.contains { $0.hasPrefix("part-") || $0.hasPrefix("hold-") })
    }

    @Test(
        "With more content than fits, the app fetches up to the budget, and its widget shows that offline"
    )
    func budget() async throws {
        let cloud = try await PublishingCloud()
        for number in 0..<30 {
            try await cloud.save(
                "i\(number)", start: -Double(number),
                files: [
                    "thumbnail": [UInt8](repeating: 1, count: 100),
                    "drawing": [UInt8](repeating: 2, count: 900 + number),
                ])
        }
        let report = try await cloud.content().prefetch(count: 20, maxBytes: 16_000)
        #expect(report.items.count == 20 && (21..<40).contains(report.files), "\(report.files)")
        #expect(report.bytes <= 16_000 && report.bytes == cloud.folder.bytes && report.fault == nil)
        cloud.transport.setDown(true)
        let widget = cloud.content(mode: .extension)
        for _ in 0..<20 {
            let item = try #require(try await widget.next().items.first)
            #expect(try await Data(contentsOf: widget.file("thumbnail", of: item)).count == 100)
        }
    }

    @Test(
        "A member of the role publishes with a form: start, minimum version and languages; others are rejected")
    func published() async throws {
        let cloud = try await PublishingCloud()
        try await cloud.save("ghost", start: nil)
        try await cloud.save("shown", start: -5)
        let admin = cloud.content(.grace)
        var form = PublishForm()
        (form.minimumVersion, form.languages, form.end) = ("2.3", ["es"], cloud.time.now + 1_000)
        // The same build, used by a user without the role.
        for person in [PublishingCloud.Person.nobody, .ada] {
            for record in ["ghost", "shown", "absent"] {
                let other = cloud.content(person)
                let faults = await [
                    fault { try await other.publish(record) }, fault { try await other.publish(record, form) },
                    fault { try await other.withdraw(record) },
                ]
                #expect(
                    faults.allSatisfy { $0?.kind == .notAllowed && $0?.message.contains("role") ?? false }, "\(faults)")
                let secrets = [cloud.cloud.apiToken, cloud.cloud.webAuthToken]
                #expect(!faults.contains { fault in secrets.contains { fault?.message.contains($0) ?? false } })
            }
        }
        await cloud.advance(1)
        let reader = cloud.content()
        (reader.audience.locale, reader.audience.appVersion) = ("es", "2.3")
        #expect(try await reader.newest().items.map(\.id) == ["shown"])
        try await admin.publish("ghost", form)
        await cloud.advance(1)
        let found = try await reader.newest().items
        #expect(found.map(\.id) == ["ghost", "shown"])
        #expect(found[0]["audience"]?.string == #"{"app":">=2.3","locale":["es"]}"#)
        #expect(PublishForm(found[0], of: .chibi).minimumVersion == "2.3")
        reader.audience.appVersion = "2.2"
        #expect(try await reader.newest().items.map(\.id) == ["shown"])
        // For everyone, from a later time.
        var later = PublishForm()
        later.start = cloud.time.now + 50
        try await admin.publish("ghost", later)
        await cloud.advance(1)
        #expect(try await reader.newest().items.map(\.id) == ["shown"])
        await cloud.advance(60)
        #expect(try await reader.newest().items.map(\.id) == ["ghost", "shown"])
        try await admin.withdraw("ghost")
        await cloud.advance(1)
        #expect(try await reader.newest().items.map(\.id) == ["shown"])
        #expect(await fault { try await admin.publish("absent") }?.kind == .notAllowed)
        #expect(await fault { try await admin.publish("shown", until: .distantPast) } != nil)
    }

    @Test("One unreadable record hides no other")
    func unreadable() async throws {
        let body =
            #"{"records":[{"recordName":"a","recordType":"Chibi","fields":{"x":{"value":"?","type":"BYTES"}}},{"recordName":"b","recordType":"Chibi","recordChangeTag":"1","fields":{"x":{"value":[],"type":"UNKNOWN_LIST"},"y":{"value":"z","type":"NEW"}}}],"eligible":2,"changesAt":null}"#
        let (folder, time) = (try CacheFolder(), TestTime())
        let source = HTTPContentSource(
            server: URL(filePath: "/"), container: "c", environment: "production", credentials: .init(token: "t"),
            transport: ClosureTransport { _ throws(TransportFault) in
                TransportAnswer(status: 200, body: Data(body.utf8))
            })
        let answer = try await content(source, folder.cache(time), time).newest()
        #expect(answer.items.map(\.id) == ["b"] && answer.unreadable == 1 && answer.items[0].fields == ["x": .list([])])
    }

    @Test("A wrong token is rejected with advice, and no secret is disclosed")
    func token() async throws {
        let cloud = try await PublishingCloud()
        var source = cloud.source()
        source.credentials.token = "wrong"
        let content = content(source, cloud.folder.cache(cloud.time), cloud.time)
        let fault = await fault { _ = try await content.newest() }
        #expect(fault?.kind == .refused && fault?.message.contains("token") ?? false)
        #expect(!(fault?.message.contains("wrong") ?? true), "\(String(describing: fault))")
    }
}
