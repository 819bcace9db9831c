import Foundation
import NephosTesting
import Testing

/// A data folder of a test's own, and the command on it.
struct DataFolder {
    let folder: TemporaryFolder
    /// Names the data folder by `--data`.
    let nephos: NephosCommand

    static let container = "iCloud.com.example.app"

    /// The data folder is not there yet.
    init() throws {
        folder = try TemporaryFolder(prefix: "nephos-command-tests")
        nephos = try NephosCommand(data: folder.path + "/data")
    }

    /// The container `iCloud.com.example.app` and an account of `mary@example.org` are in it; beside it lies a file
    /// `text`.
    static func prepared() throws -> DataFolder {
        let data = try DataFolder()
        try data.nephos("container", "create", container)
        try data.nephos("account", "create", "mary@example.org")
        try "Hello".write(toFile: data.folder.path + "/text", atomically: true, encoding: .utf8)
        return data
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
