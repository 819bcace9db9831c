/// The interface through which app code reads its features. It is injected, so that tests and previews can use another
/// implementation (``MockProvider``, ``StaticProvider``) than the app (``FeatureSwitches``).
///
/// Reads are synchronous and never access the disk or the network.
public protocol FeatureSwitchProvider: Sendable {
    /// Whether a feature is on: the server's value, or else its default.
    func isFeatureEnabled(_ flag: FeatureFlag) -> Bool

    /// A flag's value, and the reason for it.
    func details<Value>(of flag: FeatureValue<Value>) -> FlagDetails<Value>
}

extension FeatureSwitchProvider {
    /// A flag's value: the server's value, or else its default.
    public func value<Value>(of flag: FeatureValue<Value>) -> Value { details(of: flag).value }

    /// Whether a feature is on, and the reason.
    public func details(of flag: FeatureFlag) -> FlagDetails<Bool> {
        details(of: FeatureValue(id: flag.id, default: flag.defaultValue, name: flag.name))
    }
}
