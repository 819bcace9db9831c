import FeatureSwitches

// All that the studio switches, in one file, each with what holds before anything is known of it.
extension FeatureFlag {
    static let versionCheck = FeatureFlag(id: "chibiVersionCheck", default: true, name: "Chibi Version Check")
    static let tipJar = FeatureFlag(id: "tipJar", default: false, name: "Tip Jar")
    static let stickers = FeatureFlag(id: "stickers", default: false, name: "Stickers")
}

extension FeatureValue<String> {
    static let theme = FeatureValue(id: "theme", default: "paper", name: "Theme")
}

/// A part of the studio, as its switches make it.
struct Feature: Equatable {
    var name: String
    /// What of it is shown, and why.
    var text: String

    static let declared: [any DeclaredFlag] = [
        FeatureFlag.versionCheck, FeatureFlag.tipJar, FeatureFlag.stickers, FeatureValue.theme,
    ]

    /// The studio asks whoever is injected: the switches of the app, or others in a test.
    static func all(_ features: any FeatureSwitchProvider) -> [Feature] {
        let switches = [FeatureFlag.versionCheck, .tipJar, .stickers].map { flag in
            Feature(name: flag.name, text: features.isFeatureEnabled(flag) ? "on" : "off")
        }
        return switches + [Feature(name: FeatureValue.theme.name, text: features.value(of: .theme))]
    }
}
