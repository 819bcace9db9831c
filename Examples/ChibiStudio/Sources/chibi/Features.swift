import FeatureSwitches

// All flags of the studio in one file, each with its default for as long as no value is known.
extension FeatureFlag {
    static let versionCheck = FeatureFlag(id: "chibiVersionCheck", default: true, name: "Chibi Version Check")
    static let tipJar = FeatureFlag(id: "tipJar", default: false, name: "Tip Jar")
    static let stickers = FeatureFlag(id: "stickers", default: false, name: "Stickers")
}

extension FeatureValue<String> {
    static let theme = FeatureValue(id: "theme", default: "paper", name: "Theme")
}

/// A part of the studio, according to its flags.
struct Feature: Equatable {
    var name: String
    /// The text that is shown.
    var text: String

    static let declared: [any DeclaredFlag] = [
        FeatureFlag.versionCheck, FeatureFlag.tipJar, FeatureFlag.stickers, FeatureValue.theme,
    ]

    /// The studio uses the injected provider: the switches of the app, or others in a test.
    static func all(_ features: any FeatureSwitchProvider) -> [Feature] {
        let switches = [FeatureFlag.versionCheck, .tipJar, .stickers].map { flag in
            Feature(name: flag.name, text: features.isFeatureEnabled(flag) ? "on" : "off")
        }
        return switches + [Feature(name: FeatureValue.theme.name, text: features.value(of: .theme))]
    }
}
