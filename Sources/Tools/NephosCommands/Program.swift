import Foundation

/// A program that consists of the command.
package enum Program {
    /// Runs the command, and exits with its code.
    ///
    /// The first thread waits. With an asynchronous main function it would be a thread that is ending, which the system's library passes
    /// over when the process becomes another user (``FolderUser``): it would keep the rights of root.
    package static func run(_ command: @escaping @Sendable () async -> Int32) -> Never {
        Task.detached { exit(await command()) }
        // With all signals: whoever starts a program from a thread that blocks them passes that on, and could not end it.
        var none = sigset_t()
        sigemptyset(&none)
        while true { sigsuspend(&none) }
    }
}
