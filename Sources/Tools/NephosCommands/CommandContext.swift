import Foundation
import NephosEndpoints
import NephosRunner

/// The environment of a command: the three standard streams and environment variables, of its own process or replacements.
package struct CommandContext: Sendable {
    /// Standard output: the requested result, and nothing else.
    package var output: @Sendable ([UInt8]) -> Void
    /// Standard error: hints, notes and errors.
    package var errors: @Sendable ([UInt8]) -> Void
    /// All of standard input, or more than ``OpenedFile/bytesMax``.
    package var input: @Sendable () -> [UInt8]
    /// The next bytes of standard input; none at its end.
    package var inputPiece: @Sendable () -> [UInt8]
    /// A line of standard input; nil at its end.
    package var line: @Sendable () -> String?
    /// Whether a person reads ``output``: it is a terminal.
    package var isShown: Bool
    /// Whether a person reads ``errors``.
    package var isWatched: Bool
    /// Whether a person can answer questions.
    package var isAnswered: Bool
    package var environment: [String: String]
    /// Whether the process is the command's own, so that it becomes the owner of a folder if it is run by root (``FolderUser``).
    package var becomesOwners = false

    /// Creates a context without a terminal, whose standard input is empty.
    package init(
        environment: [String: String], output: @escaping @Sendable ([UInt8]) -> Void,
        errors: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.environment = environment
        self.output = output
        self.errors = errors
        input = { [] }
        inputPiece = { [] }
        line = { nil }
        (isShown, isWatched, isAnswered) = (false, false, false)
    }

    /// The context of this process.
    package static var ofProcess: CommandContext {
        var context = CommandContext(
            environment: ProcessInfo.processInfo.environment,
            output: { FileHandle.standardOutput.write(Data($0)) },
            errors: { FileHandle.standardError.write(Data($0)) })
        context.input = { Array((try? FileHandle.standardInput.read(upToCount: OpenedFile.bytesMax + 1)) ?? Data()) }
        context.inputPiece = { Array(FileHandle.standardInput.availableData) }
        context.line = { readLine() }
        context.becomesOwners = true
        context.isShown = isatty(1) == 1
        context.isWatched = isatty(2) == 1
        context.isAnswered = isatty(0) == 1 && context.isWatched
        return context
    }

    /// The value of an environment variable; nil if it is unset or empty.
    static func variable(_ name: String) -> String? {
        let value = current.environment[name] ?? ""
        return value.isEmpty ? nil : value
    }

    /// The values of an environment variable that takes several, separated by commas.
    static func variables(_ name: String) -> [String] {
        (variable(name) ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// What to say about variables that look like this program's and are none: a misspelled one silently has no effect.
    var unknownVariables: [String] {
        environment.keys.sorted().compactMap { name in
            guard name.hasPrefix("NEPHOS_"), !name.hasPrefix("NEPHOS_TEST_"), !Documents.variables.contains(name) else {
                return nil
            }
            let hint = Spelling.nearest(to: name, in: Documents.variables.sorted()).map { " Did you mean \($0)?" } ?? ""
            return "there is no variable \(name), so it has no effect.\(hint)"
        }
    }

    /// The context of the running command.
    @TaskLocal static var current = CommandContext(environment: [:], output: { _ in }, errors: { _ in })
}
