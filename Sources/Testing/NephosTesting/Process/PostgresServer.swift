import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A test's own PostgreSQL server, on a socket in its own folder, with the durability of an installed one. It is stopped when the
/// last reference is released.
package final class PostgresServer: Sendable {
    /// The folder of its programs: `NEPHOS_POSTGRES_BIN`, else Debian's.
    package static var programs: String {
        let named = ProcessInfo.processInfo.environment["NEPHOS_POSTGRES_BIN"] ?? ""
        if !named.isEmpty { return named }
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        let newest = versions.compactMap(Int.init).max() ?? 15
        return "/usr/lib/postgresql/\(newest)/bin"
    }

    private let folder: TemporaryFolder
    private let settings: [String]
    private let environment: [String: String]
    private let databases = Mutex(0)

    /// - Parameters:
    ///   - settings: Additional settings, as `name=value`.
    ///   - environment: Added to this process's environment, for the server only.
    /// - Throws: ``SystemError`` if PostgreSQL is not installed or does not start.
    package init(settings: [String] = [], environment: [String: String] = [:]) throws {
        self.settings = settings
        self.environment = environment
        folder = try TemporaryFolder(prefix: "nephos-postgres")
        // PostgreSQL refuses to run as root.
        if getuid() == 0 { try Self.run("/usr/bin/env", ["chown", "postgres", folder.path], in: folder) }
        // Its socket is accessible to every user; the data is in a folder inside that only the server can access.
        guard chmod(folder.path, 0o755) == 0 else { throw SystemError("chmod \(folder.path)") }
        try control(
            "initdb",
            ["-D", data, "-U", "nephos", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8"])
        try start()
    }

    deinit { try? stop(mode: "immediate") }

    private var data: String { folder.path + "/data" }

    /// Processor time used by all processes of the server, in nanoseconds.
    package var cpuNanoseconds: UInt64 {
        get throws {
            let first = String(decoding: try readFile(data + "/postmaster.pid"), as: UTF8.self).split(separator: "\n")
                .first
            guard let postmaster = first.flatMap({ Int32($0) }) else {
                throw SystemError("read postmaster.pid", code: EIO)
            }
            let all = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }
            // Processes that end in the meantime are skipped.
            return all.reduce(0) { sum, process in
                guard let stat = try? ProcessStat(of: process) else { return sum }
                if process == postmaster { return sum + stat.own + stat.ended }
                return stat.parent == postmaster ? sum + stat.own : sum
            }
        }
    }

    /// Whether it is running, starting or stopping. A killed server may appear to be running.
    package var isRunning: Bool { access(data + "/postmaster.pid", F_OK) == 0 }

    /// The path of its log.
    package var log: String { folder.path + "/log" }

    /// The server's log so far.
    package var logText: String { (try? readFile(log)).map { String(decoding: $0, as: UTF8.self) } ?? "" }

    /// A new, empty database. - Returns: A value for `--store`.
    package func createDatabase() throws -> String {
        let name = databases.withLock { count in
            count += 1
            return "test\(count)"
        }
        try control("createdb", ["-h", folder.path, "-U", "nephos", name])
        return url(name)
    }

    package func url(_ database: String) -> String { "postgres://nephos@/\(database)?host=\(folder.path)" }

    /// Executes statements in a database, and returns their output, one row per line. - Throws: ``SystemError``.
    @discardableResult
    package func sql(_ text: String, in url: String) throws -> String {
        try Self.run("\(Self.programs)/psql", ["-X", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", text, url], in: folder)
    }

    package func start() throws {
        let own = ["listen_addresses=", "max_connections=300"]
        let options = "-k \(folder.path) " + (own + settings).map { "-c \($0)" }.joined(separator: " ")
        try control(
            "pg_ctl", ["-D", data, "-l", log] + Self.waiting + ["-o", options, "start"], environment)
    }

    /// - Parameter mode: `fast` ends sessions and shuts down; `immediate` simulates a crash of the machine, except that the system
    ///   still writes its buffers.
    package func stop(mode: String) throws {
        try control("pg_ctl", ["-D", data] + Self.waiting + ["-m", mode, "stop"])
    }

    private static let waiting = ["-w", "-t", "\(Patience.seconds)"]

    /// Makes it start as a read-only standby from now on. It must be stopped.
    package func makeStandby() throws { try writeFile(data + "/standby.signal", []) }

    private func control(
        _ program: String, _ arguments: [String], _ environment: [String: String] = [:]
    ) throws {
        let path = "\(Self.programs)/\(program)"
        guard access(path, X_OK) == 0 else {
            throw SystemError("find \(path): install postgresql, or set NEPHOS_POSTGRES_BIN", code: ENOENT)
        }
        let command = getuid() == 0 ? ["runuser", "-u", "postgres", "--", path] : [path]
        try Self.run("/usr/bin/env", command + arguments, environment, in: folder)
    }

    @discardableResult
    private static func run(
        _ program: String, _ arguments: [String], _ environment: [String: String] = [:], in folder: TemporaryFolder
    ) throws -> String {
        // Outside the server's folder, which belongs to another user.
        let said = try TemporaryFolder(prefix: "nephos-postgres-said")
        let child = try ChildProcess(
            program, arguments, environment: environment, as: .caller, output: said.path + "/output",
            errors: said.path + "/errors")
        let end = child.wait()
        let output = String(decoding: try readFile(said.path + "/output"), as: UTF8.self)
        guard end == .exited(0) else {
            let errors = String(decoding: try readFile(said.path + "/errors"), as: UTF8.self)
            throw SystemError("\(arguments.joined(separator: " ")): \(output)\(errors)", code: EIO)
        }
        return output
    }
}

/// One line of `/proc/…/stat`.
private struct ProcessStat {
    var parent: Int32
    /// Processor time of the process, and of children that have ended, in nanoseconds.
    var own, ended: UInt64

    init(of process: Int32) throws {
        let text = String(decoding: try readFile("/proc/\(process)/stat"), as: UTF8.self)
        // The name is in parentheses, and may contain anything.
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ").dropFirst()
        let numbers = fields.map { UInt64($0) ?? 0 }
        guard numbers.count > 14 else { throw SystemError("read /proc/\(process)/stat", code: EIO) }
        let tick = 1_000_000_000 / UInt64(max(sysconf(Int32(_SC_CLK_TCK)), 1))
        parent = Int32(numbers[1])
        own = (numbers[11] + numbers[12]) * tick
        ended = (numbers[13] + numbers[14]) * tick
    }
}
