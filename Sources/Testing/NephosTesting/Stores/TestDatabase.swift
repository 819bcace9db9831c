import Foundation
import Synchronization

/// There is no PostgreSQL server for this test run.
package struct NoTestPostgres: Error, CustomStringConvertible {
    package init() {}

    package var description: String {
        "this test needs a PostgreSQL server: run it by scripts/with-postgres, which starts one and sets NEPHOS_TEST_POSTGRES"
    }
}

/// A test's own database, initially empty, on the PostgreSQL server in `NEPHOS_TEST_POSTGRES`. It is dropped when the last
/// reference is released, even if there are connections to it.
package final class TestDatabase: Sendable {
    package let url: String
    private let name: String
    private static let count = Mutex(0)

    /// - Throws: ``NoTestPostgres``, ``SystemError``.
    package convenience init() throws { try self.init(template: "template1") }

    private init(template: String) throws {
        let number = TestDatabase.count.withLock { count in
            count += 1
            return count
        }
        name = "nephos_\(ProcessInfo.processInfo.processIdentifier)_\(number)"
        url = try TestDatabase.url(name)
        _ = try TestDatabase.sql(#"CREATE DATABASE "\#(name)" TEMPLATE "\#(template)""#, in: TestDatabase.server)
    }

    deinit {
        // A leftover database is removed with the server.
        _ = try? TestDatabase.sql(
            #"DROP DATABASE "\#(name)" WITH (FORCE)"#, in: TestDatabase.server)
    }

    /// A copy of the database, to which nobody may be connected.
    func copy() throws -> TestDatabase { try TestDatabase(template: name) }

    /// Executes statements, and returns their output, one row per line. - Throws: ``SystemError``.
    @discardableResult
    package func sql(_ text: String) throws -> String { try TestDatabase.sql(text, in: url) }

    /// Executes the statements of a file, all or none. - Throws: ``SystemError``.
    package func run(file: String) throws {
        _ = try TestDatabase.run("psql", ["-X", "-q", "-1", "-v", "ON_ERROR_STOP=1", "-f", file, url])
    }

    /// A dump of its contents without the tables' definitions, as SQL. - Throws: ``SystemError``.
    package func dump() throws -> String { try TestDatabase.run("pg_dump", ["--data-only", "--dbname", url]) }

    // MARK: The server

    /// The address of the database from which others are created.
    private static var server: String {
        get throws {
            let url = ProcessInfo.processInfo.environment["NEPHOS_TEST_POSTGRES"] ?? ""
            guard !url.isEmpty else { throw NoTestPostgres() }
            return url
        }
    }

    /// The address of another database on the server: the path between the host and the options is its name.
    private static func url(_ database: String) throws -> String {
        guard var parts = URLComponents(string: try server) else { throw NoTestPostgres() }
        parts.path = "/\(database)"
        guard let url = parts.string else { throw NoTestPostgres() }
        return url
    }

    private static func sql(_ text: String, in url: String) throws -> String {
        try run("psql", ["-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", "-c", text, url])
    }

    private static func run(_ program: String, _ arguments: [String]) throws -> String {
        let said = try TemporaryFolder(prefix: "nephos-sql")
        let child = try ChildProcess(
            "\(PostgresServer.programs)/\(program)", arguments, output: said.path + "/output",
            errors: said.path + "/errors")
        guard child.wait() == .exited(0) else {
            let errors = String(decoding: try readFile(said.path + "/errors"), as: UTF8.self)
            throw SystemError("\(program) \(arguments.dropLast().last ?? ""): \(errors)", code: EIO)
        }
        return String(decoding: try readFile(said.path + "/output"), as: UTF8.self)
    }
}
