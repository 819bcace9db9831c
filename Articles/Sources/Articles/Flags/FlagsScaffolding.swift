import CloudKit

extension CKRecord.RecordType {
    static let appFeatures = "AppFeatures"
}

/// The article names this protocol, and does not show it.
protocol FeatureSwitchProvider {
    func isFeatureEnabled(_ feature: FeatureSwitch) -> Bool
}

/// Whose method the article's fetch is.
final class FlagsOfTheServer {
    let container = CKContainer.default()
}

/// "The resulting CKRecord is then parsed": one field for each flag, 0 or 1.
struct ParsedFeatures: FeatureSwitchProvider {
    var record: CKRecord?

    func isFeatureEnabled(_ feature: FeatureSwitch) -> Bool {
        (record?[feature.identifier] as? Int).map { $0 == 1 } ?? feature.isEnabledByDefault
    }
}
