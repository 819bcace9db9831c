package import ArgumentParser
import NephosAdmin
import NephosEndpoints
package import NephosRunner

/// The command: arguments in, `NephosAdmin` or `NephosServer` called, one answer out.
///
/// What was asked for goes alone to standard output; everything else to standard error. The exit code is 0, 1 when
/// it failed, 2 when it was used wrongly. Scripts depend on all three.
package struct Nephos: AsyncParsableCommand {
    package static var configuration: CommandConfiguration {
        CommandConfiguration(
            abstract: "A CloudKit server you own.",
            discussion: """
                Start with:

                  nephos serve --demo

                Every command works on the data folder ./data, or on the one that --data or NEPHOS_DATA names, or on the \
                PostgreSQL database that --store or NEPHOS_STORE names, also while servers run on it.
                """,
            version: ServerVersion.current,
            subcommands: [Serve.self] + CommandTree.current.commands)
    }

    /// Those of the program that runs.
    @TaskLocal static var features: [Feature] = []
    /// How they ask others.
    @TaskLocal static var outgoing = OutgoingSource { _ in Outgoing() }

    /// Makes what features of a server that is told some settings ask others by. A value around a function: the optimizer of Swift 6.3 has
    /// programs crash that bind a task-local function.
    struct OutgoingSource: Sendable {
        let make: @Sendable (FeatureSettings) throws -> Outgoing
    }

    /// How features ask others, and send mails.
    package struct Outgoing: Sendable {
        package var http: any OutgoingHTTP
        package var mail: any OutgoingMail

        package init(http: any OutgoingHTTP = NoOutgoingHTTP(), mail: any OutgoingMail = NoOutgoingMail()) {
            (self.http, self.mail) = (http, mail)
        }
    }

    package init() {}

    private enum Exit: Int32 { case success = 0, failed = 1, wrongUsage = 2 }

    /// Runs the command that `arguments` say, without the program's name.
    ///
    /// - Parameters:
    ///   - features: What the program has beside the core.
    ///   - useCases: From which the commands are derived, `serve` excepted; nil for those of every program and of its features.
    ///   - outgoing: How features of a server that is told these settings ask others, and send mails.
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
            return end(parsing: error)
        }
    }

    /// Help and version are what was asked for; all else that the parser throws is wrong usage.
    private static func end(parsing error: any Error) -> Exit {
        let text = HelpText.folded(fullMessage(for: error, columns: HelpText.columns))
        if exitCode(for: error).isSuccess {
            Terminal.answer(text)
            return .success
        }
        // What was typed comes back in such messages, and it may be the address of a database with its password.
        Terminal.note(text.replacing(/postgres(ql)?:\/\/[^\s']*/, with: "postgres://..."))
        return .wrongUsage
    }
}
