import Foundation
import KitSupport
import KitTesting
import NephosTesting
import NephosTransport
import Testing

@testable import PublishedContent

/// docs/published-content.md, "In a widget".
@Suite("The mode for extensions") struct ExtensionTests {
    @Test("A widget uses the cache without a request, whatever the app has stored there (S0-60)")
    func cacheFirst() async throws {
        let (folder, time) = (try CacheFolder(), TestTime())
        let items = (0..<5).map { chibi("i\($0)", start: -Double($0) - 1, files: ["thumbnail": 50]) }
        let appSource = StaticContentSource(items, time)
        let app = content(appSource, folder.cache(time), time)
        try await app.prefetch(count: 5, maxBytes: 100_000)
        let source = StaticContentSource(items, time)
        let widget = content(source, folder.cache(time), time, mode: .extension)
        let item = try #require(try await widget.next().items.first)
        let file = try await widget.file("thumbnail", of: item)
        #expect(try Data(contentsOf: file).count == 50)
        #expect(try await widget.newest(count: 3).items.map(\.id) == ["i0", "i1", "i2"])
        let answer = try await widget.pick(count: 9)
        #expect(answer.isFromCache && answer.fault == nil && answer.items.count == 5)
        #expect(source.requests.isEmpty && source.downloads.isEmpty)
        // Where nothing is cached it sends a request, once.
        let other = content(source, try CacheFolder().cache(time), time, mode: .extension)
        #expect(try await other.newest(count: 2).isFromCache == false)
        #expect(try await other.newest(count: 2).isFromCache)
        #expect(source.requests.count == 1)
    }

    @Test("A request that takes too long is canceled after two seconds, and the cache is used (S0-60)")
    func deadline() async throws {
        let folder = try CacheFolder()
        let time = TestTime(wait: { _ in })
        let source = HTTPContentSource(
            server: URL(filePath: "/"), container: "c", environment: "production", credentials: .init(token: "t"),
            transport: ClosureTransport { _ throws(TransportFault) in
                let never = TestTime()
                try? await never.clock.pause(.seconds(1))
                throw TransportFault(kind: .cancelled, message: "given up")
            })
        let widget = content(source, folder.cache(time), time, mode: .extension)
        let fault = await fault { _ = try await widget.newest() }
        #expect(fault?.kind == .unreachable && time.pauses == [.seconds(2)], "\(String(describing: fault))")
        // A canceled task throws that error, instead of reading the cache.
        let waiting = TestTime()
        let patient = content(source, folder.cache(waiting), waiting, mode: .extension)
        let task = Task { await PublishedContentTests.fault(of: patient) }
        task.cancel()
        #expect(await task.value?.kind == .cancelled)
    }

    @Test("Responses and files are limited in bytes, and files are written to the disk (S0-60)")
    func bytes() async throws {
        let (folder, time) = (try CacheFolder(), TestTime())
        let seen = LockedBox<[TransportRequest]>([])
        let source = HTTPContentSource(
            server: URL(filePath: "/"), container: "c", environment: "production", credentials: .init(token: "t"),
            transport: ClosureTransport { request throws(TransportFault) in
                seen.withLock { $0.append(request) }
                throw TransportFault(kind: .unusable, message: "too long")
            })
        let widget = content(source, folder.cache(10 << 20, time), time, mode: .extension)
        #expect(await fault { _ = try await widget.newest() }?.kind == .unreadable)
        guard case .memory(let limit)? = seen.value.first?.sink else { return #expect(Bool(false)) }
        #expect(limit == 512 << 10)
        var item = chibi("a", files: ["thumbnail": 5 << 20, "drawing": 1 << 20])
        #expect(await fault { _ = try await widget.file("thumbnail", of: item) }?.kind == .tooLarge)
        #expect(seen.value.count == 1)
        item["drawing"] = .file(ContentFile(size: 1 << 20, url: URL(string: "http://example.org/f")))
        _ = await fault { _ = try await widget.file("drawing", of: item) }
        guard case .file(let file, let most)? = seen.value.last?.sink else { return #expect(Bool(false)) }
        #expect(most == 1 << 20 && file.path.hasPrefix(folder.url.path))
        #expect(seen.value.last?.headers["Authorization"] == nil)
    }

    @Test("One request at a time, in order (S0-60)")
    func oneAtATime() async throws {
        let (folder, time) = (try CacheFolder(), TestTime())
        let running = LockedBox((now: 0, most: 0, count: 0))
        let source = HTTPContentSource(
            server: URL(filePath: "/"), container: "c", environment: "production", credentials: .init(token: "t"),
            transport: ClosureTransport { _ throws(TransportFault) in
                running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.count + 1) }
                for _ in 0..<20 { await Task.yield() }
                running.withLock { $0.now -= 1 }
                return TransportAnswer(status: 200, body: Data(#"{"records":[],"eligible":0,"why":{}}"#.utf8))
            })
        let widget = content(source, folder.cache(time), time, mode: .extension)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { _ = try? await widget.pick() } }
        }
        #expect(running.value.most == 1 && running.value.count == 8)
    }
}

extension PublishedContentTests {
    static func fault(of content: PublishedContent) async -> ContentFault? {
        do throws(ContentFault) { _ = try await content.newest() } catch { return error }
        return nil
    }
}
