import Foundation
package import NephosTesting

/// Copies a store with data into a SQLite store, and from there into a new store of the first engine, with a command that is killed and
/// run again. Each copy must serve a user with the change tokens of the original (docs/running.md, "Moving a store").
package struct CopyRun: Sendable {
    package var records = 1_000
    /// The number of records with a file.
    package var files = 100
    /// How often the command is killed in each direction, unless it ends before.
    package var kills = 3

    package init() {}

    /// The result of a run.
    package struct Report: Sendable {
        /// The faults, one per line.
        package var faults: [String] = []
        /// A line for each copy.
        package var lines: [String] = []
    }

    /// Copies a store of any engine into a SQLite store and back.
    ///
    /// - Parameters:
    ///   - first: The engine of the first store.
    ///   - progress: Called with a line for each step.
    /// - Throws: ``UnusableCopyAnswer``, ``CommandFailure``, ``SystemError``, ``ServerDidNotStart``.
    package func run(from first: TestEngine, progress: (String) -> Void = { _ in }) throws -> Report {
        var report = Report()
        var store = try TestStore(first)
        let user = try CopyUser(store, records: records, files: files)
        var held = try user.held()
        try user.leave()
        progress("\(records) records and \(files) files are saved on \(first)")
        if try !refusesDamage(of: store) {
            report.faults.append("a damaged file was copied, or a repaired one was not")
        }
        for engine in [.sqlite, first] {
            let target = try TestStore(engine)
            let start = ContinuousClock.now
            let (seconds, killed) = try copy(store, to: target)
            let whole = (ContinuousClock.now - start) / .seconds(1)
            let times = [whole, seconds].map { String(format: "%.1f", $0) }
            report.lines.append(
                "\(store.engine) to \(engine): \(times[0]) s, killed \(killed) times and then run for \(times[1]) s")
            progress(report.lines.last ?? "")
            let moved = try user.moved(to: target)
            report.faults += try moved.differences(from: held)
            held = try moved.held()
            try moved.leave()
            store = target
        }
        return report
    }

    // MARK: Copying

    /// Whether a copy with a damaged file fails, and then completes after the file was repaired.
    private func refusesDamage(of source: TestStore) throws -> Bool {
        let (folder, target) = (source.data + "/assets", try TestStore(.sqlite))
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String }.sorted() ?? []
        let files = names.map { "\(folder)/\($0)" }.filter { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
        }
        guard let path = files.last else { return files.count == self.files }
        let whole = try readFile(path)
        try writeFile(path, whole.dropLast() + [(whole.last ?? 0) ^ 1])
        let refused = try CopyCommand(source, target)
        let end = refused.child.wait()
        try writeFile(path, whole)
        return try end == .exited(1) && refused.errorOutput.contains("is damaged or missing in ")
            && CopyCommand(source, target).child.wait() == .exited(0)
    }

    /// - Returns: The duration of the last run, which is not killed, and the number of runs that were killed.
    private func copy(_ source: TestStore, to target: TestStore) throws -> (seconds: Double, killed: Int) {
        var killed = 0
        // The first run is killed shortly after it has begun, each further one a little later.
        let step = (Double(records) / 20_000 + 0.1) / Double(max(kills, 1))
        for kill in 0..<kills {
            let command = try CopyCommand(source, target)
            let patience = 0.04 + Double(kill) * step
            guard command.child.wait(atMost: patience) == nil else { break }
            command.child.signal(SIGKILL)
            command.child.wait()
            killed += 1
        }
        let start = ContinuousClock.now
        let last = try CopyCommand(source, target)
        let end = last.child.wait()
        // An earlier run may have finished just before it was killed. (An unfinished copy cannot be opened afterwards.)
        let isOver = end == .exited(0) || last.errorOutput.contains("is not empty")
        guard isOver else {
            throw UnusableCopyAnswer(description: "\(last.arguments) ended with \(end): \(last.errorOutput)")
        }
        return ((ContinuousClock.now - start) / .seconds(1), killed)
    }
}

/// A running `nephos store copy`.
private struct CopyCommand {
    let arguments: [String]
    let child: ChildProcess
    private let folder: TemporaryFolder

    init(_ source: TestStore, _ target: TestStore) throws {
        folder = try TemporaryFolder(prefix: "nephos-copy")
        arguments =
            ["store", "copy"] + [source, target].map { $0.url ?? $0.data }
            + ["--from-assets", source.data + "/assets", "--to-assets", target.data + "/assets"]
        child = try ChildProcess(
            try builtProgram("nephos", orNamedBy: "NEPHOS_BINARY"), arguments,
            environment: ["NEPHOS_SECRET_KEY": TestStore.secretKey, "NEPHOS_SECRET_KEY_FILE": "", "NEPHOS_STORE": ""],
            output: folder.path + "/output", errors: folder.path + "/errors")
    }

    /// The contents of its standard error.
    var errorOutput: String {
        (try? readFile(folder.path + "/errors")).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
