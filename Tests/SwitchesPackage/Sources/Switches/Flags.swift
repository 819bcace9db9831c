import FeatureSwitches

// As declared in the article about feature flags.
extension FeatureSwitchIdentifier {
    static let chibiVersionCheck = "chibiVersionCheck"
    static let tipJar = "tipJar"
}

extension FeatureSwitch {
    static let chibiVersionCheck = FeatureSwitch(
        identifier: .chibiVersionCheck,
        isEnabledByDefault: true,
        displayName: "Chibi Version Check"
    )

    static let tipJar = FeatureSwitch(
        identifier: .tipJar,
        isEnabledByDefault: false,
        displayName: "Tip Jar"
    )
}
