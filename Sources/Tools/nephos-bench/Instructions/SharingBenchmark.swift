import Foundation
import NephosTesting

/// Prints the user-mode instructions of requests in shares, and compares them with those of the same requests outside of shares.
/// docs/performance.md has method and results.
enum SharingBenchmark {
    /// Exits with 1 if a request costs more than it may.
    ///
    /// - Parameter arguments: A release build.
    static func run(_ arguments: [String]) {
        guard let program = arguments.first, arguments.count == 1 else {
            print("usage: nephos-bench shares PROGRAM")
            exit(2)
        }
        do {
            let counter = try InstructionCounter(program: program)
            let requests = try SharingRequests(program: counter.program)
            let server = try ServerProcess(
                ["--quiet"], environment: counter.environment, executable: counter.program, store: requests.store)
            let found = try Ratios(counter, server, clients: requests.people(server), requests.together)
            try server.stop()
            print(found.table)
            guard found.above.isEmpty else {
                print("More than they may: \(found.above.joined(separator: ", ")).")
                exit(1)
            }
        } catch {
            print("\(error)")
            exit(1)
        }
    }
}
