// The names that the article uses whose design this kit follows, so that its code compiles unchanged.

/// Another name of ``FeatureFlag``.
public typealias FeatureSwitch = FeatureFlag

/// The ID of a flag.
public typealias FeatureSwitchIdentifier = String

extension FeatureFlag {
    /// The same as ``init(id:default:name:)``.
    public init(identifier: FeatureSwitchIdentifier, isEnabledByDefault: Bool, displayName: String? = nil) {
        self.init(id: identifier, default: isEnabledByDefault, name: displayName)
    }

    /// The same as ``id``.
    public var identifier: FeatureSwitchIdentifier { id }

    /// The same as ``defaultValue``.
    public var isEnabledByDefault: Bool { defaultValue }

    /// The same as ``name``.
    public var displayName: String? { name }
}
