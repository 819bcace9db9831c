import Foundation
import NephosTesting
import Testing

@testable import PublishedContent

/// docs/published-content.md, "The cache".
@Suite("The cache that an app shares with its widget") struct CacheTests {
    private static func key(_ number: Int) -> CacheKey { .note("test", "here", "\(number)") }

    private static func data(_ number: Int, _ count: Int) -> Data {
        Data(repeating: UInt8(truncatingIfNeeded: number), count: count)
    }

    @Test(
        "Whatever two processes cache and read, the cap is never exceeded, and data is read as it was written (S0-58)",
        arguments: Seeds.all(12))
    func cap(seed: UInt64) async throws {
        let (folder, time) = (try CacheFolder(), TestTime())
        let caches = [folder.cache(10_000, time), folder.cache(10_000, time)]
        var random = SeededGenerator(seed: seed)
        var kept: [Int: Data] = [:]
        for _ in 0..<300 {
            time.advance(1)
            let cache = caches[Int.random(in: 0..<2, using: &random)]
            let number = Int.random(in: 0..<40, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4:
                let data = Self.data(number, Int.random(in: 0...6_000, using: &random))
                try cache.write(data, Self.key(number))
                kept[number] = data
                #expect(cache.read(Self.key(number)) == data)
            case 4..<7:
                let data = Self.data(number, Int.random(in: 0...6_000, using: &random))
                let isWhole = Int.random(in: 0..<3, using: &random) > 0
                let fault = await fault {
                    _ = try await cache.adopt(Self.key(number), size: Int64(data.count)) { url throws(ContentFault) in
                        // Space is reserved before it arrives.
                        #expect(folder.bytes + Int64(data.count) <= 10_000)
                        try? (isWhole ? data : data + [1]).write(to: url)
                    }
                }
                #expect((fault == nil) == isWhole)
                if isWhole { kept[number] = data }
            case 7..<9:
                if let data = cache.read(Self.key(number)) { #expect(data == kept[number]) }
            default: try cache.remove([Self.key(number)])
            }
            #expect(folder.bytes <= 10_000 && cache.bytes == folder.bytes)
        }
        #expect(!folder.names.contains { $0.hasPrefix("hold-") || $0.hasPrefix("part-") })
    }

    @Test("Two concurrent writers never exceed the cap (S0-58)")
    func atOnce() async throws {
        let (folder, time) = (try CacheFolder(), TestTime())
        let caches = [folder.cache(5_000, time), folder.cache(5_000, time)]
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    _ = try? caches[number % 2].write(Self.data(number, 900), Self.key(number))
                    _ = try? await caches[number % 2].adopt(Self.key(number + 100), size: 700) { url in
                        try? Self.data(number, 700).write(to: url)
                    }
                    // Some may be removed by the time that they are counted.
                    #expect(caches[number % 2].bytes <= 5_000)
                }
            }
        }
        #expect(folder.bytes <= 5_000 && folder.bytes > 3_000)
    }

    @Test("The least recently used entry is removed first, and one in use stays (S0-58)")
    func order() throws {
        let (folder, time) = (try CacheFolder(), TestTime())
        let cache = folder.cache(1_000, time)
        for number in 0..<4 {
            time.advance(1)
            try cache.write(Self.data(number, 250), Self.key(number))
        }
        time.advance(1)
        _ = cache.read(Self.key(0))
        cache.pin([Self.key(1)])
        time.advance(1)
        try folder.cache(1_000, time).write(Self.data(9, 0), Self.key(9))
        try cache.write(Self.data(4, 250), Self.key(4))
        #expect((0...4).filter { cache.read(Self.key($0)) != nil } == [0, 1, 3, 4])
        cache.unpin([Self.key(1)])
        #expect(throws: ContentFault.self) { try cache.write(Self.data(5, 1_001), Self.key(5)) }
        #expect((0...4).filter { cache.read(Self.key($0)) != nil } == [0, 1, 3, 4])
    }

    @Test("An open file can be read to its end, even if it is removed meanwhile (S0-58)")
    func open() throws {
        let (folder, time) = (try CacheFolder(), TestTime())
        let (widget, app) = (folder.cache(1_000, time), folder.cache(1_000, time))
        try app.write(Self.data(1, 600), Self.key(1))
        let url = try #require(widget.file(Self.key(1), size: 600))
        let handle = try FileHandle(forReadingFrom: url)
        time.advance(1)
        try app.write(Self.data(2, 600), Self.key(2))
        #expect(widget.read(Self.key(1)) == nil)
        #expect(try handle.readToEnd() == Self.data(1, 600))
        try handle.close()
    }

    @Test("Missing, truncated and invalid entries count as absent, and are written anew")
    func broken() async throws {
        let (folder, time) = (try CacheFolder(), TestTime())
        let cache = folder.cache(100_000, time)
        let source = StaticContentSource([chibi("a", files: ["thumbnail": 40]), chibi("b")], time)
        let content = content(source, cache, time)
        let item = try #require(try await content.newest().items.last { $0.id == "a" })
        let file = try await content.file("thumbnail", of: item)
        for name in folder.names where name != ".lock" {
            try Data("{".utf8).write(to: folder.url.appending(path: name))
        }
        try Data("no entry".utf8).write(to: folder.url.appending(path: "something"))
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "folder"), withIntermediateDirectories: true)
        source.fail(with: ContentFault(.unreachable, "down"))
        #expect(await fault { _ = try await content.newest() }?.kind == .unreachable)
        source.fail(with: nil)
        #expect(try await content.newest().items.count == 2)
        #expect(try await content.file("thumbnail", of: item) == file)
        #expect(try Data(contentsOf: file).count == 40)
        try FileManager.default.removeItem(at: folder.url)
        #expect(try await content.file("thumbnail", of: item) == file)
    }

    @Test("Space reserved by a process that died is free after an hour")
    func died() async throws {
        let (folder, time) = (try CacheFolder(), TestTime())
        let cache = folder.cache(1_000, time)
        try cache.write(Self.data(1, 10), Self.key(1))
        let hold = try CacheEntries(folder.url, time.now).hold(900, time.now)
        try Self.data(2, 800).write(to: folder.url.appending(path: hold.part))
        #expect(cache.bytes == 910)
        #expect(throws: ContentFault.self) { try cache.write(Self.data(3, 200), Self.key(3)) }
        time.advance(3_601)
        try cache.write(Self.data(3, 200), Self.key(3))
        #expect(folder.names.count == 3)
        try cache.removeAll()
        #expect(folder.names == [".lock"])
    }

    @Test("Without a writable cache responses still work, and the problem is reported")
    func nowhere() async throws {
        let (folder, time) = (try CacheFolder(), TestTime())
        // A file is not a folder.
        try Data().write(to: URL(fileURLWithPath: folder.folder.path).appending(path: "inner"))
        let source = StaticContentSource([chibi("a", files: ["thumbnail": 40])], time)
        let content = content(source, folder.cache(1_000, time), time)
        #expect(try await content.newest().items.map(\.id) == ["a"])
        #expect(content.cacheProblem?.kind == .notStored)
        #expect(await fault { _ = try await content.file("thumbnail", of: source.items[0]) }?.kind == .notStored)
    }
}
