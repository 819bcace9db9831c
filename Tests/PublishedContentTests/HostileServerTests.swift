import Foundation
import KitTesting
import NephosTesting
import NephosTransport
import Testing

@testable import PublishedContent

/// docs/client.md, "What is accepted from a server".
@Suite("Content of a hostile server") struct HostileServerTests {
    private static let good: JSON = [
        "records": [
            [
                "recordName": "a", "recordType": "Chibi", "recordChangeTag": "1",
                "fields": [
                    "title": ["value": "t", "type": "STRING"], "count": ["value": 7, "type": "INT64"],
                    "size": ["value": 0.5, "type": "DOUBLE"], "at": ["value": 1_700_000_000_000, "type": "TIMESTAMP"],
                    "bytes": ["value": "AAEC", "type": "BYTES"], "tags": ["value": ["x"], "type": "STRING_LIST"],
                    "place": ["value": ["latitude": 1, "longitude": 2], "type": "LOCATION"],
                    "to": ["value": ["recordName": "b"], "type": "REFERENCE"],
                    "file": [
                        "value": ["fileChecksum": "c", "size": 5, "downloadURL": "https://files.test/${f}"],
                        "type": "ASSETID",
                    ],
                ],
            ]
        ],
        "eligible": 1, "changesAt": 1_700_000_000_000, "after": "x", "why": ["early": 1],
    ]

    private func source(
        _ body: String, server: String = "https://cloud.test",
        file: @escaping @Sendable (TransportRequest) -> TransportAnswer = { _ in TransportAnswer(status: 200) }
    ) throws -> HTTPContentSource {
        let transport = ClosureTransport { request in
            if case .file = request.sink { return file(request) }
            return TransportAnswer(status: 200, headers: ["etag": body], body: Data(body.utf8))
        }
        return HTTPContentSource(
            server: try #require(URL(string: server)), container: "c", environment: "production",
            credentials: .init(token: "t"), transport: transport)
    }

