import Foundation
import NephosTesting
import StorageConformance
import TestEngines
import Testing

/// docs/decisions/0020, for `saved-scratch.sql`: rows of tables that no server knows, as a build of that time wrote them.
/// `make-saved-scratch` documents how it was made.
@Suite("Described rows of an earlier version") struct SavedScratchTests {
    @Test("are all readable, with their secrets, by builds with and without their tables, and by a later one")
    func opens() async throws {
        let store = try TestStore(.postgres)
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "saved-scratch.sql").path
        try store.database?.run(file: file)
        try await SavedScratch.check { try store.open(tables: $0) }
    }
}
