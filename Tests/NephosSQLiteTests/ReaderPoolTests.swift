import NephosStorage
import Testing

@testable import NephosSQLite

/// How many connections stay idle, and for how long.
@Suite("Connections for reading") struct ReaderPoolTests {
    private let cloud: Cloud

    init() throws {
        cloud = try Cloud()
        _ = try cloud.store()
    }

    private func pool(limit: Int, keptFor: Duration) -> ReaderPool {
        ReaderPool(path: cloud.file, limit: limit, keptFor: keptFor)
    }

    /// Nested reads: each continues while the next one runs.
    private func read(_ depth: Int, _ pool: ReaderPool) throws(StorageError) {
        try pool.read { reader throws(StorageError) in
            _ = try reader.catalogs.head()
            if depth > 1 { try read(depth - 1, pool) }
        }
    }

    @Test("as many stay open as ran at the same time, up to the limit, and are reused")
    func kept() throws {
        let pool = pool(limit: 3, keptFor: .seconds(600))
        for (atOnce, idle) in [(1, 1), (2, 2), (5, 3), (1, 3)] {
            try read(atOnce, pool)
            #expect(pool.idleCount == idle)
        }
        pool.close()
        #expect(pool.idleCount == 0)
    }

    @Test("connections that are idle for too long are closed, one each time another is returned")
    func outlived() throws {
        let pool = pool(limit: 10, keptFor: .zero)
        for _ in 1...2 {
            try read(5, pool)
            #expect(pool.idleCount == 1)
        }
    }
}
