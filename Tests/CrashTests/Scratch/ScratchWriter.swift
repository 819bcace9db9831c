import NephosTesting
import StorageConformance

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A process whose engine knows described tables that no server uses, and writes their rows (``ScratchWork``).
struct ScratchWriter {
    private let said: TemporaryFolder
    private let process: ChildProcess

    /// - Parameter steps: Per hand.
    init(data: String, environment: [String: String], steps: Int) throws {
        said = try TemporaryFolder(prefix: "nephos-scratch")
        process = try ChildProcess(
            try builtProgram("nephos-writer", orNamedBy: "NEPHOS_WRITER_BINARY"), ["scratch", data, "\(steps)"],
            environment: environment, output: said.path + "/steps", errors: said.path + "/errors")
    }

    /// The steps acknowledged so far, with their times according to ``monotonicNow()``.
    func acknowledged() throws -> [(hand: Int, step: Int64, time: UInt64)] {
        try String(decoding: readFile(said.path + "/steps"), as: UTF8.self).split(separator: "\n").map { line in
            let words = line.split(separator: " ")
            guard words.count == 3, let hand = Int(words[0]), let step = Int64(words[1]), let time = UInt64(words[2])
            else { throw WrongAnswer(description: "nephos-writer said: \(line)") }
            return (hand, step, time)
        }
    }

    /// Waits until it is done. - Throws: ``WrongAnswer`` if it failed.
    func finish() throws {
        guard process.wait() == .exited(0) else { throw failure() }
    }

    /// Kills it in the middle of its work, after this many acknowledged steps in total.
    ///
    /// - Parameter strike: Kills something else a moment before.
    func kill(after steps: Int, _ strike: () throws -> Void = {}) throws {
        let isEnough = try Deadline().waits { try process.hasEnded != nil || acknowledged().count >= steps }
        guard isEnough, process.hasEnded == nil else { throw failure() }
        try strike()
        process.signal(SIGKILL)
        process.wait()
    }

    private func failure() -> WrongAnswer {
        let errors = (try? readFile(said.path + "/errors")) ?? []
        return WrongAnswer(description: "nephos-writer: \(String(decoding: errors, as: UTF8.self))")
    }
}
