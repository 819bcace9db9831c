import Foundation
import NephosTesting
import Testing

/// A device of Ada's, on which programs run as processes (nephos-device), with a folder and its own session.
struct Device {
    let folder: TemporaryFolder
    let environment: [String: String]

    init(_ container: TestContainer) throws {
        try self.init(
            [
                "NEPHOS_URL": "http://127.0.0.1:\(container.cloud.server.port)", "NEPHOS_CONTAINER": container.id,
                "NEPHOS_API_TOKEN": container.apiToken, "NEPHOS_ENVIRONMENT": "development",
                "NEPHOS_WEB_AUTH_TOKEN": try container.signIn("ada@example.org"),
            ])
    }

    /// - Parameter settings: The environment of programs.
    init(_ settings: [String: String]) throws {
        folder = try TemporaryFolder(prefix: "nephos-device")
        environment = settings.merging(["NEPHOS_CACHE": folder.path, "XDG_CONFIG_HOME": folder.path]) { $1 }
    }

    /// Returns its output. - Parameter fails: Whether it must end with a CloudKit error.
    @discardableResult
    func callAsFunction(_ arguments: String..., fails: Bool = false) throws -> String {
        try run(arguments, until: .exited(fails ? 1 : 0))
    }

    /// Runs a program that is killed, and returns the lines of its output until then.
    func killed(_ arguments: String...) throws -> [String] {
        try run(arguments, until: .signalled(SIGKILL)).split(separator: "\n").map(String.init)
    }

    private func run(_ arguments: [String], until expected: ProcessEnd) throws -> String {
        let (output, errors) = (folder.path + "/output", folder.path + "/errors")
        try? FileManager.default.removeItem(atPath: output)
        let program = try builtProgram("nephos-device", orNamedBy: "NEPHOS_DEVICE_BINARY")
        let child = try ChildProcess(
            program, [folder.path] + arguments, environment: environment, output: output, errors: errors)
        let end = child.wait()
        let text = String(decoding: try readFile(output), as: UTF8.self)
        let log = String(decoding: (try? readFile(errors)) ?? [], as: UTF8.self)
        #expect(end == expected, "\(arguments): \(text)\(log)")
        return text
    }

    func notes() throws -> [String] { try self("list").split(separator: "\n").map(String.init) }
}
