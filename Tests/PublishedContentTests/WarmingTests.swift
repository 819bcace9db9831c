import Foundation
import NephosTesting
import Testing

@testable import PublishedContent

/// docs/published-content.md, "In the background".
@Suite("Prefetching in the background") struct WarmingTests {
    @Test(
        "It prefetches now and when due: when time changes the response, periodically, and soon after a failure"
    )
    func warm() async throws {
        let folder = try CacheFolder()
        let steps = LockedBox<[@Sendable () -> Void]>([])
        let time = TestTime { _ in
            guard let step = steps.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { throw CancellationError() }
            step()
        }
        let source = StaticContentSource([chibi("a"), chibi("soon", start: 600)], time)
        let content = content(source, folder.cache(time), time)
        steps.withLock {
            $0 = [
                { time.advance(601) },
                { source.fail(with: ContentFault(.unreachable, "down")) },
                {},
                { source.fail(with: ContentFault(.refused, "busy", retryAfter: .seconds(90))) },
                { source.fail(with: nil) },
            ]
        }
        let counts = LockedBox<[Int?]>([])
        await content.warm(WarmPlan(count: 10, maxBytes: 10_000, every: .seconds(1_000))) { result in
            counts.withLock { $0.append((try? result.get())?.items.count) }
        }
        #expect(counts.value == [1, 2, nil, nil, nil, 2])
        let seconds = time.pauses.map { ($0 / .milliseconds(1)).rounded() / 1_000 }
        // At random a tenth more.
        #expect(seconds == [601, 1_100, 5, 10, 90, 1_100])
        source.fail(with: ContentFault(.unreachable, "down"))
        let widget = PublishedContentTests.again(content, folder, time)
        #expect(try await widget.newest().items.count == 2)
    }

    @Test("A plan has a minimum interval")
    func storm() {
        #expect(WarmPlan(count: 1, maxBytes: 1, every: .zero).every == .seconds(10))
    }
}
