package import NephosCommands
package import NephosRunner
package import NephosTesting
import Synchronization

/// The `nephos` command in this process, with its own streams.
package enum InProcessCommand {
    package static func run(_ arguments: [String], _ environment: [String: String]) throws -> CommandResult {
        run(arguments, environment, offering: nil)
    }

    /// - Parameters:
    ///   - useCases: The use cases from which the commands are derived; nil for those of `nephos`.
    ///   - prepare: Extends the command's context beyond its environment.
    ///   - outgoing: Creates the clients for outgoing requests and mails; without it none are sent.
    package static func run(
        _ arguments: [String], _ environment: [String: String] = [:], offering useCases: [UseCaseGroup]?,
        prepare: (inout CommandContext) -> Void = { _ in },
        calling outgoing: @escaping @Sendable (FeatureSettings) throws -> Nephos.Outgoing = { _ in Nephos.Outgoing() }
    ) -> CommandResult {
        let said = Mutex((output: [UInt8](), errors: [UInt8]()))
        var context = CommandContext(
            environment: environment, output: { bytes in said.withLock { $0.output += bytes } },
            errors: { bytes in said.withLock { $0.errors += bytes } })
        prepare(&context)
        let status = blocking { [context] in
            await Nephos.run(arguments, in: context, with: .ofProgram(), offering: useCases, calling: outgoing)
        }
        return said.withLock {
            CommandResult(
                status: status, output: String(decoding: $0.output, as: UTF8.self),
                errors: String(decoding: $0.errors, as: UTF8.self))
        }
    }
}
