import Foundation

/// Schema files of real apps, from folders outside of the repository; our own fixtures if those do not exist.
struct SchemaFiles {
    struct File: Sendable, CustomStringConvertible {
        let name: String
        let bytes: [UInt8]
        var text: String { String(decoding: bytes, as: UTF8.self) }
        var description: String { name }
    }

    let files: [File]
    /// Whether they are from outside.
    let isReal: Bool

    /// Valid ones (NEPHOS_SCHEMAS).
    static let valid = SchemaFiles("NEPHOS_SCHEMAS", "../shared/data/schemas", fixtures: "Tests/AcceptanceFixtures")
    /// Published files that are not valid (NEPHOS_SCHEMAS_INVALID).
    static let invalid = SchemaFiles(
        "NEPHOS_SCHEMAS_INVALID", "../shared/data/schemas-invalid", fixtures: "Tests/AcceptanceFixtures/invalid")

    private init(_ variable: String, _ standard: String, fixtures: String) {
        let folder = ProcessInfo.processInfo.environment[variable] ?? standard
        let real = SchemaFiles.files(in: folder)
        isReal = !real.isEmpty
        files = isReal ? real : SchemaFiles.files(in: fixtures)
        if !isReal { print("No schema files in \(folder) (\(variable) names another folder): using \(fixtures).") }
    }

    static func files(in folder: String) -> [File] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".ckdb") }.sorted().compactMap { name in
            FileManager.default.contents(atPath: "\(folder)/\(name)").map { File(name: name, bytes: Array($0)) }
        }
    }
}
