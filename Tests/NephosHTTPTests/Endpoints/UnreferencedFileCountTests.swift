import NephosDomain
import NephosRunner
import NephosStorage
import Testing

@testable import NephosEndpoints

/// docs/protocol.md U13: a sum of files is cached for 20 µs per file.
@Suite struct UnreferencedFileCountTests {
    private let engine = OneTenantEngine(readsWait: false)
    private let counts = UnreferencedFileCounts()

    private func sum() throws -> Int64? { try added().sum }

    /// - Returns: The sum of uploader 1, and whether it was computed for this call.
    private func added() throws -> (sum: Int64?, anew: Bool) {
        let store = try #require(try engine.open(OneTenantEngine.tenant))
        let before = engine.reads.count
        let sum = try counts.sum(of: OneTenantEngine.tenant, in: store).byUploader[1]
        return (sum, engine.reads.count > before)
    }

    @Test("Millions of files are not added up for each upload; uploads meanwhile are counted") func many() throws {
        engine.release(of: UnreferencedFiles(byUploader: [1: 500], count: 30_000_000))
        #expect(counts.believed(OneTenantEngine.tenant) == nil)
        #expect(try added() == (500, true))
        #expect(try added() == (500, false))
        let stored = try counts.take(7, to: OneTenantEngine.tenant, by: 1) { _, coming in
            #expect(coming.byUploader.isEmpty)
        }
        let broken = try counts.take(11, to: OneTenantEngine.tenant, by: 1) { files, coming in
            #expect(files.byUploader == [1: 500] && coming.byUploader == [1: 7])
        }
        stored.end(isStored: true)
        broken.end(isStored: false)
        #expect(try sum() == 507)
        _ = try counts.take(1, to: OneTenantEngine.tenant, by: 2) { files, coming in
            #expect(files.byUploader == [1: 507] && coming.byUploader.isEmpty)
        }
    }

    @Test("Without files each upload reads the current sum, and counts nothing twice") func few() throws {
        #expect(try sum() == nil)
        try counts.take(7, to: OneTenantEngine.tenant, by: 1) { _, _ in }.end(isStored: true)
        engine.release(of: UnreferencedFiles(byUploader: [1: 7]))
        #expect(try added() == (7, true))
    }

    @Test("An upload for which there is no room reserves none") func refused() throws {
        #expect(throws: Refusal.self) {
            _ = try counts.take(7, to: OneTenantEngine.tenant, by: 1) { _, _ throws(Refusal) in throw .failed }
        }
        _ = try counts.take(1, to: OneTenantEngine.tenant, by: 1) { _, coming in #expect(coming.byUploader.isEmpty) }
    }
}
