import FeatureSwitches
import Testing

/// docs/switches.md, "OFREP" and "CloudKit".
@Suite("Providers of switches") struct ProviderTests {
    /// An example of an app's code that reads a feature.
    private struct Shop {
        let features: any FeatureSwitchProvider
        var hasTipJar: Bool { features.isFeatureEnabled(.tipJar) }
        var theme: String { features.value(of: Configuration.theme) }
    }

    @Test("An app is given its provider, so that tests and previews can use another (S0-41)")
    func injection() async {
        let mock = MockProvider(enabled: [.tipJar])
        #expect(Shop(features: mock).hasTipJar && Shop(features: mock).theme == "light")
        mock.set(.tipJar, to: false)
        mock.setValue("dark", of: "theme")
        #expect(!Shop(features: mock).hasTipJar && Shop(features: mock).theme == "dark")
        #expect(Shop(features: StaticProvider(["tipJar": true])).hasTipJar)
        let switches = FeatureSwitches(provider: StaticProvider(["tipJar": true]), file: nil)
        #expect(!Shop(features: switches).hasTipJar)
        await switches.refresh()
        #expect(Shop(features: switches).hasTipJar)
    }

    @Test(
        "Evaluations have OpenFeature's shape: by key, with the caller's default, and an error if there is no such value"
    )
    func evaluations() async throws {
        let provider = MockProvider(["tipJar": true, "theme": "dark", "count": 7, "size": 2.5, "limits": ["notes": 5]])
        let switches = FeatureSwitches(provider: provider, file: nil)
        let evaluator: any EvaluationProvider = switches
        #expect(throws: FlagError(code: "PROVIDER_NOT_READY", message: "nothing has been fetched yet")) {
            try evaluator.getBooleanEvaluation(key: "tipJar", defaultValue: false, context: nil)
        }
        var context = FlagContext()
        context.targetingKey = "d1"
        try await evaluator.initialize(initialContext: context)
        #expect(provider.questions.allSatisfy { $0.context.targetingKey == "d1" })
        let tipJar = try evaluator.getBooleanEvaluation(key: "tipJar", defaultValue: false, context: nil)
        #expect(tipJar.value && tipJar.reason == .static)
        #expect(try evaluator.getStringEvaluation(key: "theme", defaultValue: "", context: nil).value == "dark")
        #expect(try evaluator.getIntegerEvaluation(key: "count", defaultValue: 0, context: nil).value == 7)
        #expect(try evaluator.getDoubleEvaluation(key: "size", defaultValue: 0, context: nil).value == 2.5)
        let limits = try evaluator.getObjectEvaluation(key: "limits", defaultValue: .null, context: nil)
        #expect(limits.value == ["notes": 5])
        #expect(throws: FlagError.self) {
            try evaluator.getStringEvaluation(key: "tipJar", defaultValue: "", context: nil)
        }
        provider.fail(with: FlagFault(.unreachable, "no network"))
        await #expect(throws: FlagFault(.unreachable, "no network")) {
            try await evaluator.onContextSet(oldContext: context, newContext: FlagContext())
        }
        #expect(try evaluator.getIntegerEvaluation(key: "count", defaultValue: 0, context: nil).value == 7)
    }
}
