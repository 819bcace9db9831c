/// A flag with a value beyond on and off: a text, a number, or an entire configuration of an app.
///
///     enum Configuration {
///         static let theme = FeatureValue(id: "theme", default: "light", name: "Theme")
///         static let limits = FeatureValue(id: "limits", default: Limits(notes: 100))
///     }
///
/// The default applies until the value is known, and if the server's value cannot be decoded as `Value`.
public struct FeatureValue<Value: Codable & Sendable>: Sendable {
    /// The flag's ID: the name of its record at the server.
    public let id: String
    /// The value without a valid value from the server.
    public let defaultValue: Value
    /// The display name. It is shown on the internal screen only.
    public let name: String

    /// - Parameter name: The display name; `id` if omitted.
    public init(id: String, default defaultValue: Value, name: String? = nil) {
        (self.id, self.defaultValue, self.name) = (id, defaultValue, name ?? id)
    }
}

/// What an app declares: a ``FeatureFlag``, or a ``FeatureValue`` of any type.
public protocol DeclaredFlag: Sendable {
    /// The flag's ID.
    var id: String { get }
    /// The display name.
    var name: String { get }
    /// The default value, as JSON.
    var defaultFlagValue: FlagValue { get }
    /// Whether its values are booleans.
    var isSwitch: Bool { get }
    /// The flag's current details in `switches`.
    func details(in switches: any FeatureSwitchProvider) -> FlagDetails<FlagValue>
}

extension FeatureFlag: DeclaredFlag {
    public var defaultFlagValue: FlagValue { .bool(defaultValue) }
    public var isSwitch: Bool { true }
    public func details(in switches: any FeatureSwitchProvider) -> FlagDetails<FlagValue> {
        switches.details(of: self).map { .bool($0) }
    }
}

extension FeatureValue: DeclaredFlag {
    public var defaultFlagValue: FlagValue { FlagValue(encoding: defaultValue) ?? .null }
    public var isSwitch: Bool { Value.self == Bool.self }
    public func details(in switches: any FeatureSwitchProvider) -> FlagDetails<FlagValue> {
        switches.details(of: self).map { FlagValue(encoding: $0) ?? .null }
    }
}
