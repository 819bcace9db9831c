import Foundation

/// What a command has of the world around it: the three standard streams and the environment; of its own process, or stand-ins.
package struct CommandContext: Sendable {
    /// Standard output: what was asked for, and nothing else.
    package var output: @Sendable ([UInt8]) -> Void
    /// Standard error: hints, notes and errors.
    package var errors: @Sendable ([UInt8]) -> Void
    /// All of standard input.
    package var input: @Sendable () -> [UInt8]
    /// The next bytes of standard input; none at its end.
    package var inputPiece: @Sendable () -> [UInt8]
    /// A line of standard input; nil at its end.
    package var line: @Sendable () -> String?
    /// Whether a person reads what goes to ``errors``.
    package var isWatched: Bool
    /// Whether a person can answer questions.
    package var isAnswered: Bool
    package var environment: [String: String]

    /// Nobody watches, and standard input is empty.
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
        (isWatched, isAnswered) = (false, false)
    }

    /// That of this process.
    package static var ofProcess: CommandContext {
        var context = CommandContext(
            environment: ProcessInfo.processInfo.environment,
            output: { FileHandle.standardOutput.write(Data($0)) },
            errors: { FileHandle.standardError.write(Data($0)) })
        context.input = { Array(FileHandle.standardInput.readDataToEndOfFile()) }
        context.inputPiece = { Array(FileHandle.standardInput.availableData) }
        context.line = { readLine() }
        context.isWatched = isatty(2) == 1
        context.isAnswered = isatty(0) == 1 && context.isWatched
        return context
    }

    /// That of the command that runs.
    @TaskLocal static var current = CommandContext(environment: [:], output: { _ in }, errors: { _ in })
}
