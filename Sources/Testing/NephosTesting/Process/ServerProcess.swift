import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The server did not start; its log is included.
package struct ServerDidNotStart: Error, CustomStringConvertible {
    package var end: ProcessEnd?
    package var log: String

    package init(end: ProcessEnd?, log: String) {
        self.end = end
        self.log = log
    }

    /// The last line comes first: it contains the reason, and test reports are often truncated to one line.
    package var description: String {
        let why = log.split(separator: "\n").last ?? "it printed nothing"
        return "nephos serve did not start (\(end.map { "\($0)" } ?? "still running")): \(why)\n\(log)"
    }

    /// Another process took the port after it was found to be free.
    var isAboutThePort: Bool { log.contains(" is in use; choose another with --port") }
}

/// A real `nephos serve` process with its own port and store. It is killed when the last reference is released.
///
/// May be used from several threads; start and stop it from one at a time.
package final class ServerProcess: TestServer {
    package let command: NephosCommand
    /// Stays the same across restarts.
    package let port: Int
    /// Path of the server's log file, across all its restarts.
    package let log: String
    private let folder: TemporaryFolder
    private let arguments: [String]
    private let child: Mutex<ChildProcess?>

    /// Starts a server and waits until it responds. Unless it is measured (`--bench`), it has the time limits of
    /// ``Patience/ofServers``.
    ///
    /// - Parameters:
    ///   - arguments: Additional arguments of `serve`.
    ///   - environment: Added to this process's environment, for the server and ``command``.
    ///   - data: A data folder, which implies SQLite.
    ///   - store: The store, if there is no `data`; nil creates one, with the engine that the run tests.
    /// - Throws: ``SystemError``, ``ServerDidNotStart``.
    package init(
        _ arguments: [String] = [], environment: [String: String] = [:], executable: String? = nil,
        data: String? = nil, store: TestStore? = nil
    ) throws {
        folder = try TemporaryFolder(prefix: "nephos-server")
        var command =
            if let data {
                try NephosCommand(data: data, executable: executable)
            } else {
                try NephosCommand(try store ?? TestStore(), executable: executable)
            }
        if !arguments.contains("--bench") { command.environment.merge(Patience.ofServers) { _, new in new } }
        command.environment.merge(environment) { _, new in new }
        self.command = command
        self.arguments = arguments
        log = folder.path + "/log"
        let first = try ServerProcess.launchOnFreePort(command, arguments, log: log)
        port = first.port
        child = Mutex(first.child)
        IssuedSecrets.link(port: port, to: command.data)
    }

    deinit {
        if let child = child.withLock({ $0 }) {
            child.signal(SIGKILL)
            child.wait()
        }
        IssuedSecrets.look(log: logText, port: port, store: command.store, data: command.data)
    }

    /// The running process. - Throws: ``SystemError`` if none is running.
    package var process: ChildProcess {
        get throws {
            guard let child = child.withLock({ $0 }) else { throw SystemError("use a stopped server", code: ESRCH) }
            return child
        }
    }

    /// The server's log so far.
    package var logText: String { ServerProcess.text(of: log) }

    package func log(after place: Int) throws -> (text: String, place: Int) {
        let bytes = try readFile(log, from: place)
        return (String(decoding: bytes, as: UTF8.self), place + bytes.count)
    }

    private static func text(of log: String) -> String {
        (try? readFile(log)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Starts it (again) on the same port and data, and waits until it responds.
    ///
    /// - Throws: ``ServerDidNotStart``, ``SystemError``.
    package func start() throws {
        let started = try ServerProcess.launch(command, port, arguments, log: log)
        child.withLock { $0 = started }
    }

    /// Tries another port if another process takes the chosen one first.
    private static func launchOnFreePort(
        _ command: NephosCommand, _ arguments: [String], log: String, attempts: Int = 5
    ) throws -> (port: Int, child: ChildProcess) {
        let port = try Socket.freePort()
        do {
            return (port, try launch(command, port, arguments, log: log))
        } catch let error as ServerDidNotStart where error.isAboutThePort && attempts > 1 {
            return try launchOnFreePort(command, arguments, log: log, attempts: attempts - 1)
        }
    }

    private static func launch(
        _ command: NephosCommand, _ port: Int, _ arguments: [String], log: String
    ) throws -> ChildProcess {
        let said = text(of: log).utf8.count
        let child = try command.start(
            ["serve", "--new-store", "--port", "\(port)"] + arguments, output: log, errors: log)
        // Checks its own log as well: the responses on the port may be those of another server.
        let isReady = Deadline().waits {
            guard child.hasEnded == nil else { return true }
            return answers(on: port) && text(of: log).utf8.dropFirst(said).contains("Nephos serves".utf8)
        }
        let end = child.hasEnded
        guard isReady, end == nil else {
            child.signal(SIGKILL)
            child.wait()
            throw ServerDidNotStart(end: end, log: text(of: log))
        }
        return child
    }

    /// Requests a shutdown (SIGTERM), and waits for it.
    ///
    /// - Returns: How it ended; nil if it had to be killed after this many seconds.
    @discardableResult
    package func stop(within seconds: Double) throws -> ProcessEnd? {
        let child = try process
        child.signal(SIGTERM)
        let end = child.wait(atMost: seconds)
        if end == nil { try kill() }
        self.child.withLock { $0 = nil }
        return end
    }

    /// Ends it like a power failure, as far as that is possible for a process (SIGKILL).
    package func kill() throws {
        let child = try process
        child.signal(SIGKILL)
        child.wait()
        self.child.withLock { $0 = nil }
    }

    /// Resources used by the running server. - Throws: ``SystemError``.
    package var usage: ProcessUsage { get throws { try ProcessUsage(of: process.id) } }

    /// Whether it reports that it is healthy.
    package var answers: Bool { ServerProcess.answers(on: port) }

    private static func answers(on port: Int) -> Bool {
        guard let connection = try? HTTPConnection(port: port, timeout: 5),
            let response = try? connection.exchange(HTTPRequest("GET", "/healthz"))
        else { return false }
        return response.status == 200
    }
}
