import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// How a process ended.
package enum ProcessEnd: Sendable, Equatable {
    case exited(Int32)
    case signalled(Int32)
}

/// A child process. Its output goes to files, so that no pipe ever blocks it or outlives it.
///
/// Every child must be waited for: as long as one has ended and is not collected, exit tests (`processExitsWith`) of the same run
/// never learn that their own process has ended.
package final class ChildProcess: Sendable {
    package let id: Int32
    private let end = Mutex<ProcessEnd?>(nil)

    /// Starts `executable`; standard input is empty.
    ///
    /// - Parameters:
    ///   - environment: Added to this process's own.
    ///   - user: The user that it runs as.
    ///   - output, errors: Paths of files to append standard output and standard error to.
    /// - Throws: ``SystemError`` if it cannot be started.
    package init(
        _ executable: String, _ arguments: [String], environment: [String: String] = [:],
        as user: ProcessUser = .ordinary,
        output: String, errors: String
    ) throws {
        var environment = environment
        var command = try user.command(toRun: executable)
        // A preloaded library would also be loaded into the commands before the program, which run as the caller.
        if !command.isEmpty, let library = environment.removeValue(forKey: "LD_PRELOAD") {
            command += ["/usr/bin/env", "LD_PRELOAD=\(library)"]
        }
        command += [executable] + arguments
        var actions = SpawnActions()
        defer { actions.destroy() }
        actions.open(0, "/dev/null", O_RDONLY)
        actions.open(1, output, O_WRONLY | O_CREAT | O_APPEND)
        actions.open(2, errors, O_WRONLY | O_CREAT | O_APPEND)
        var pid: pid_t = 0
        let code = withCStrings(command) { arguments in
            withCStrings(ChildProcess.inherited(with: environment)) { environment in
                actions.spawn(&pid, command[0], arguments, environment)
            }
        }
        guard code == 0 else { throw SystemError("start \(executable)", code: code) }
        id = pid
    }

    /// Sends a signal, unless the process has ended and was collected.
    package func signal(_ signal: Int32) {
        end.withLock { if $0 == nil { _ = kill(id, signal) } }
    }

    /// Waits until the process has ended. Safe to call again, and from several threads.
    @discardableResult
    package func wait() -> ProcessEnd {
        // Waits without collecting, so that another thread can send a signal in the meantime.
        var info = siginfo_t()
        while hasEnded == nil {
            _ = waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT)
        }
        return hasEnded ?? .exited(-1)
    }

    /// Waits until the process has ended, or for this long. - Returns: nil if it is still running.
    package func wait(atMost seconds: Double) -> ProcessEnd? {
        _ = Deadline(seconds: seconds).waits(until: { hasEnded != nil })
        return hasEnded
    }

    /// How it ended; nil while it is running.
    package var hasEnded: ProcessEnd? {
        end.withLock { end in
            if end == nil { end = ChildProcess.collect(id) }
            return end
        }
    }

    /// How it ended; nil while it is running. A process can be collected only once.
    private static func collect(_ id: pid_t) -> ProcessEnd? {
        var status: Int32 = 0
        var answer: pid_t
        repeat { answer = waitpid(id, &status, WNOHANG) } while answer == -1 && errno == EINTR
        if answer == -1 { return .exited(-1) }
        guard answer == id else { return nil }
        // Like WIFEXITED and related macros, which are not available in Swift.
        return status & 0x7F == 0 ? .exited((status >> 8) & 0xFF) : .signalled(status & 0x7F)
    }

    private static func inherited(with changes: [String: String]) -> [String] {
        var pairs: [String] = []
        var entry = environ
        while let text = entry.pointee {
            let pair = String(cString: text)
            if changes[String(pair.prefix { $0 != "=" })] == nil { pairs.append(pair) }
            entry += 1
        }
        return pairs + changes.map { "\($0.key)=\($0.value)" }
    }
}

/// Sets up a child's standard streams before it executes the program.
private struct SpawnActions {
    #if canImport(Darwin)
        private var actions: posix_spawn_file_actions_t?
    #else
        private var actions = posix_spawn_file_actions_t()
    #endif

    init() { posix_spawn_file_actions_init(&actions) }

    mutating func open(_ stream: Int32, _ path: String, _ flags: Int32) {
        posix_spawn_file_actions_addopen(&actions, stream, path, flags, 0o644)
    }

    func spawn(
        _ pid: inout pid_t, _ executable: String, _ arguments: [UnsafeMutablePointer<CChar>?],
        _ environment: [UnsafeMutablePointer<CChar>?]
    ) -> Int32 {
        withUnsafePointer(to: actions) { posix_spawn(&pid, executable, $0, nil, arguments, environment) }
    }

    mutating func destroy() { posix_spawn_file_actions_destroy(&actions) }
}

/// Passes texts as a null-terminated array of C strings.
private func withCStrings<Result>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    let copies = texts.map { strdup($0) }
    defer { copies.forEach { free($0) } }
    return body(copies + [nil])
}
