/// What an app asks for its features: injected wherever somebody asks, so that tests and previews use another
/// (``MockProvider``, ``StaticProvider``) than the app (``FeatureSwitches``).
///
/// Asking is synchronous, and reaches neither disk nor network.
public protocol FeatureSwitchProvider: Sendable {
    /// Whether a feature is on: as the server says, or else by its default.
    func isFeatureEnabled(_ flag: FeatureFlag) -> Bool

    /// A flag's value, and why it is that.
    func details<Value>(of flag: FeatureValue<Value>) -> FlagDetails<Value>
}

extension FeatureSwitchProvider {
    /// A flag's value: as the server says, or else its default.
    public func value<Value>(of flag: FeatureValue<Value>) -> Value { details(of: flag).value }

    /// Whether a feature is on, and why.
    public func details(of flag: FeatureFlag) -> FlagDetails<Bool> {
        details(of: FeatureValue(id: flag.id, default: flag.defaultValue, name: flag.name))
    }
}
