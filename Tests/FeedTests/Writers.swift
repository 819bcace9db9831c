import NephosTesting

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Two processes that write to one store concurrently.
final class Writers {
    /// Commits, sweeps and purges of each of the two tasks of each process.
    static let steps = 60

    private let folder: TemporaryFolder
    private var children: [ChildProcess] = []
    /// For all of their work together.
    private let deadline = Deadline(seconds: Double(5 * Patience.seconds))

    init(_ person: Person, seed: UInt64) throws {
        folder = try TemporaryFolder(prefix: "nephos-writers")
        let program = try builtProgram("nephos-writer", orNamedBy: "NEPHOS_WRITER_BINARY")
        for number in 0..<2 {
            let arguments = [Person.container, Person.account, "\(number)", "\(seed)", "\(Self.steps)"]
            children.append(
                try ChildProcess(
                    program, [person.place.data] + arguments, environment: person.place.environment,
                    output: journal(number), errors: errors(number)))
        }
    }

    deinit {
        for child in children {
            child.signal(SIGKILL)
            child.wait()
        }
    }

    private func journal(_ number: Int) -> String { "\(folder.path)/journal-\(number)" }
    private func errors(_ number: Int) -> String { "\(folder.path)/errors-\(number)" }

    /// Whether both have ended, or have exceeded the time limit.
    var haveEnded: Bool { deadline.hasPassed || children.allSatisfy { $0.hasEnded != nil } }

    /// Their errors.
    func faults() throws -> [String] {
        try children.enumerated().compactMap { number, child in
            guard child.hasEnded != .exited(0) else { return nil }
            let errors = String(decoding: try readFile(errors(number)), as: UTF8.self)
            return "writer \(number): \(child.hasEnded.map { "\($0)" } ?? "does not end"): \(errors)"
        }
    }

    /// The acknowledged writes of each.
    func journals() throws -> [[JournalLine]] { try children.indices.map { try JournalLine.read(journal($0)) } }
}
