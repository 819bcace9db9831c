import Foundation

/// The result of a finished command.
package struct CommandResult: Sendable {
    /// 0 for success, 1 for failure, 2 for wrong usage; 128 + signal if it was killed.
    package var status: Int32
    package var output: String
    package var errors: String

    package init(status: Int32, output: String, errors: String) {
        self.status = status
        self.output = output
        self.errors = errors
    }

    /// Standard output without the trailing newline.
    package var line: String {
        output.hasSuffix("\n") ? String(output.dropLast()) : output
    }
}

/// A command did not end as required by the caller.
package struct CommandFailure: Error, CustomStringConvertible {
    package var arguments: [String]
    package var result: CommandResult

    package var description: String {
        "nephos \(arguments.joined(separator: " ")) ended with \(result.status): \(result.output)\(result.errors)"
    }
}

/// The `nephos` command for one data folder or database.
package struct NephosCommand: Sendable {
    /// Runs a command with these arguments and this environment inside this process.
    package typealias Runner =
        @Sendable (_ arguments: [String], _ environment: [String: String]) throws -> CommandResult

    /// Passed to every command as `--data`.
    package let data: String
    /// Added to this process's environment.
    package var environment: [String: String] = [:]
    /// The user that its processes run as.
    package var user = ProcessUser.ordinary
    /// The store of a test, which exists as long as the command; nil for a folder of the caller.
    package let store: TestStore?
    private let program: String?
    private let runner: Runner?

    /// For a data folder, and therefore with SQLite, whichever engine the run tests.
    ///
    /// - Throws: ``SystemError`` if there is no program: build first, or set `NEPHOS_BINARY`.
    package init(data: String, executable: String? = nil) throws {
        self.data = data
        program = try executable ?? builtProgram("nephos", orNamedBy: "NEPHOS_BINARY")
        (store, runner) = (nil, nil)
        environment = ["NEPHOS_STORE": ""]
    }

    /// For the store of a test. - Throws: ``SystemError`` as above.
    package init(_ store: TestStore, executable: String? = nil) throws {
        data = store.data
        program = try executable ?? builtProgram("nephos", orNamedBy: "NEPHOS_BINARY")
        (self.store, runner) = (store, nil)
        environment = store.environment
    }

    /// For the store of a test, in this process.
    package init(_ store: TestStore, runner: @escaping Runner) {
        data = store.data
        (self.store, self.runner, program) = (store, runner, nil)
        environment = store.environment
    }

    /// ``environment``, with a key for the secrets of its database.
    private var withKey: [String: String] {
        guard environment["NEPHOS_STORE"]?.isEmpty == false, environment["NEPHOS_SECRET_KEY_FILE"] ?? "" == "" else {
            return environment
        }
        return environment.merging(["NEPHOS_SECRET_KEY": TestStore.secretKey]) { given, own in
            given.isEmpty ? own : given
        }
    }

    /// Path of the program. - Throws: ``SystemError`` if commands run in this process.
    package var executable: String {
        get throws {
            guard let program else { throw SystemError("run a command as a process", code: ENOEXEC) }
            return program
        }
    }

    /// Runs until it ends, with any status. - Throws: ``SystemError`` if it cannot be started.
    package func run(_ arguments: [String]) throws -> CommandResult {
        let result =
            if let runner {
                try runner(
                    arguments + ["--data", data],
                    ProcessInfo.processInfo.environment.merging(withKey) { _, own in own })
            } else {
                try runProcess(arguments)
            }
        IssuedSecrets.check(Array(result.errors.utf8), nil, data, "the output of the command: \(arguments)")
        IssuedSecrets.note(arguments, result, of: data)
        return result
    }

    private func runProcess(_ arguments: [String]) throws -> CommandResult {
        let folder = try TemporaryFolder(prefix: "nephos-command")
        let child = try start(arguments, output: folder.path + "/output", errors: folder.path + "/errors")
        let status =
            switch child.wait() {
            case .exited(let code): code
            case .signalled(let signal): 128 + signal
            }
        return CommandResult(
            status: status, output: String(decoding: try readFile(folder.path + "/output"), as: UTF8.self),
            errors: String(decoding: try readFile(folder.path + "/errors"), as: UTF8.self))
    }

    /// Runs, and returns its standard output without the trailing newline.
    ///
    /// - Throws: ``CommandFailure`` unless it exits with 0.
    @discardableResult
    package func callAsFunction(_ arguments: String...) throws -> String {
        let result = try run(arguments)
        guard result.status == 0 else { throw CommandFailure(arguments: arguments, result: result) }
        return result.line
    }

    /// Starts without waiting.
    package func start(_ arguments: [String], output: String, errors: String) throws -> ChildProcess {
        try ChildProcess(
            executable, arguments + ["--data", data], environment: withKey, as: user, output: output,
            errors: errors)
    }
}
