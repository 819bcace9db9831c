import Foundation
import NephosTesting

/// A program that counts the instructions it executes, by valgrind's callgrind: user mode only, all threads together. The
/// count does not depend on what else the machine does, and hardly on the machine.
struct InstructionCounter {
    private let folder: TemporaryFolder

    /// Runs as it is, and under callgrind in ``environment``.
    var program: String { folder.path + "/nephos" }

    /// Without the first of them, tables of Swift are laid out anew in each process. Background work, which would be counted
    /// with whatever request is under way, comes much later.
    let environment = [
        "SWIFT_DETERMINISTIC_HASHING": "1", "COUNTING": "1", "NEPHOS_UPKEEP_SECONDS": "86400",
        "NEPHOS_PUSH_POLL_SECONDS": "3600",
    ]

    /// - Parameter program: A release build. Its debug information is left out of what runs: valgrind would read all of it.
    /// - Throws: ``Wrk/Failure`` when it cannot be stripped.
    init(program: String) throws {
        folder = try TemporaryFolder(prefix: "nephos-instructions")
        let stripped = folder.path + "/stripped"
        try Self.run("strip", ["--strip-debug", "-o", stripped, program], in: folder.path)
        let script = """
            #!/bin/sh
            # Programs of before this option make a store wherever there is none.
            if ! '\(stripped)' help serve | grep -q -e --new-store; then
                for argument; do
                    shift
                    [ "$argument" = --new-store ] || set -- "$@" "$argument"
                done
            fi
            [ "$1" = serve ] && [ -n "$COUNTING" ] || exec '\(stripped)' "$@"
            # To hash a password takes as long as it is meant to, and is no part of what a request costs.
            exec valgrind --tool=callgrind --instr-atstart=no --toggle-collect='*EVP_PBE_scrypt' --collect-atstart=yes \
            --callgrind-out-file='\(folder.path)/count' \
            --log-file='\(folder.path)/valgrind' '\(stripped)' "$@"
            """
        try writeFile(self.program, Array(script.utf8))
        // Whoever runs this, the server and what controls it run as the same user, who must reach both.
        for path in [self.program, folder.path] {
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
    }

    /// Instructions that the server executes while `body` runs. What a server does after its start is over by then.
    func count(_ server: ServerProcess, _ body: () throws -> Void) throws -> Double {
        try rest(server)
        // Takes what was counted before out of all threads, which to set the counters back does not.
        _ = try dump(server)
        try body()
        return try dump(server)
    }

    /// Waits until the server does nothing any more, for a minute at most.
    private func rest(_ server: ServerProcess) throws {
        let process = try server.process.id
        var before = -1
        for _ in 0..<60 {
            let now = try processorTime(process)
            // So much is what looks now and then whether there is something to do.
            if before >= 0, now - before <= 5 { return }
            before = now
            Thread.sleep(forTimeInterval: 1)
        }
    }

    /// In hundredths of a second.
    private func processorTime(_ process: Int32) throws -> Int {
        // What follows the name of the program, which is in parentheses: the 12th and 13th field are time of user and system.
        let fields =
            String(decoding: try readFile("/proc/\(process)/stat"), as: UTF8.self)
            .split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 13, let user = Int(fields[11]), let system = Int(fields[12]) else {
            throw Wrk.Failure(description: "process \(process) has no times")
        }
        return user + system
    }

    /// What was counted since the last dump.
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

    /// Counting costs time, so it begins when there is something to count.
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
