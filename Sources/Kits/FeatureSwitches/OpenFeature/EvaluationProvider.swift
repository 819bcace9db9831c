/// A provider in the shape of OpenFeature's for Swift: evaluations by key, with the default passed by the caller. An app that uses
/// OpenFeature's SDK forwards its calls, one line for each; this package does not depend on the SDK.
public protocol EvaluationProvider: Sendable {
    /// The name used in logs.
    var name: String { get }

    /// Sets the context that flags are evaluated for, refreshes, and returns when values are available.
    ///
    /// - Throws: ``FlagFault`` if the refresh fails. Earlier values stay in use.
    func initialize(initialContext: FlagContext?) async throws(FlagFault)

    /// Evaluates for another context from now on.
    func onContextSet(oldContext: FlagContext?, newContext: FlagContext) async throws(FlagFault)

    /// - Throws: ``FlagError`` if there is no such value. OpenFeature then uses the default.
    func getBooleanEvaluation(
        key: String, defaultValue: Bool, context: FlagContext?
    ) throws(FlagError) -> FlagDetails<Bool>
    func getStringEvaluation(
        key: String, defaultValue: String, context: FlagContext?
    ) throws(FlagError) -> FlagDetails<String>
    func getIntegerEvaluation(
        key: String, defaultValue: Int64, context: FlagContext?
    ) throws(FlagError) -> FlagDetails<Int64>
    func getDoubleEvaluation(
        key: String, defaultValue: Double, context: FlagContext?
    ) throws(FlagError) -> FlagDetails<Double>
    func getObjectEvaluation(
        key: String, defaultValue: FlagValue, context: FlagContext?
    ) throws(FlagError) -> FlagDetails<FlagValue>
}
