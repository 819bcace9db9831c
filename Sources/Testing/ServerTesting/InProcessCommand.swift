import NephosCommands
package import NephosTesting
import Synchronization

/// The `nephos` command inside this process, with streams of its own.
package enum InProcessCommand {
    package static func run(_ arguments: [String], _ environment: [String: String]) throws -> CommandResult {
        let said = Mutex((output: [UInt8](), errors: [UInt8]()))
        let context = CommandContext(
            environment: environment, output: { bytes in said.withLock { $0.output += bytes } },
            errors: { bytes in said.withLock { $0.errors += bytes } })
        let status = blocking { await Nephos.run(arguments, in: context) }
        return said.withLock {
            CommandResult(
                status: status, output: String(decoding: $0.output, as: UTF8.self),
                errors: String(decoding: $0.errors, as: UTF8.self))
        }
    }
}
