import NephosDomain
package import NephosRunner

/// The settings of a container: one file for each environment, in which every feature has its part (docs/settings.md). What the parts
/// say is the features' business; this folder reads and prints the file, and keeps who changed it when.
extension Feature {
    package static let settings = Feature(
        "settings", rules: RuleBook(sections: [CatalogSection.audiences, CatalogSection.settingsText]),
        useCases: [.settings])
}
