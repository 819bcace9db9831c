import NephosSQLite
import NephosTesting
import StorageConformance
import Synchronization
import Testing

@Suite("The SQLite engine fulfills the storage contract") struct ConformanceTests {
    @Test(arguments: StorageCase.all)
    func keeps(_ promise: StorageCase) async throws {
        let folder = try TemporaryFolder()
        let engines = Engines()
        // Closed before the folder is removed, because the two would conflict otherwise.
        defer { engines.close() }
        try await promise.check { try engines.open(folder.path) }
    }
}

/// The engines with which one promise was checked.
private final class Engines: Sendable {
    private let opened = Mutex<[SQLiteEngine]>([])

    func open(_ path: String) throws -> SQLiteEngine {
        let engine = try SQLiteEngine(directory: path)
        opened.withLock { $0.append(engine) }
        return engine
    }

    func close() {
        for engine in opened.withLock({ $0 }) { engine.close() }
    }
}
