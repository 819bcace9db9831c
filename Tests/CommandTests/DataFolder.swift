import Foundation
import NephosCommands
import NephosRunner
import NephosTesting
import ServerTesting
import Testing

/// A test's own store, the command for it, and a folder for other files.
struct DataFolder {
    let folder: TemporaryFolder
    let store: TestStore
    /// Passes the data folder with `--data`, and a database in the environment. Runs in this process.
    let nephos: NephosCommand

    static let container = "iCloud.com.example.app"

    /// The contents of `schema.ckdb`: a type that a role may write, and so may everybody.
    static let schema = """
        DEFINE SCHEMA
            CREATE ROLE Admin;
            RECORD TYPE Article (
                "___recordID" REFERENCE QUERYABLE,
                "___modTime" TIMESTAMP QUERYABLE SORTABLE,
                title STRING QUERYABLE SORTABLE,
                stars INT64 QUERYABLE SORTABLE,
                GRANT WRITE TO "_creator",
                GRANT CREATE TO "_icloud",
                GRANT READ TO "_world",
                GRANT READ, CREATE, WRITE TO Admin
            );

        """

    /// The store is empty: the data folder does not exist, or the database is empty.
    init() throws { try self.init(TestStore()) }

    init(_ store: TestStore) throws {
        self.store = store
        folder = try TemporaryFolder(prefix: "nephos-command-tests")
        nephos = NephosCommand(store, runner: InProcessCommand.run)
    }

    /// The store contains the container `iCloud.com.example.app` and an account of `mary@example.org`; the folder contains a file
    /// `text` and a schema `schema.ckdb`.
    static func prepared() throws -> DataFolder { try prototype.get().copy() }

    /// Copied for each test: creating a store takes longer than most tests.
    private static let prototype = Result { try prepared(in: TestStore()) }

    static func prepared(in store: TestStore) throws -> DataFolder {
        let data = try DataFolder(store)
        try data.nephos("container", "create", container, "--new-store")
        try data.nephos("account", "create", "mary@example.org")
        try "Hello".write(toFile: data.folder.path + "/text", atomically: true, encoding: .utf8)
        try schema.write(toFile: data.folder.path + "/schema.ckdb", atomically: true, encoding: .utf8)
        return data
    }

    /// A copy, which may be created only while nobody uses this one.
    func copy() throws -> DataFolder {
        let other = try DataFolder(store.copy())
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            try FileManager.default.copyItem(
                atPath: "\(folder.path)/\(name)", toPath: "\(other.folder.path)/\(name)")
        }
        return other
    }

    /// Runs the command with the store given in the environment, without additional arguments. `FOLDER` in an argument is replaced
    /// by the folder of other files. Nothing is sent without `outgoing`.
    func run(
        _ arguments: [String], environment: [String: String] = [:], isTerminal: Bool = false,
        calling outgoing: @escaping @Sendable (FeatureSettings) throws -> Nephos.Outgoing = { _ in Nephos.Outgoing() }
    ) throws -> Outcome {
        let result = InProcessCommand.run(
            arguments.map { $0.replacing("FOLDER", with: folder.path) },
            ProcessInfo.processInfo.environment.merging(store.environment) { $1 }
                .merging(["NEPHOS_DATA": nephos.data]) { $1 }.merging(environment) { $1 },
            offering: nil, prepare: { $0.isShown = isTerminal }, calling: outgoing)
        return Outcome(status: result.status, output: result.output, errors: result.errors)
    }
}

/// The result of a command.
struct Outcome {
    var status: Int32
    var output: String
    var errors: String
}

struct Failure: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
}
