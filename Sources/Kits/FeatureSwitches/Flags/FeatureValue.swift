/// A flag that has more to say than on and off: a text, a number, or a whole configuration of an app.
///
///     enum Configuration {
///         static let theme = FeatureValue(id: "theme", default: "light", name: "Theme")
///         static let limits = FeatureValue(id: "limits", default: Limits(notes: 100))
///     }
///
/// The default is what holds before the value is known, and where what the server says is no such value.
public struct FeatureValue<Value: Codable & Sendable>: Sendable {
    /// The flag's id: the name of its record at the server.
    public let id: String
    /// What holds without a value from the server.
    public let defaultValue: Value
    /// What people call it. It is shown on the internal screen only.
    public let name: String

    /// - Parameter name: For people; the id where it is left out.
    public init(id: String, default defaultValue: Value, name: String? = nil) {
        (self.id, self.defaultValue, self.name) = (id, defaultValue, name ?? id)
    }
}

/// What an app declares: a ``FeatureFlag``, or a ``FeatureValue`` of whatever type.
public protocol DeclaredFlag: Sendable {
    /// The flag's id.
    var id: String { get }
    /// What people call it.
    var name: String { get }
    /// What holds without a value from the server, as JSON would say it.
    var defaultFlagValue: FlagValue { get }
    /// Whether its values are true and false.
    var isSwitch: Bool { get }
    /// What holds of it where this is known.
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
