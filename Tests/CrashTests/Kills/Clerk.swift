import NephosTesting
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Creates accounts, sessions and API tokens with the command while the server is running, and records those that were
/// acknowledged.
final class Clerk: Sendable {
    private struct State {
        var isStopped = false
        var current: ChildProcess?
        var accounts: [String] = []
        var sessions: [String] = []
        var apiTokens: [String] = []
        var faults: [String] = []
    }

    private let command: NephosCommand
    private let container: String
    private let first: Int
    private let mayLoseDatabase: Bool
    private let state = Mutex(State())

    /// - Parameters:
    ///   - number: Unique to each clerk, so that their accounts differ.
    ///   - mayLoseDatabase: Whether a command may fail because the database is unreachable.
    init(_ command: NephosCommand, container: String, number: Int, mayLoseDatabase: Bool) {
        self.command = command
        self.container = container
        self.mayLoseDatabase = mayLoseDatabase
        first = number * 10_000
    }

    /// Creates one after the other until ``stop(killing:)``.
    func work() {
        var number = first
        while !state.withLock({ $0.isStopped }) {
            number += 1
            let email = "clerk\(number)@example.org"
            guard run(["account", "create", email]) != nil else { return }
            state.withLock { $0.accounts.append(email) }
            guard let session = run(["session", "create", container, email]) else { return }
            state.withLock { $0.sessions.append(session) }
            guard let token = run(["token", "create", container]) else { return }
            state.withLock { $0.apiTokens.append(token) }
        }
    }

    /// Stops the work. - Parameter kills: Whether the running command is killed.
    func stop(killing kills: Bool) {
        state.withLock {
            $0.isStopped = true
            if kills { $0.current?.signal(SIGKILL) }
        }
    }

    /// The output of a command; nil if it was killed or failed.
    private func run(_ arguments: [String]) -> String? {
        do {
            let folder = try TemporaryFolder(prefix: "nephos-clerk")
            let output = folder.path + "/output"
            let child = try command.start(arguments, output: output, errors: folder.path + "/errors")
            state.withLock { $0.current = child }
            let end = child.wait()
            if end == .exited(0) { return String(decoding: try readFile(output).dropLast(), as: UTF8.self) }
            let errors = String(decoding: try readFile(folder.path + "/errors"), as: UTF8.self)
            if mayLoseDatabase && errors.contains("The database cannot be reached") { return nil }
            if end != .signalled(SIGKILL) { fail("nephos \(arguments.joined(separator: " ")): \(end), \(errors)") }
        } catch {
            fail("\(error)")
        }
        return nil
    }

    private func fail(_ fault: String) { state.withLock { $0.faults.append(fault) } }

    /// Every acknowledged item that is missing, and every command that failed on its own.
    func faults(port: Int, apiToken: String) throws -> [String] {
        var (faults, accounts, sessions, apiTokens) = state.withLock {
            ($0.faults, $0.accounts, $0.sessions, $0.apiTokens)
        }
        for (credentials, expected) in sessions.map({ (Credentials.person(apiToken: apiToken, webAuthToken: $0), 200) })
            // The status for a missing user, which is determined only for a valid token.
            + apiTokens.map({ (Credentials.app(apiToken: $0), 421) })
        {
            let client = CloudKitClient(port: port, container: container, credentials: credentials)
            let status = try client.get("users/caller", .public).status
            if status != expected { faults.append("what was printed answers \(status): \(credentials)") }
        }
        if let email = accounts.popLast(), try command.run(["account", "create", email]).status != 1 {
            faults.append("the account \(email) is lost")
        }
        return faults
    }
}
