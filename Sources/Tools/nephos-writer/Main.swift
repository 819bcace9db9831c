import Foundation
import NephosTesting

/// One of two processes that concurrently write random changes to a user's zones, for the tests of feeds.
///
/// They write to a data folder, or to the PostgreSQL database in `NEPHOS_STORE`. Acknowledged writes are reported on standard
/// output (``JournalLine``). Exits with 0, or with 1 and the reason on standard error.
///
/// With the argument `scratch` first, it writes rows of tables that no server uses, for crash tests (``ScratchRun``).
@main
enum Main {
    static func main() async {
        do {
            try await run(CommandLine.arguments)
        } catch {
            FileHandle.standardError.write(Data("nephos-writer: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ arguments: [String]) async throws {
        let url = ProcessInfo.processInfo.environment["NEPHOS_STORE"].flatMap { $0.isEmpty ? nil : $0 }
        if let scratch = ScratchRun(arguments, url: url) { return try await scratch.run() }
        guard arguments.count == 7, let number = Int(arguments[4]), let seed = UInt64(arguments[5]),
            let steps = Int(arguments[6])
        else { throw Problem("usage: nephos-writer FOLDER CONTAINER ACCOUNT NUMBER SEED STEPS") }
        let database = try await JournaledDatabase(
            folder: arguments[1], url: url, container: arguments[2], account: arguments[3])
        defer { database.close() }
        try await database.meet(number, of: 2)
        // Two concurrent tasks, so that some of their commits share a transaction.
        try await withThrowingTaskGroup(of: Void.self) { hands in
            for hand in 0..<2 {
                hands.addTask {
                    var writer = RandomWriter(database, process: number, hand: hand, seed: seed)
                    for _ in 0..<steps { try await writer.step() }
                }
            }
            try await hands.waitForAll()
        }
    }
}

struct Problem: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
