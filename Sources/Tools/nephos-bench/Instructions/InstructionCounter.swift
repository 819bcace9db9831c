import Foundation
import NephosTesting

/// Counts the instructions that a program executes with valgrind's callgrind: user mode only, all threads together. The count does
/// not depend on other load, and hardly on the machine.
struct InstructionCounter {
    private let folder: TemporaryFolder

    /// A script that runs the program directly, or under callgrind with ``environment``.
    var program: String { folder.path + "/nephos" }

    /// Without the first variable, Swift's hash tables differ in each process. Background work, which would be counted with the
    /// running request, is delayed.
    let environment = [
        "SWIFT_DETERMINISTIC_HASHING": "1", "COUNTING": "1", "NEPHOS_UPKEEP_SECONDS": "86400",
        "NEPHOS_PUSH_POLL_SECONDS": "3600",
    ]

    /// - Parameter program: A release build. Its debug information is stripped from the copy that runs, because valgrind would read
    ///   all of it.
    /// - Throws: ``Wrk/Failure`` if it cannot be stripped.
    init(program: String) throws {
        folder = try TemporaryFolder(prefix: "nephos-instructions")
        let stripped = folder.path + "/stripped"
        try Self.run("strip", ["--strip-debug", "-o", stripped, program], in: folder.path)
        let script = """
            #!/bin/sh
            # Programs older than this option create a store wherever there is none.
            if ! '\(stripped)' help serve | grep -q -e --new-store; then
                for argument; do
                    shift
                    [ "$argument" = --new-store ] || set -- "$@" "$argument"
                done
            fi
            [ "$1" = serve ] && [ -n "$COUNTING" ] || exec '\(stripped)' "$@"
            # Hashing a password is slow on purpose, and is not counted.
            exec valgrind --tool=callgrind --instr-atstart=no --toggle-collect='*EVP_PBE_scrypt' --collect-atstart=yes \
            --callgrind-out-file='\(folder.path)/count' \
            --log-file='\(folder.path)/valgrind' '\(stripped)' "$@"
            """
        try writeFile(self.program, Array(script.utf8))
        // The server and the tool that controls it run as one user, who may not be the caller of this tool and must have access to
        // both.
        for path in [self.program, folder.path] {
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
    }

    /// Instructions that the server executes while `body` runs. The server's work at startup is finished before.
    func count(_ server: ServerProcess, _ body: () throws -> Void) throws -> Double {
        try rest(server)
        // Clears earlier counts in all threads, which resetting the counters does not.
        _ = try dump(server)
        try body()
        return try dump(server)
    }

    /// Waits until the server is idle, at most for a minute.
    private func rest(_ server: ServerProcess) throws {
        let process = try server.process.id
        var before = -1
        for _ in 0..<60 {
            let now = try processorTime(process)
            // Periodic checks for work use this much.
            if before >= 0, now - before <= 5 { return }
            before = now
            Thread.sleep(forTimeInterval: 1)
        }
    }

    /// In hundredths of a second.
    private func processorTime(_ process: Int32) throws -> Int {
        // The fields after the name of the program, which is in parentheses: the 12th and 13th are user and system time.
        let fields =
            String(decoding: try readFile("/proc/\(process)/stat"), as: UTF8.self)
            .split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 13, let user = Int(fields[11]), let system = Int(fields[12]) else {
            throw Wrk.Failure(description: "the times of process \(process) cannot be read")
        }
        return user + system
    }

    /// The count since the last dump.
    private func dump(_ server: ServerProcess) throws -> Double {
        let before = try dumps()
        try control(["--dump", "\(try server.process.id)"])
        guard let dump = try dumps().subtracting(before).first else {
            throw Wrk.Failure(description: "callgrind wrote no count")
        }
        defer { try? FileManager.default.removeItem(atPath: "\(folder.path)/\(dump)") }
        let text = String(decoding: try readFile("\(folder.path)/\(dump)"), as: UTF8.self)
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("summary: ") }),
            let total = line.split(separator: " ").last.flatMap({ Double($0) })
        else { throw Wrk.Failure(description: "callgrind's file \(dump) has no summary") }
        return total
    }

    /// Counting slows the server down, so it is enabled only for measuring.
    func begin(_ server: ServerProcess) throws { try control(["--instr=on", "\(try server.process.id)"]) }

    private func dumps() throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("count.") })
    }

    private func control(_ arguments: [String]) throws {
        try Self.run("callgrind_control", arguments, in: folder.path)
    }

    private static func run(_ program: String, _ arguments: [String], in folder: String) throws {
        let said = folder + "/said"
        let child = try ChildProcess("/usr/bin/env", [program] + arguments, output: said, errors: said)
        guard child.wait() == .exited(0) else {
            throw Wrk.Failure(description: "\(program): \(String(decoding: try readFile(said), as: UTF8.self))")
        }
    }
}
