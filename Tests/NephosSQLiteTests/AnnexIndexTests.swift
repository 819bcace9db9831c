import Foundation
import NephosStorage
import Testing

@testable import NephosSQLite

/// docs/decisions/0030: the cost of a save that changes the annex of its head.
@Suite("The index of heads with an annex") struct AnnexIndexTests {
    @Test("is written when an annex is added or removed, and not when it changes")
    func pages() async throws {
        let cloud = try Cloud()
        let store = try cloud.store()
        /// The number of pages that a commit appends to the log when it changes a head with an annex of some bytes.
        func pages(_ bytes: [UInt8]) async throws -> Int {
            var set = ReadSet()
            set.databases = [1]
            let before = try size(of: cloud.file + "-wal")
            try await store.commit(set) { reading in
                var writes = WriteSet()
                writes.heads = reading.databases.compactMap(\.self)
                writes.heads[0].sequence += 1
                _ = writes.heads[0].annex.set(bytes, of: "a")
                return .write(writes, ())
            }
            return (try size(of: cloud.file + "-wal") - before) / Self.frame
        }
        // Does not include what the first commit of a new file writes in addition.
        _ = try await pages([])
        #expect(try await pages([]) == 1)
        #expect(try await pages([1]) == 2)
        #expect(try await pages([2]) == 1)
        #expect(try await pages([2, 3]) == 1)
        #expect(try await pages([]) == 2)
        #expect(try await pages([]) == 1)
        #expect(try store.check { _, _ in } == [])
    }

    /// A page, and its header in the log.
    private static let frame = Tuning.pageSize + 24

    private func size(of path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    }
}
