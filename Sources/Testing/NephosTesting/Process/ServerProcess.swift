import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The server did not come up; what it said is inside.
package struct ServerDidNotStart: Error, CustomStringConvertible {
    package var end: ProcessEnd?
    package var log: String

    package init(end: ProcessEnd?, log: String) {
        self.end = end
        self.log = log
    }

    /// The last line comes first: it says why, and reports of tests are often cut to one line.
    package var description: String {
        let why = log.split(separator: "\n").last ?? "it said nothing"
        return "nephos serve did not start (\(end.map { "\($0)" } ?? "still running")): \(why)\n\(log)"
    }

    /// Somebody else took the port between the look whether it is free and the server's own.
    var isAboutThePort: Bool { log.contains("Address already in use") }
}

/// A real `nephos serve` on a port and a store of its own. It is killed when the last reference goes.
///
/// May be used from several threads; starting and stopping are for one at a time.
package final class ServerProcess: TestServer {
    package let command: NephosCommand
    /// Stays the same over restarts.
    package let port: Int
    /// Path of the file that holds what the server said, over all its restarts.
    package let log: String
    private let folder: TemporaryFolder
    private let arguments: [String]
    private let child: Mutex<ChildProcess?>

    /// Starts a server and waits until it answers.
    ///
    /// - Parameters:
    ///   - arguments: More of them for `serve`.
    ///   - environment: Set on top of this process's environment, for the server and ``command``.
    ///   - data: A data folder, which makes it a server with SQLite.
    ///   - store: Where the data is, without `data`; nil makes a place for it, with the engine that the run is about.
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

    /// The running process. - Throws: ``SystemError`` when none runs.
    package var process: ChildProcess {
        get throws {
            guard let child = child.withLock({ $0 }) else { throw SystemError("use a stopped server", code: ESRCH) }
            return child
        }
    }

    /// What the server has said so far.
    package var logText: String { ServerProcess.text(of: log) }

    package func log(after place: Int) throws -> (text: String, place: Int) {
        let bytes = try readFile(log, from: place)
        return (String(decoding: bytes, as: UTF8.self), place + bytes.count)
    }

    private static func text(of log: String) -> String {
        (try? readFile(log)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Starts it (again) on the same port and data, and waits until it answers.
    ///
    /// - Parameter seconds: How long it may take. - Throws: ``ServerDidNotStart``, ``SystemError``.
    package func start(within seconds: Double = 30) throws {
        let started = try ServerProcess.launch(command, port, arguments, log: log, within: seconds)
        child.withLock { $0 = started }
    }

    /// Tries another port when somebody takes the one that was found before the server does.
    private static func launchOnFreePort(
        _ command: NephosCommand, _ arguments: [String], log: String, attempts: Int = 5
    ) throws -> (port: Int, child: ChildProcess) {
        let port = try Socket.freePort()
        do {
            return (port, try launch(command, port, arguments, log: log, within: 30))
        } catch let error as ServerDidNotStart where error.isAboutThePort && attempts > 1 {
            return try launchOnFreePort(command, arguments, log: log, attempts: attempts - 1)
        }
    }

    private static func launch(
        _ command: NephosCommand, _ port: Int, _ arguments: [String], log: String, within seconds: Double
    ) throws -> ChildProcess {
        let said = text(of: log).utf8.count
        let child = try command.start(
            ["serve", "--new-store", "--port", "\(port)"] + arguments, output: log, errors: log)
        // It says itself that it serves: what answers on the port may be somebody else's.
        let isReady = Deadline(seconds: seconds).waits {
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

    /// Asks it to finish (SIGTERM), and waits until it has.
    ///
    /// - Returns: How it ended; nil when it had to be killed after so many seconds.
    @discardableResult
    package func stop(within seconds: Double) throws -> ProcessEnd? {
        let child = try process
        child.signal(SIGTERM)
        let end = child.wait(atMost: seconds)
        if end == nil { try kill() }
        self.child.withLock { $0 = nil }
        return end
    }

    /// Ends it as a power cut would, as far as a process can (SIGKILL).
    package func kill() throws {
        let child = try process
        child.signal(SIGKILL)
        child.wait()
        self.child.withLock { $0 = nil }
    }

    /// What the running server has used. - Throws: ``SystemError``.
    package var usage: ProcessUsage { get throws { try ProcessUsage(of: process.id) } }

    /// Whether it says of itself that it is well.
    package var answers: Bool { ServerProcess.answers(on: port) }

    private static func answers(on port: Int) -> Bool {
        guard let connection = try? HTTPConnection(port: port, timeout: 5),
            let response = try? connection.exchange(HTTPRequest("GET", "/healthz"))
        else { return false }
        return response.status == 200
    }
}
