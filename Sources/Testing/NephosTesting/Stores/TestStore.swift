import Foundation

/// The engines that servers keep their data with.
package enum TestEngine: String, Sendable {
    case sqlite, postgres

    /// The one that this run is about: `NEPHOS_TEST_ENGINE`, SQLite without it.
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

/// `NEPHOS_TEST_ENGINE` names no engine.
package struct UnknownEngine: Error, CustomStringConvertible {
    package var name: String
    package var description: String { "NEPHOS_TEST_ENGINE=\(name): sqlite or postgres is needed" }
}

/// An empty place for one test's data, and that of every process it starts: a folder, or with PostgreSQL a database and a
/// folder for local files. It goes with the last reference.
package final class TestStore: Sendable {
    package let engine: TestEngine
    /// The data folder. Nobody has made it yet.
    package let data: String
    /// The database; nil where the folder holds everything.
    package let database: TestDatabase?
    private let folder: TemporaryFolder

    /// - Throws: ``SystemError``, ``UnknownEngine``, ``NoTestPostgres``.
    package convenience init() throws { try self.init(TestEngine.chosen) }

    /// For tests that are about one engine, whichever the run is about.
    package convenience init(_ engine: TestEngine) throws {
        try self.init(engine, database: engine == .postgres ? try TestDatabase() : nil)
    }

    private init(_ engine: TestEngine, database: TestDatabase?) throws {
        self.engine = engine
        self.database = database
        folder = try TemporaryFolder(prefix: "nephos-store")
        data = folder.path + "/data"
    }

    /// Another one with the same in it. Nobody may be using this one.
    package func copy() throws -> TestStore {
        let other = try TestStore(engine, database: try database?.copy())
        if FileManager.default.fileExists(atPath: data) {
            try FileManager.default.copyItem(atPath: data, toPath: other.data)
            try giveToOrdinaryUser(other.data)
        }
        return other
    }

    /// The address of the database, as `NEPHOS_STORE` has it; nil where the folder holds everything.
    package var url: String? { database?.url }

    /// What tells a process where the data is, but for the folder. Empty values undo what it would inherit.
    package var environment: [String: String] {
        [
            "NEPHOS_STORE": url ?? "", "NEPHOS_SECRET_KEY_FILE": "",
            "NEPHOS_SECRET_KEY": url == nil ? "" : Self.secretKey,
        ]
    }

    /// Under which the secrets of databases are sealed.
    package static let secretKey = "dGVzdHMgc2VhbCB1bmRlciB0aGlzIG9uZSwgYWxsLi4="
}
