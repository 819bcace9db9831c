import Foundation
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

@testable import NephosTrends

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// docs/trends.md, "Pictures".
@Suite("Trends as charts") struct PictureTests {
    /// The texts of the elements with a name; fails for invalid XML.
    private final class Texts: NSObject, XMLParserDelegate {
        private var path: [String] = []
        private(set) var texts: [String: [String]] = [:]

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            path.append(name)
            texts[name, default: []].append("")
        }

        func parser(_ parser: XMLParser, foundCharacters string: String) {
            guard let name = path.last, let place = texts[name]?.indices.last else { return }
            texts[name]?[place] += string
        }

        func parser(_ parser: XMLParser, didEndElement: String, namespaceURI: String?, qualifiedName: String?) {
            path.removeLast()
        }
    }

    private func read(_ svg: [UInt8]) throws -> [String: [String]] {
        let (parser, reader) = (XMLParser(data: Data(svg)), Texts())
        parser.delegate = reader
        #expect(parser.parse(), "\(String(decoding: svg, as: UTF8.self))")
        return reader.texts
    }

    @Test(
        "A series is returned as a chart with title and description: bars of new records or of the difference, or a line"
    )
    func one() async throws {
        let own = try await TrendCloud()
        #expect(try own.modify([TrendCloud.save("Post", "a"), TrendCloud.save("Post", "b")]) == ["", ""])
        own.now += 86_400_000
        #expect(try own.modify([TrendCloud.delete("a")]) == [""])
        let titles = [
            "created": "New records of Post by day", "net": "Change of Post by day",
            "live": "Records of Post at the end of each day",
        ]
        for (view, title) in titles {
            let answer = try own.cloud.ask(
                "GET", "\(TrendCloud.path)/series?type=Post&view=\(view)", headers: [("Accept", "image/svg+xml")],
                as: .key)
            #expect(answer.contentType == "image/svg+xml; charset=utf-8")
            #expect(answer.header("Content-Security-Policy")?.hasPrefix("default-src 'none'") == true)
            let texts = try read(answer.body)
            #expect(texts["title"]?.first == title)
            #expect(texts["desc"]?.first?.contains("2026-01-01 to 2026-01-02 so far") == true)
            #expect(try own.series("type=Post&form=svg&view=\(view)").body == answer.body)
        }
        let net = try read(try own.series("type=Post&form=svg&view=net").body)
        #expect(net["title"]?.contains("2026-01-02 so far: \u{2212}1") == true, "\(net["title"] ?? [])")
    }

    @Test("Several types are one image with a chart each")
    func several() async throws {
        let own = try await TrendCloud()
        let texts = try read(try own.series("form=svg&by=week").body)
        #expect(texts["svg"]?.count == 1 && texts["style"]?.count == 1)
        let titles = texts["title"] ?? []
        #expect(titles.first == "Trends by week")
        for type in ["Note", "Post", "Users"] { #expect(titles.contains("New records of \(type) by week")) }
        try await own.set(#"{"types":["Gone"]}"#)
        #expect(try read(try own.series("form=svg").body)["text"]?.contains("No data") == true)
    }

    @Test("The page gets figures, totals and charts of the same moment, for the last periods")
    func page() async throws {
        let own = try await TrendCloud()
        #expect(try own.modify([TrendCloud.save("Post", "a")]) == [""])
        own.now += 40 * 86_400_000
        #expect(try own.modify([TrendCloud.save("Post", "b"), TrendCloud.delete("a")]) == ["", ""])
        for (form, first) in [("sparklines", "Post"), ("charts", "Post")] {
            let answer = try JSON(reading: own.series("type=Post&form=\(form)&last=30&id=c1").body)
            #expect(answer["starts"].elements.count == 30 && answer["starts"][29].string == "2026-02-10")
            #expect(answer["partial"].bool == true && answer["by"].string == "day")
            let series = answer["series"][0]
            #expect(series["type"].string == first && series["first"].string == "2026-01-01")
            #expect(series["total"]["created"].int64 == 2 && series["total"]["live"].int64 == 1)
            #expect(series["created"].elements.count == 30 && series["live"][28].int64 == 1)
            let svg = try #require(series["svg"].string)
            #expect(svg.contains("id=\"chart-c1-0-title\"") && !svg.contains("<style"))
            _ = try read(Array(svg.utf8))
        }
        let months = try JSON(reading: own.series("type=Post&form=charts&last=2&by=month&until=2026-01-31").body)
        #expect(months["starts"].elements.compactMap(\.string) == ["2025-12-01", "2026-01-01"])
        #expect(months["partial"].bool == nil)
        // A young type has a few empty periods at most.
        let young = try JSON(reading: own.series("type=Post&form=charts&last=24&by=month").body)
        #expect(young["starts"].elements.count == 8 && young["starts"][7].string == "2026-02-01")
        #expect(young["series"][0]["created"].elements.compactMap(\.int64) == [0, 0, 0, 0, 0, 0, 1, 1])
    }

    @Test("Period names on the axis are as short as possible while distinct")
    func labels() async throws {
        let own = try await TrendCloud()
        #expect(try own.modify([TrendCloud.save("Post", "a")]) == [""])
        own.now += 400 * 86_400_000
        func texts(_ query: String) throws -> [String] {
            try read(try own.series("type=Post&form=svg&\(query)").body)["text"] ?? []
        }
        #expect(try texts("since=2027-01-20").contains("4 Feb"))
        #expect(try texts("by=month").contains { $0.hasSuffix(" 2027") })
        #expect(try texts("by=year").contains("2027"))
        #expect(try texts("by=week&since=2026-12-01").contains { $0.hasPrefix("2027-0") })
    }

    @Test(
        "Values of a field are parts of one chart; those without a color of their own are combined, and no value is lost"
    )
    func split() async throws {
        let own = try await TrendCloud()
        try await own.set(
            #"{"splits":[{"type":"Post","field":"version"}],"lists":[{"type":"Post","field":"names","of":"all"},{"type":"Post","field":"names"}]}"#
        )
        func save(_ values: [String]) throws {
            let saves = values.map { value in
                let fields = value.isEmpty ? "" : #""version":{"value":"\#(value)"},"names":{"value":["a"]}"#
                return TrendCloud.save("Post", "p-\(value.prefix(9))", fields: fields)
            }
            #expect(try own.modify(saves).allSatisfy { $0.isEmpty })
        }
        func shown(_ query: String) throws -> [String] {
            let answer = try own.series(query, headers: [("Accept", "image/svg+xml")])
            let texts = try read(answer.body)
            #expect(texts["svg"]?.count == 1)
            return (texts["text"] ?? []) + (texts["title"] ?? [])
        }
        try save(["1.0", "2.0", String(repeating: "x", count: 65), ""])
        for view in ["created", "net", "live"] {
            let texts = try shown("type=Post&split=version&view=\(view)")
            for name in ["1.0", "2.0", "no value", "other"] { #expect(texts.contains(name), "\(view): \(texts)") }
        }
        try save((0..<14).map { "v\($0)" })
        let live = try shown("type=Post&split=version&view=live")
        #expect(live.contains("other") && live.contains("1.0"))
        let named = live.filter { $0.wholeMatch(of: /v\d+|1\.0|2\.0|no value/) != nil }
        #expect(Set(named).count == 11, "\(named)")
        // Lists that are counted in two ways are distinguished, and none of it is called a record.
        let lists = try shown("type=Post&list=names")
        #expect(
            lists.contains("Change of Post.names of all by day")
                && lists.contains("Change of Post.names of newest by day"))
        #expect(!lists.contains { $0.contains("records") })
    }

    @Test("A chart without data states that")
    func nothing() async throws {
        let own = try await TrendCloud()
        try await own.set(#"{"splits":[{"type":"Post","field":"version"}]}"#)
        let answer = try own.series("split=version", headers: [("Accept", "image/svg+xml")])
        #expect(try read(answer.body)["text"]?.contains("No data") == true)
    }

    @Test("Columns with charts name the subject of each series, like columns without")
    func subjects() async throws {
        let own = try await TrendCloud()
        try await own.set(
            #"{"splits":[{"type":"Post","field":"version"}],"lists":[{"type":"Post","field":"names","of":"all"}]}"#)
        #expect(
            try own.modify([TrendCloud.save("Post", "a", fields: #""version":{"value":"1"},"names":{"value":["a"]}"#)])
                == [""])
        for form in ["columns", "charts", "sparklines"] {
            let split = try JSON(reading: own.series("split=version&form=\(form)").body)["series"][0]
            #expect(split["split"].string == "1" && split["moved"][0].int64 == 0 && split["live"][0].int64 == 1)
            let list = try JSON(reading: own.series("list=names&form=\(form)").body)["series"][0]
            #expect(
                list["list"].string == "names" && list["of"].string == "all" && list["total"][0].int64 == 1, "\(form)")
            #expect(list["delta"][0].int64 == 1)
        }
    }
}
