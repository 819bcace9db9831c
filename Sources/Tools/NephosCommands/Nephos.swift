package import ArgumentParser
import NephosAdmin
import NephosEndpoints
package import NephosRunner

/// The command: parses arguments, calls `NephosAdmin` or `NephosServer`, and prints the result.
///
/// Only the requested result goes to standard output; everything else goes to standard error. The exit code is 0 on success, 1 on
/// failure, and 2 for wrong usage. Scripts depend on all three.
package struct Nephos: AsyncParsableCommand {
    package static var configuration: CommandConfiguration {
        CommandConfiguration(
            abstract: "A CloudKit server you own.",
            discussion: """
                Start with:

                  nephos serve --demo

                Every command uses the data folder ./data, or the one given by --data or NEPHOS_DATA, or the PostgreSQL database \
                given by --store or NEPHOS_STORE, also while servers run on it.
                """,
            version: ServerVersion.current,
            subcommands: [Serve.self] + CommandTree.current.commands)
    }

    /// The features of the running program.
    @TaskLocal static var features: [Feature] = []
    /// How features send outgoing requests.
    @TaskLocal static var outgoing = OutgoingSource { _ in Outgoing() }

    /// Creates the outgoing clients for a server's features from its settings. A struct around a function, because the optimizer of
    /// Swift 6.3 crashes programs that bind a task-local function.
    struct OutgoingSource: Sendable {
        let make: @Sendable (FeatureSettings) throws -> Outgoing
    }

    /// How features send outgoing requests and mails.
    package struct Outgoing: Sendable {
        package var http: any OutgoingHTTP
        package var mail: any OutgoingMail

        package init(http: any OutgoingHTTP = NoOutgoingHTTP(), mail: any OutgoingMail = NoOutgoingMail()) {
            (self.http, self.mail) = (http, mail)
        }
    }

    package init() {}

    private enum Exit: Int32 { case success = 0, failed = 1, wrongUsage = 2 }

    /// Runs the command given by `arguments`, which exclude the program's name.
    ///
    /// - Parameters:
    ///   - features: The features of the program in addition to the core.
    ///   - useCases: The use cases from which commands are derived, except `serve`; nil for those of every program and of its
    ///     features.
    ///   - outgoing: Creates the clients for outgoing requests and mails from a server's settings.
    /// - Returns: The exit code.
    package static func run(
        _ arguments: [String], in context: CommandContext, with features: [Feature] = [],
        offering useCases: [UseCaseGroup]? = nil,
        calling outgoing: @escaping @Sendable (FeatureSettings) throws -> Outgoing = { _ in Outgoing() }
    ) async -> Int32 {
        let commands = CommandTree(useCases ?? features.offered)
        return await CommandContext.$current.withValue(context) {
            await CommandTree.$current.withValue(commands) {
                await $features.withValue(features) {
                    await $outgoing.withValue(OutgoingSource(make: outgoing)) { await run(arguments).rawValue }
                }
            }
        }
    }

    private static func run(_ arguments: [String]) async -> Exit {
        do {
            var command = try parseAsRoot(arguments)
            let type = type(of: command)
            guard type.configuration.subcommands.isEmpty else {
                Terminal.note(HelpText.folded(helpMessage(for: type, columns: HelpText.columns)))
                return .wrongUsage
            }
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            return .success
        } catch let failure as Failure {
            Terminal.note(failure.shown)
            return failure.kind == .wrongUsage ? .wrongUsage : .failed
        } catch {
            return end(parsing: error, of: arguments)
        }
    }

    /// Help and version are requested results; all other errors of the parser are wrong usage.
    private static func end(parsing error: any Error, of arguments: [String]) -> Exit {
        let message = fullMessage(for: error, columns: HelpText.columns)
        if exitCode(for: error).isSuccess {
            Terminal.answer(HelpText.folded(message))
            return .success
        }
        let options = CommandOptions(arguments, below: Nephos.self)
        let explained =
            UnknownCommand(arguments, below: Nephos.self)?.explained(message)
            ?? options.explained(message, of: arguments)
        let text = HelpText.folded(options.completeUsage(in: explained))
        // Such messages contain the typed text, which may be the address of a database with its password.
        Terminal.note(text.replacing(/postgres(ql)?:\/\/[^\s']*/, with: "postgres://..."))
        return .wrongUsage
    }
}
