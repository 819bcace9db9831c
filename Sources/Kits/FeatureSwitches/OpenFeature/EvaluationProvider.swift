/// A provider in the shape of OpenFeature's for Swift: evaluations by key, with the default where somebody asks. An app that uses
/// OpenFeature's SDK hands its calls on, one line for each; this package does not depend on it.
public protocol EvaluationProvider: Sendable {
    /// Names it in logs.
    var name: String { get }

    /// Whom flags are evaluated for; refreshes, and returns when values are there.
    ///
    /// - Throws: ``FlagFault`` where the refresh fails. What was known before is served on.
    func initialize(initialContext: FlagContext?) async throws(FlagFault)

    /// Somebody else from now on.
    ///
    /// - Throws: As ``initialize(initialContext:)``.
    func onContextSet(oldContext: FlagContext?, newContext: FlagContext) async throws(FlagFault)

    /// - Throws: ``FlagError`` where there is no such value. OpenFeature serves the default then.
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
