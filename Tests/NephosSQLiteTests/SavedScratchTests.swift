import Foundation
import NephosStorage
import NephosTesting
import StorageConformance
import Testing

@testable import NephosSQLite

/// docs/decisions/0020, for the folder `saved-scratch`: rows of tables that no server knows, as a build of that time wrote them.
/// `make-saved-scratch`, in the PostgreSQL tests, documents how it was made.
@Suite("Described rows of an earlier version") struct SavedScratchTests {
    private let folder: TemporaryFolder

    /// Recreates the folder: each text is the content of a SQLite file.
    init() throws {
        folder = try TemporaryFolder()
        let saved = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "saved-scratch").path
        for path in try FileManager.default.subpathsOfDirectory(atPath: saved) where path.hasSuffix(".sql") {
            let file = "\(folder.path)/\(path)ite"
            let inside = URL(filePath: file).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: inside, withIntermediateDirectories: true)
            let text = String(decoding: try readFile("\(saved)/\(path)"), as: UTF8.self)
            try StoreFile.create(file, Migrations(name: "saved", steps: [])) { connection throws(StorageError) in
                try connection.execute(text)
            }
        }
        try FileManager.default.copyItem(atPath: "\(saved)/secret.key", toPath: "\(folder.path)/secret.key")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: "\(folder.path)/secret.key")
    }

    @Test("are all readable, with their secrets, by builds with and without their tables, and by a later one")
    func opens() async throws {
        try await SavedScratch.check { [folder] tables in
            var options = SQLiteOptions()
            options.tables = tables
            return try SQLiteEngine(directory: folder.path, options: options)
        }
    }
}
