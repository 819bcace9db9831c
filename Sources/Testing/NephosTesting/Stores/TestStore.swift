import Foundation

/// The storage engines of servers.
package enum TestEngine: String, Sendable {
    case sqlite, postgres

    /// The engine that this run tests: `NEPHOS_TEST_ENGINE`, by default SQLite.
    ///
    /// - Throws: ``UnknownEngine``.
    package static var chosen: TestEngine {
        get throws {
            let name = ProcessInfo.processInfo.environment["NEPHOS_TEST_ENGINE"] ?? ""
            guard let engine = TestEngine(rawValue: name.isEmpty ? "sqlite" : name) else {
                throw UnknownEngine(name: name)
            }
            return engine
        }
    }
}

/// `NEPHOS_TEST_ENGINE` is not the name of an engine.
package struct UnknownEngine: Error, CustomStringConvertible {
    package var name: String
    package var description: String { "NEPHOS_TEST_ENGINE=\(name): sqlite or postgres is needed" }
}

/// An empty store for one test and every process it starts: a folder, or with PostgreSQL a database and a folder for local files.
/// It is removed when the last reference is released.
package final class TestStore: Sendable {
    package let engine: TestEngine
    /// The data folder, which does not exist yet.
    package let data: String
    /// The database; nil if the folder contains everything.
    package let database: TestDatabase?
    private let folder: TemporaryFolder

    /// - Throws: ``SystemError``, ``UnknownEngine``, ``NoTestPostgres``.
    package convenience init() throws { try self.init(TestEngine.chosen) }

    /// For tests of one engine, whichever the run tests.
    package convenience init(_ engine: TestEngine) throws {
        try self.init(engine, database: engine == .postgres ? try TestDatabase() : nil)
    }

    private init(_ engine: TestEngine, database: TestDatabase?) throws {
        self.engine = engine
        self.database = database
        folder = try TemporaryFolder(prefix: "nephos-store")
        data = folder.path + "/data"
    }

    /// A copy of the store, which nobody may be using.
    package func copy() throws -> TestStore {
        let other = try TestStore(engine, database: try database?.copy())
        if FileManager.default.fileExists(atPath: data) {
            try FileManager.default.copyItem(atPath: data, toPath: other.data)
            try giveToOrdinaryUser(other.data)
        }
        return other
    }

    /// The address of the database, as a value of `NEPHOS_STORE`; nil if the folder contains everything.
    package var url: String? { database?.url }

    /// The environment that selects the store, except for the folder. Empty values override what would be inherited.
    package var environment: [String: String] {
        [
            "NEPHOS_STORE": url ?? "", "NEPHOS_SECRET_KEY_FILE": "",
            "NEPHOS_SECRET_KEY": url == nil ? "" : Self.secretKey,
        ]
    }

    /// The key that seals the secrets of databases.
    package static let secretKey = "dGVzdHMgc2VhbCB1bmRlciB0aGlzIG9uZSwgYWxsLi4="
}
