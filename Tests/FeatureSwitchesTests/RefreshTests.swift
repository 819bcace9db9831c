import FeatureSwitches
import Foundation
import NephosTesting
import Testing

/// docs/switches.md, "Refreshing".
@Suite("Refreshing switches") struct RefreshTests {
    private let clock = ManualClock()
    private let provider = MockProvider(["tipJar": true])

    private func switches(polling: Duration = .seconds(900)) -> FeatureSwitches {
        FeatureSwitches(provider, [FeatureFlag.tipJar], file: nil, polling: polling, clock: clock.clock)
    }

    /// Waits until `body` holds, checking it after each change.
    private func until(_ switches: FeatureSwitches, _ body: () -> Bool) async {
        let updates = switches.updates
        if body() { return }
        for await _ in updates where body() { return }
    }

    @Test("A failed refresh keeps the values, is visible, and is retried with growing delays (S0-67)")
    func failures() async {
        let switches = switches()
        await switches.refresh()
        #expect(switches.isFeatureEnabled(.tipJar))
        provider.fail(with: FlagFault(.unreachable, "no network"))
        switches.start()
        for (count, seconds) in zip(1..., [5.0, 10, 20, 40, 80, 160, 320, 600, 600]) {
            await clock.waiting()
            #expect(switches.isFeatureEnabled(.tipJar))
            let failure = switches.state.failure
            #expect(failure?.fault.message == "no network" && failure?.count == count && failure?.date == clock.now)
            #expect(clock.waits == [seconds])
            #expect(switches.state.nextRefresh == clock.now.addingTimeInterval(seconds))
            clock.passShortest()
        }
        await clock.waiting()
        provider.fail(with: nil)
        provider.setValue(false, of: "tipJar")
        clock.passShortest()
        await until(switches) { !switches.isFeatureEnabled(.tipJar) && switches.state.nextRefresh != nil }
        #expect(switches.state.failure == nil)
        switches.stop()
    }

    @Test("A server's Retry-After is respected")
    func retryAfter() async {
        let switches = switches()
        provider.fail(with: FlagFault(.refused, "busy", retryAfter: .seconds(77)))
        switches.start()
        await clock.waiting()
        #expect(clock.waits == [77])
        switches.stop()
    }

    @Test("After launch flags are refreshed periodically, until stopped")
    func polling() async {
        let switches = switches(polling: .seconds(100))
        switches.start()
        switches.start()
        await clock.waiting()
        #expect(provider.questions.count == 1)
        // With a random jitter of up to 10 %.
        #expect(clock.waits == [110])
        clock.passShortest()
        await clock.waiting()
        #expect(provider.questions.count == 2)
        switches.stop()
        #expect(switches.state.nextRefresh == nil)
        #expect(clock.waits.isEmpty)
    }

    @Test("An announced change is fetched immediately")
    func told() async {
        let switches = switches()
        switches.start()
        await until(switches) { switches.isFeatureEnabled(.tipJar) && switches.state.nextRefresh != nil }
        provider.set(.tipJar, to: false)
        await until(switches) { !switches.isFeatureEnabled(.tipJar) }
        #expect(switches.state.isStreaming)
        switches.stop()
        #expect(!switches.state.isStreaming)
    }

    @Test("A refresh is scheduled for the time when a flag changes")
    func nextChange() async {
        let now = clock.now
        let provider = ScriptedProvider { _ in
            .success(.values(FlagValues([], nextChange: now.addingTimeInterval(30))))
        }
        let switches = FeatureSwitches(provider, file: nil, clock: clock.clock)
        switches.start()
        await clock.waiting()
        #expect(clock.waits == [31])
        switches.stop()
    }

    @Test("A flag whose next change is always near causes a refresh every ten seconds at most")
    func nearChange() async {
        let clock = clock
        let provider = ScriptedProvider { _ in
            .success(.values(FlagValues([], nextChange: clock.now.addingTimeInterval(0.001))))
        }
        let switches = FeatureSwitches(provider, file: nil, clock: clock.clock)
        switches.start()
        for _ in 0..<3 {
            await clock.waiting()
            #expect(clock.waits == [10])
            clock.passShortest()
        }
        switches.stop()
    }

    @Test("Concurrent calls share the next request, and see what was true when they were made")
    func shared() async {
        let gate = AsyncStream<Void>.makeStream()
        let asked = AsyncStream<Void>.makeStream()
        let provider = ScriptedProvider { _ in
            asked.continuation.yield()
            for await _ in gate.stream { break }
            return .success(.values(FlagValues([])))
        }
        let switches = FeatureSwitches(provider, file: nil, clock: clock.clock)
        let first = Task { await switches.refresh() }
        for await _ in asked.stream { break }
        let others = (0..<20).map { _ in Task { await switches.refresh() } }
        // Each task has arrived once its first step is done.
        for _ in 0..<100 { await Task.yield() }
        gate.continuation.yield()
        _ = await first.value
        gate.continuation.yield()
        gate.continuation.finish()
        for other in others { _ = await other.value }
        #expect((2...3).contains(provider.questions.count), "\(provider.questions.count)")
    }

    @Test("A response for a previous person is dropped")
    func otherContext() async {
        let gate = AsyncStream<Void>.makeStream()
        let asked = AsyncStream<Void>.makeStream()
        let provider = ScriptedProvider { question in
            asked.continuation.yield()
            if question.context.country == nil { for await _ in gate.stream { break } }
            return .success(
                .values(FlagValues([FlagAnswer(id: "tipJar", value: .bool(question.context.country == nil))])))
        }
        let switches = FeatureSwitches(provider, file: nil, clock: clock.clock)
        let first = Task { await switches.refresh() }
        for await _ in asked.stream { break }
        var context = FlagContext()
        context.country = "MX"
        let next = Task { [context] in await switches.setContext(context) }
        await until(switches) { switches.context.country == "MX" }
        gate.continuation.yield()
        _ = await first.value
        #expect(!switches.isFeatureEnabled(.tipJar))
        _ = await next.value
        #expect(provider.questions.last?.context.country == "MX")
    }

    @Test("Released switches stop refreshing")
    func released() async {
        var switches: FeatureSwitches? = switches()
        weak let released = switches
        switches?.start()
        await clock.waiting()
        switches = nil
        #expect(released == nil)
        #expect(clock.waits.isEmpty)
    }
}

/// A provider with answers written by a test.
final class ScriptedProvider: FlagProvider {
    let source = "script"
    private let script: @Sendable (FlagQuestion) async -> Result<FlagFetch, FlagFault>
    private let seen = LockedBox<[FlagQuestion]>([])

    init(_ script: @escaping @Sendable (FlagQuestion) async -> Result<FlagFetch, FlagFault>) { self.script = script }

    var questions: [FlagQuestion] { seen.value }

    func fetch(_ question: FlagQuestion) async throws(FlagFault) -> FlagFetch {
        seen.withLock { $0.append(question) }
        return try await script(question).get()
    }
}
