import FeatureSwitches
import Foundation
import NephosTesting

extension FeatureFlag {
    static let tipJar = FeatureFlag(id: "tipJar", default: false, name: "Tip Jar")
    static let versionCheck = FeatureFlag(id: "versionCheck", default: true, name: "Version Check")
}

enum Configuration {
    struct Limits: Codable, Equatable { var notes: Int }

    static let theme = FeatureValue(id: "theme", default: "light", name: "Theme")
    static let size = FeatureValue(id: "size", default: 1.5)
    static let count = FeatureValue(id: "count", default: 3)
    static let limits = FeatureValue(id: "limits", default: Limits(notes: 100))
}

/// A folder for saved values, and the file.
struct Keeping {
    let folder: TemporaryFolder
    var file: URL { URL(fileURLWithPath: folder.path).appending(path: "inner/values.json") }

    init() throws { folder = try TemporaryFolder(prefix: "nephos-switches") }
}
