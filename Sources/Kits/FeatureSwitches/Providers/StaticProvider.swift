/// Fixed values that never change: for tools, for tests, and for apps that have no server yet.
public struct StaticProvider: FlagProvider, FeatureSwitchProvider {
    public let source = "static"
    private let values: FlagValues
    private let snapshot: FlagSnapshot

    /// - Parameter values: Values by flag ID: `["tipJar": true, "theme": "dark"]`.
    public init(_ values: [String: FlagValue]) {
        let answers = values.sorted { $0.key < $1.key }.map { FlagAnswer(id: $0.key, value: $0.value) }
        self.values = FlagValues(answers)
        snapshot = FlagSnapshot(answers)
    }

    public func fetch(_ question: FlagQuestion) async throws(FlagFault) -> FlagFetch { .values(values) }

    public func isFeatureEnabled(_ flag: FeatureFlag) -> Bool { snapshot.isFeatureEnabled(flag) }

    public func details<Value>(of flag: FeatureValue<Value>) -> FlagDetails<Value> { snapshot.details(of: flag) }
}
