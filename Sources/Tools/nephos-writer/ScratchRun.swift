import Foundation
import NephosTesting
import StorageConformance
import TestEngines

/// `nephos-writer scratch FOLDER STEPS`: hands that write rows of described tables which no server knows, so many steps each.
/// Standard output has a line for each step, after the store has acknowledged it: the hand, the step, and when that was, by
/// ``monotonicNow()``.
struct ScratchRun {
    private let folder: String
    private let url: String?
    private let steps: Int

    /// nil for what is no such call.
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
