import NephosDomain
package import NephosRunner

/// The settings of a container: one file for each environment, in which every feature has its section (docs/settings.md). The
/// contents of sections are defined by the features; this folder reads and prints the file, and records who changed it and when.
extension Feature {
    package static let settings = Feature(
        "settings", rules: RuleBook(sections: [CatalogSection.audiences, CatalogSection.settingsText]),
        useCases: [.settings])
}
