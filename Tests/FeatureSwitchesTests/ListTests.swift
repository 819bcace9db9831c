import FeatureSwitches
import Foundation
import Observation
import Testing

/// docs/switches.md, "The internal screen".
@Suite("The internal screen") @MainActor struct ListTests {
    private let provider = MockProvider(["tipJar": true, "theme": "dark", "unknown": 3])

    private var declared: [any DeclaredFlag] { [FeatureFlag.versionCheck, FeatureFlag.tipJar, Configuration.theme] }

    /// Waits until the contents of the screen satisfy `body`.
    private func until(_ list: FeatureSwitchList, _ body: @MainActor () -> Bool) async {
        while true {
            let (changes, change) = AsyncStream<Void>.makeStream()
            let isThere = withObservationTracking {
                _ = (list.rows, list.state)
                return body()
            } onChange: {
                change.yield()
            }
            if isThere { return }
            for await _ in changes { break }
        }
    }

    @Test("It lists the app's flags in their order, then others, with name, value, default and reason")
    func rows() async {
        let switches = FeatureSwitches(provider: provider, declaring: declared, file: nil)
        let list = FeatureSwitchList(switches)
        #expect(list.rows.map(\.id) == ["versionCheck", "tipJar", "theme"])
        #expect(list.rows.map(\.name) == ["Version Check", "Tip Jar", "Theme"])
        #expect(list.rows.map(\.value) == [true, false, "light"])
        #expect(list.rows.allSatisfy { $0.reason == .error && $0.serverValue == nil && $0.override == nil })
        #expect(list.rows[0].why == "ERROR, nothing has been fetched yet")
        await list.refresh()
        #expect(list.rows.map(\.id) == ["versionCheck", "tipJar", "theme", "unknown"])
        #expect(list.rows.map(\.value) == [true, true, "dark", 3])
        #expect(list.rows.map(\.serverValue) == [nil, true, "dark", 3])
        #expect(list.rows.map(\.defaultValue) == [true, false, "light", nil])
        #expect(list.rows.map(\.isSwitch) == [true, true, false, false])
        #expect(list.rows.map(\.reason) == [.error, .static, .static, .static])
        #expect(list.rows[0].error?.code == "FLAG_NOT_FOUND" && list.rows[1].why == "STATIC")
        #expect(!list.rows[3].isDeclared && !list.isRefreshing)
    }

    @Test("It shows the current values, whoever refreshed them, and the last error")
    func follows() async {
        let switches = FeatureSwitches(provider: provider, declaring: declared, file: nil)
        let list = FeatureSwitchList(switches)
        #expect(list.state.problemText == nil && list.state.originText.hasPrefix("Defaults"))
        await switches.refresh()
        await until(list) { list.rows[1].value == true }
        #expect(list.state.originText.hasPrefix("Fetched"))
        provider.fail(with: FlagFault(.unreachable, "no network"))
        for _ in 0..<2 { await switches.refresh() }
        await until(list) { list.state.failure?.count == 2 }
        #expect(list.state.problemText == "The last refresh failed (2 times in a row): no network")
        #expect(list.rows[1].value == true)
    }

    @Test("A rule and a bucket are described in one line")
    func why() async {
        let metadata: [String: FlagValue] = ["rule": "es", "bucket": 83_663]
        let answer = FlagAnswer(id: "tipJar", value: false, variant: "off", reason: .split, metadata: metadata)
        let provider = ScriptedProvider { _ in .success(.values(FlagValues([answer]))) }
        let list = FeatureSwitchList(FeatureSwitches(provider: provider, file: nil))
        await list.refresh()
        #expect(list.rows.map(\.why) == ["SPLIT, rule es, bucket 83663"] && list.rows.first?.variant == "off")
    }

    @Test("A released list no longer observes switches")
    func released() {
        let switches = FeatureSwitches(provider: provider, file: nil)
        weak var list: FeatureSwitchList?
        do {
            let held = FeatureSwitchList(switches)
            list = held
            #expect(list != nil)
        }
        #expect(list == nil)
    }
}
