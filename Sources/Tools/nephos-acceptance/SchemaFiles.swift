import Foundation

/// The schema files of a run.
struct SchemaFiles {
    /// Absolute or relative paths, sorted by name.
    var paths: [String]
    /// A note for the user of the tool; nil if there is none.
    var note: String?

    private static let fixtures = "Tests/AcceptanceFixtures"

    /// Files of the folder named by `NEPHOS_SCHEMAS`, or of the fixtures if there is no such folder.
    init() {
        let folder = ProcessInfo.processInfo.environment["NEPHOS_SCHEMAS"] ?? "../shared/data/schemas"
        paths = SchemaFiles.files(in: folder)
        guard paths.isEmpty else { return }
        paths = SchemaFiles.files(in: SchemaFiles.fixtures)
        note = "No schema files in \(folder) (NEPHOS_SCHEMAS names another folder): using \(SchemaFiles.fixtures)."
    }

    private static func files(in folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".ckdb") }.sorted().map { "\(folder)/\($0)" }
    }
}
