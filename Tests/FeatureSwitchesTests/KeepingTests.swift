import Audience
import FeatureSwitches
import Foundation
import KitSupport
import NephosTesting
import Testing

/// docs/switches.md, "Stored values".
@Suite("Stored values") struct KeepingTests {
    private let keeping: Keeping

    init() throws { keeping = try Keeping() }

    private func switches(_ provider: any FlagProvider) -> FeatureSwitches {
        FeatureSwitches(provider: provider, file: keeping.file)
    }

    @Test("Fetched values apply at the next start, before anything is fetched (S0-49)")
    func kept() async {
        let values: [String: FlagValue] = ["tipJar": true, "theme": "dark", "limits": ["notes": 5]]
        let first = switches(MockProvider(values))
        #expect(await first.refresh() == .changed)
        let provider = MockProvider()
        provider.fail(with: FlagFault(.unreachable, "no network"))
        let next = switches(provider)
        #expect(next.isFeatureEnabled(.tipJar) && next.value(of: Configuration.theme) == "dark")
        #expect(next.value(of: Configuration.limits) == Configuration.Limits(notes: 5))
        #expect(next.details(of: .tipJar).reason == .static)
        guard case .kept = next.state.origin else { return #expect(Bool(false), "\(next.state)") }
        await next.refresh()
        #expect(next.isFeatureEnabled(.tipJar))
    }

    @Test(
        "An invalid file counts as missing, and is reported",
        arguments: [
            "", "{", "[]", "null", #"{"version":1}"#, #"{"version":2,"source":"mock","installation":"i","flags":[]}"#,
            #"{"version":1,"source":"mock","installation":"i","date":1,"flags":[{"key":"tipJar"}]}"#, "\u{0}\u{1}",
        ])
    func damaged(text: String) async throws {
        let folder = keeping.file.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: keeping.file)
        let switches = switches(MockProvider(["tipJar": true]))
        #expect(!switches.isFeatureEnabled(.tipJar) && switches.isFeatureEnabled(.versionCheck))
        #expect(switches.state.origin == .defaults && switches.state.fileProblem != nil)
        await switches.refresh()
        #expect(switches.isFeatureEnabled(.tipJar) && switches.state.fileProblem == nil)
        #expect(self.switches(MockProvider()).isFeatureEnabled(.tipJar))
    }

    @Test("A truncated file yields defaults or all values, never some of them")
    func cut() async throws {
        await switches(MockProvider(["tipJar": true, "versionCheck": false])).refresh()
        let whole = try Data(contentsOf: keeping.file)
        for count in 0..<whole.count {
            try whole.prefix(count).write(to: keeping.file)
            let switches = switches(MockProvider())
            #expect(!switches.isFeatureEnabled(.tipJar) && switches.isFeatureEnabled(.versionCheck), "\(count)")
        }
    }

    @Test("Values of another server or container are ignored, and the installation id stays")
    func otherSource() async {
        let first = MockProvider(["tipJar": true])
        await switches(first).refresh()
        let switches = FeatureSwitches(provider: StaticProvider(["theme": "dark"]), file: keeping.file)
        #expect(!switches.isFeatureEnabled(.tipJar) && switches.state.origin == .defaults)
        #expect(switches.state.fileProblem == nil)
        await switches.refresh()
        let last = MockProvider()
        await self.switches(last).refresh()
        #expect(first.questions[0].context.targetingKey != nil)
        #expect(last.questions[0].context.targetingKey == first.questions[0].context.targetingKey)
    }

    @Test("A clock that is set beyond every range is a time like any other", arguments: [1e300, -1e300])
    func strangeClock(seconds: Double) async throws {
        let now = Date(timeIntervalSince1970: seconds)
        let clock = RefreshClock(now: { now }, pause: { try await Task.sleep(for: $0) }, chance: { 1 })
        let first = FeatureSwitches(MockProvider(["tipJar": true]), file: keeping.file, clock: clock)
        #expect(await first.refresh() == .changed && first.state.fileProblem == nil)
        #expect(switches(MockProvider()).isFeatureEnabled(.tipJar))
        let flags = try LocalFlags([], audiences: nil, now: now)
        #expect(try flags.values(for: FlagContext(), now: now) { _ in }.answers.isEmpty)
    }

    @Test("Without a writable file the values apply, and the problem is reported")
    func readOnly() async throws {
        // There is a file at the path of the folder.
        try Data().write(to: keeping.file.deletingLastPathComponent())
        let switches = switches(MockProvider(["tipJar": true]))
        #expect(await switches.refresh() == .changed)
        #expect(switches.isFeatureEnabled(.tipJar))
        #expect(switches.state.fileProblem?.contains("cannot be saved") == true && switches.state.failure == nil)
    }

    @Test("Forgotten values are gone at the next start too")
    func forgotten() async {
        let provider = MockProvider(["tipJar": true])
        let first = switches(provider)
        await first.refresh()
        first.forget()
        #expect(!first.isFeatureEnabled(.tipJar) && first.state.origin == .defaults)
        #expect(!switches(MockProvider()).isFeatureEnabled(.tipJar))
        await first.refresh()
        #expect(first.isFeatureEnabled(.tipJar))
    }
}