    @Test("Whatever a server responds, there is an answer or a fault, and no file leaves the folder of the cache")
    func hostile() async throws {
        let folder = try TemporaryFolder()
        let cache = ContentCache(folder: URL(fileURLWithPath: "\(folder.path)/cache"), maxBytes: 1 << 20)
        for body in HostileBodies.all(insteadOf: Self.good) {
            let source = try source(body) { request in
                if case .file(let url, _) = request.sink { try? Data("hello".utf8).write(to: url) }
                return TransportAnswer(status: 200)
            }
            do throws(ContentFault) {
                guard case .answer(let answer) = try await source.fetch(ContentRequest(ContentType("Chibi"))) else {
                    continue
                }
                for item in answer.items {
                    guard let file = item["file"]?.file else { continue }
                    #expect(file.url == nil || ["http", "https"].contains(file.url?.scheme), "\(body.prefix(300))")
                    let key = CacheKey.file(source.name, item, "file", file)
                    _ = try? await cache.adopt(key, size: file.size) { url throws(ContentFault) in
                        try await source.download("file", of: item, to: url, bytesMax: 100)
                    }
                    _ = try? cache.write(Data("x".utf8), CacheKey.item(source.name, item.type, item.id))
                }
            } catch {
                #expect(error.kind == .unreadable, "\(body.prefix(300))")
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["cache"])
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/cache")
        #expect(names.allSatisfy { $0.hasPrefix("file-") || $0.hasPrefix("item-") || $0 == ".lock" }, "\(names)")
        #expect(names.contains { $0.hasPrefix("file-") } && names.contains { $0.hasPrefix("item-") }, "\(names)")
    }

    @Test("More records than were requested, or more elements of lists than the limit, are an error")
    func limits() async throws {
        func record(_ count: Int) -> String {
            let list = Array(repeating: "\"\"", count: count).joined(separator: ",")
            return #"{"recordName":"a","recordType":"Chibi","fields":{"f":{"value":[\#(list)],"type":"STRING_LIST"}}}"#
        }
        func answer(_ records: String...) async throws(ContentFault) -> ContentAnswer? {
            let body = #"{"records":[\#(records.joined(separator: ","))]}"#
            guard let source = try? source(body),
                case .answer(let answer) = try await source.fetch(ContentRequest(.chibi, count: 2))
            else { return nil }
            return answer
        }
        #expect(try await answer(record(0), record(0))?.items.count == 2)
        #expect(await fault { _ = try await answer(record(0), record(0), record(0)) }?.kind == .unreadable)
        let many = try #require(try await answer(record(999_999), record(2)))
        #expect(many.items.count == 1 && many.unreadable == 1)
        #expect(try await answer(record(999_999), record(1))?.items.count == 2)
    }

    @Test("A tag or a position that cannot be part of a request is not taken over")
    func unusableTags() async throws {
        for tag in ["a b", "a\n", "\u{1B}", "\u{E9}", String(repeating: "x", count: 257), ""] {
            let sent = LockedBox<[String?]>([])
            let transport = ClosureTransport { request throws(TransportFault) in
                sent.withLock { $0.append(request.headers["If-None-Match"]) }
                return TransportAnswer(status: 200, headers: ["etag": tag], body: Data(#"{"records":[]}"#.utf8))
            }
            let source = HTTPContentSource(
                server: try #require(URL(string: "https://cloud.test")), container: "c", environment: "production",
                credentials: .init(token: "t"), transport: transport)
            let (folder, time) = (try CacheFolder(), TestTime())
            let content = content(source, folder.cache(time), time)
            for _ in 0..<2 { #expect(try await content.newest().tag == nil) }
            var request = ContentRequest(.chibi)
            request.tag = tag
            _ = try await source.fetch(request)
            #expect(sent.value == [nil, nil, nil])
        }
        for (length, isTaken) in [(4_096, true), (4_097, false)] {
            let source = try source(#"{"records":[],"after":"\#(String(repeating: "x", count: length))"}"#)
            let fault = await fault { _ = try await source.fetch(ContentRequest(.chibi)) }
            #expect((fault == nil) == isTaken && (isTaken || fault?.kind == .unreadable))
        }
    }

    /// The server's pages always announce another one.
    @Test("A page without items, and one that leads to its own position, end a prefetch", arguments: [(0, 1), (1, 2)])
    func endlessPages(items: Int, requests: Int) async throws {
        let item = #"{"recordName":"a","recordType":"Chibi","fields":{}}"#
        let body = #"{"records":[\#(items == 0 ? "" : item)],"after":"x"}"#
        let count = LockedBox(0)
        let transport = ClosureTransport { _ throws(TransportFault) in
            let number = count.withLock { count in
                count += 1
                return count
            }
            guard number < 100 else { throw TransportFault(kind: .lost, message: "there is no end") }
            return TransportAnswer(status: 200, body: Data(body.utf8))
        }
        let source = HTTPContentSource(
            server: try #require(URL(string: "https://cloud.test")), container: "c", environment: "production",
            credentials: .init(token: "t"), transport: transport)
        let (folder, time) = (try CacheFolder(), TestTime())
        let report = try await content(source, folder.cache(time), time).prefetch(count: 50, maxBytes: 1 << 20)
        #expect(count.value == requests && report.fault == nil, "\(count.value)")
    }

    @Test("A server at https cannot have a file fetched by http, nor one of the device")
    func addresses() async throws {
        for (address, server, isFetched) in [
            ("https://files.test/x", "https://cloud.test", true), ("http://files.test/x", "https://cloud.test", false),
            ("http://files.test/x", "http://cloud.test", true), ("file:///etc/passwd", "http://cloud.test", false),
        ] {
            var body = Self.good
            let place: [JSON.Step] = [
                .member("records"), .element(0), .member("fields"), .member("file"), .member("value"),
            ]
            body[at: place + [.member("downloadURL")]] = .string(address)
            let fetched = LockedBox(false)
            let source = try source(body.description, server: server) { _ in
                fetched.withLock { $0 = true }
                return TransportAnswer(status: 200)
            }
            guard case .answer(let answer) = try await source.fetch(ContentRequest(ContentType("Chibi"))),
                let item = answer.items.first
            else {
                Issue.record("there is no item")
                continue
            }
            let folder = try TemporaryFolder()
            let file = URL(fileURLWithPath: "\(folder.path)/file")
            do { try await source.download("file", of: item, to: file, bytesMax: 100) } catch { #expect(!isFetched) }
            #expect(fetched.value == isFetched, "\(address)")
        }
    }
}
