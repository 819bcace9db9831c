import ArgumentParser
import Foundation
import NephosAdmin
import NephosSQLite
import NephosStorage

/// The data folder, the same for every command.
struct DataOptions: ParsableArguments {
    @Option(
        name: .customLong("data"),
        help: ArgumentHelp("The folder that holds everything.", valueName: "dir"))
    var folder: String = DataOptions.standardFolder

    static var standardFolder: String {
        let named = ProcessInfo.processInfo.environment["NEPHOS_DATA"] ?? ""
        return named.isEmpty ? "./data" : named
    }

    /// What to add to a command that a message proposes, so that it means the same folder.
    var asWritten: String { folder == DataOptions.standardFolder ? "" : " --data \(folder)" }

    /// A command that a message proposes, for a container and one of its environments.
    func command(_ command: String, _ tenant: Tenant) -> String {
        let environment = tenant.environment == .development ? "" : " --environment \(tenant.environment.rawValue)"
        return "nephos \(command) \(tenant.container)\(environment)\(asWritten)"
    }

    var exists: Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: folder, isDirectory: &isDirectory) && isDirectory.boolValue
    }

    /// Opens the store, runs `body`, and closes the store. What the store throws comes out as a ``Failure``.
    ///
    /// - Parameter creating: Whether a folder that is missing is made; else it is a failure.
    func open<Answer>(
        creating: Bool, options: SQLiteOptions = SQLiteOptions(), _ body: (SQLiteEngine) async throws -> Answer
    ) async throws -> Answer {
        guard creating || exists else {
            throw Failure(
                "There is no data folder \(folder). Say where it is with --data, or begin one with: "
                    + "nephos container create ID\(asWritten)")
        }
        do {
            let engine = try SQLiteEngine(directory: folder, options: options)
            defer { engine.close() }
            return try await body(engine)
        } catch let error as AdminError {
            throw Failure(error, data: self)
        } catch let error as StorageError {
            throw Failure(.storage(error), data: self)
        }
    }

    /// ``open(creating:options:_:)``, for administration.
    func administer<Answer>(
        creating: Bool, _ body: (Administration) async throws -> Answer
    ) async throws -> Answer {
        try await open(creating: creating) { try await body(Administration(engine: $0, inputs: .live)) }
    }
}

/// A command that administers a data folder and ends.
protocol AdministrationCommand: AsyncParsableCommand {
    /// Whether it makes a data folder that is missing.
    static var createsFolder: Bool { get }
    var data: DataOptions { get }
    func run(_ administration: Administration) async throws
}

extension AdministrationCommand {
    static var createsFolder: Bool { false }

    mutating func run() async throws {
        let command = self
        try await data.administer(creating: Self.createsFolder) { try await command.run($0) }
    }
}

extension Inputs {
    /// The system's clock, and the system's generator of random numbers, which is fit for secrets.
    static var live: Inputs {
        Inputs(
            now: { Milliseconds(Date().timeIntervalSince1970 * 1000) },
            randomBytes: { count in
                var generator = SystemRandomNumberGenerator()
                return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            })
    }
}
