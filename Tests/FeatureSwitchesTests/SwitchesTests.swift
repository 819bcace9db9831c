import CloudKitWire
import Foundation
import NephosTesting
import Testing

@testable import FeatureSwitches

/// docs/switches.md, "Reading values" and "Declaring".
@Suite("Reading flags") struct SwitchesTests {
    @Test(
        "A flag type has an identifier, a default and a name, is hashable and codable, and the article's code compiles (S0-38)"
    )
    func type() throws {
        let flag = FeatureFlag.tipJar
        #expect((flag.id, flag.defaultValue, flag.name) == ("tipJar", false, "Tip Jar"))
        let old = FeatureSwitch(identifier: "tipJar", isEnabledByDefault: false, displayName: "Tip Jar")
        #expect(Set([flag, old]).count == 1)
        #expect((old.identifier, old.isEnabledByDefault, old.displayName) == ("tipJar", false, "Tip Jar"))
        let written = try JSONEncoder().encode(flag)
        #expect(try JSONDecoder().decode(FeatureSwitch.self, from: written) == flag)
        let json = Data(#"{"identifier":"a","isEnabledByDefault":true}"#.utf8)
        let read = try JSONDecoder().decode(FeatureSwitch.self, from: json)
        #expect(read == FeatureFlag(id: "a", default: true) && read.name == "a")
    }

    @Test("The hash by which a flag is found is not one that a server could compute")
    func seeded() {
        let fixed = Array("tipJar".utf8).withUnsafeBytes { xxHash64($0) }
        #expect(FeatureFlag.tipJar.print != fixed && FeatureFlag.tipJar.print == SwitchTable.print(of: "tipJar"))
    }

    @Test("A flag has its default before anything was fetched, and reports that (S0-44)")
    func defaults() {
        let provider = MockProvider(["tipJar": true])
        let switches = FeatureSwitches(provider: provider, file: nil)
        #expect(!switches.isFeatureEnabled(.tipJar) && switches.isFeatureEnabled(.versionCheck))
        #expect(switches.value(of: Configuration.theme) == "light")
        #expect(switches.details(of: .tipJar).error?.code == "PROVIDER_NOT_READY")
        #expect(switches.state.origin == .defaults && provider.questions.isEmpty)
    }

    @Test("Reading is synchronous and needs no network, however often (S0-43)")
    func synchronous() async throws {
        let keeping = try Keeping()
        let provider = MockProvider(["tipJar": true, "theme": "dark"])
        let switches = FeatureSwitches(provider: provider, file: keeping.file)
        await switches.refresh()
        try FileManager.default.removeItem(at: keeping.file)
        for _ in 0..<1_000 {
            let isOn: Bool = switches.isFeatureEnabled(.tipJar)
            #expect(isOn && switches.value(of: Configuration.theme) == "dark")
        }
        #expect(provider.questions.count == 1)
        #expect(!FileManager.default.fileExists(atPath: keeping.file.path))
    }

    @Test("Texts, numbers and whole configurations are values of flags")
    func values() async {
        let provider = StaticProvider([
            "theme": "dark", "size": 2, "count": 7, "limits": ["notes": 5], "tipJar": true, "exact": 3.0,
        ])
        let switches = FeatureSwitches(provider: provider, file: nil)
        await switches.refresh()
        #expect(switches.value(of: Configuration.theme) == "dark")
        #expect(switches.value(of: Configuration.size) == 2)
        #expect(switches.value(of: Configuration.count) == 7)
        #expect(switches.value(of: FeatureValue(id: "exact", default: 0)) == 3)
        for _ in 0..<2 { #expect(switches.value(of: Configuration.limits) == Configuration.Limits(notes: 5)) }
        #expect(switches.value(of: FeatureValue(id: "limits", default: FlagValue.null)) == ["notes": 5])
    }

    @Test("If a value is missing, invalid or of another type, the default applies, and the details give the reason")
    func mismatches() async {
        let provider = StaticProvider(["tipJar": "yes", "versionCheck": 0, "theme": true, "limits": ["notes": "many"]])
        let switches = FeatureSwitches(provider: provider, file: nil)
        await switches.refresh()
        #expect(!switches.isFeatureEnabled(.tipJar) && switches.isFeatureEnabled(.versionCheck))
        for details in [switches.details(of: .tipJar), switches.details(of: .versionCheck)] {
            #expect(details.reason == .error && details.error?.code == "TYPE_MISMATCH")
        }
        #expect(switches.details(of: Configuration.theme).error?.code == "TYPE_MISMATCH")
        #expect(switches.value(of: Configuration.limits) == Configuration.Limits(notes: 100))
        #expect(switches.details(of: Configuration.count).error?.code == "FLAG_NOT_FOUND")
    }

    @Test(
        "Each flag has its own value, however many flags there are and however similar their ids",
        arguments: [0, 1, 7, 500])
    func many(count: Int) async {
        let ids = (0..<count).map { "flag-with-quite-a-long-name-\($0)" }
        let values = Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($1, FlagValue.bool($0 % 3 == 0)) })
        let switches = FeatureSwitches(provider: StaticProvider(values), file: nil)
        await switches.refresh()
        for (number, id) in ids.enumerated() {
            #expect(switches.isFeatureEnabled(FeatureFlag(id: id, default: number % 3 != 0)) == (number % 3 == 0))
        }
        #expect(switches.isFeatureEnabled(FeatureFlag(id: "flag-with-quite-a-long-name-x", default: true)))
        #expect(switches.isFeatureEnabled(FeatureFlag(id: "", default: true)))
    }

    @Test("Threads that read while values change see either the old value or the new one")
    func concurrently() async {
        let provider = MockProvider(["tipJar": true, "versionCheck": true])
        let switches = FeatureSwitches(provider: provider, file: nil)
        await switches.refresh()
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask { (0..<2_000).allSatisfy { _ in switches.isFeatureEnabled(.versionCheck) } }
            }
            for round in 0..<200 {
                provider.set(.tipJar, to: round % 2 == 0)
                await switches.refresh()
                #expect(switches.isFeatureEnabled(.tipJar) == (round % 2 == 0))
            }
            for await isRight in group { #expect(isRight) }
        }
    }
}
