import Foundation
import NephosTesting
import Testing

/// A data folder of a test's own, and the command on it.
struct DataFolder {
    let folder: TemporaryFolder
    /// Names the data folder by `--data`.
    let nephos: NephosCommand

    static let container = "iCloud.com.example.app"

    /// What `schema.ckdb` holds: a type that a role may write, and so may everybody.
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

    /// The data folder is not there yet.
    init() throws {
        folder = try TemporaryFolder(prefix: "nephos-command-tests")
        nephos = try NephosCommand(data: folder.path + "/data")
    }

    /// The container `iCloud.com.example.app` and an account of `mary@example.org` are in it; beside it lie a file
    /// `text` and a schema `schema.ckdb`.
    static func prepared() throws -> DataFolder {
        let data = try DataFolder()
        try data.nephos("container", "create", container)
        try data.nephos("account", "create", "mary@example.org")
        try "Hello".write(toFile: data.folder.path + "/text", atomically: true, encoding: .utf8)
        try schema.write(toFile: data.folder.path + "/schema.ckdb", atomically: true, encoding: .utf8)
        return data
    }

    /// Another one with the same in it. Nobody may be using this one.
    func copy() throws -> DataFolder {
        let other = try DataFolder()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            try FileManager.default.copyItem(
                atPath: "\(folder.path)/\(name)", toPath: "\(other.folder.path)/\(name)")
        }
        return other
    }

    /// Runs the command with the data folder named by the environment, and nothing added to the arguments. `FOLDER`
    /// in an argument stands for the folder that holds the data folder.
    func run(_ arguments: [String]) throws -> Outcome {
        let streams = try TemporaryFolder(prefix: "nephos-command-tests")
        let child = try ChildProcess(
            nephos.executable, arguments.map { $0.replacing("FOLDER", with: folder.path) },
            environment: ["NEPHOS_DATA": nephos.data], output: streams.path + "/output",
            errors: streams.path + "/errors")
        guard case .exited(let status) = child.wait() else {
            throw Failure("nephos \(arguments) did not end by itself")
        }
        return Outcome(
            status: status, output: String(decoding: try readFile(streams.path + "/output"), as: UTF8.self),
            errors: String(decoding: try readFile(streams.path + "/errors"), as: UTF8.self))
    }
}

/// What a command left behind when it ended.
struct Outcome {
    var status: Int32
    var output: String
    var errors: String
}

struct Failure: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
}
