import Foundation
import NephosTesting
import StorageConformance
import TestEngines

/// `nephos-writer scratch FOLDER STEPS`: concurrent tasks that write rows of described tables that no server uses, this many steps
/// each. Standard output has a line for each step, after the store has acknowledged it: the task, the step, and the time according
/// to ``monotonicNow()``.
struct ScratchRun {
    private let folder: String
    private let url: String?
    private let steps: Int

    /// nil for other arguments.
    init?(_ arguments: [String], url: String?) {
        guard arguments.count == 4, arguments[1] == "scratch", let steps = Int(arguments[3]) else { return nil }
        (folder, self.url, self.steps) = (arguments[2], url, steps)
    }

    func run() async throws {
        let work = try await ScratchWork { [folder, url] in
            try openEngine(folder: folder, url: url, tables: TableCase.tables)
        }
        defer { work.close() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for hand in 0..<ScratchWork.hands {
                group.addTask {
                    try await work.go(on: hand, steps: steps) { step in
                        let line = "\(hand) \(step) \(monotonicNow())\n"
                        try FileHandle.standardOutput.write(contentsOf: Data(line.utf8))
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
