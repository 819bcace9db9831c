/// As in OpenFeature's client-side SDKs, values are those of the context that was set; a context passed with an evaluation is
/// ignored.
extension FeatureSwitches: EvaluationProvider {
    public var name: String { "nephos" }

    public func initialize(initialContext: FlagContext?) async throws(FlagFault) {
        if let initialContext { store.set(initialContext) }
        start()
        if case .failed(let fault) = await refresh() { throw fault }
    }

    public func onContextSet(oldContext: FlagContext?, newContext: FlagContext) async throws(FlagFault) {
        if case .failed(let fault) = await setContext(newContext) { throw fault }
    }

    public func getBooleanEvaluation(
        key: String, defaultValue: Bool, context: FlagContext?
    ) throws(FlagError) -> FlagDetails<Bool> {
        try evaluation(key, defaultValue)
    }

    public func getStringEvaluation(
        key: String, defaultValue: String, context: FlagContext?
    ) throws(FlagError) -> FlagDetails<String> {
        try evaluation(key, defaultValue)
    }

    public func getIntegerEvaluation(
        key: String, defaultValue: Int64, context: FlagContext?
    ) throws(FlagError) -> FlagDetails<Int64> {
        try evaluation(key, defaultValue)
    }

    public func getDoubleEvaluation(
        key: String, defaultValue: Double, context: FlagContext?
    ) throws(FlagError) -> FlagDetails<Double> {
        try evaluation(key, defaultValue)
    }

    public func getObjectEvaluation(
        key: String, defaultValue: FlagValue, context: FlagContext?
    ) throws(FlagError) -> FlagDetails<FlagValue> {
        try evaluation(key, defaultValue)
    }

    private func evaluation<Value: Codable & Sendable>(_ key: String, _ defaultValue: Value) throws(FlagError)
        -> FlagDetails<Value>
    {
        let details = details(of: FeatureValue(id: key, default: defaultValue))
        if let error = details.error { throw error }
        return details
    }
}
