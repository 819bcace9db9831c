import Foundation
import NephosTesting

/// Prints the user-mode instructions that constraints and flags add to a request on a server. docs/performance.md has method and
/// results.
enum FeatureBenchmark {
    /// - Parameter arguments: A release build, and optionally a word: then only rows with that word in their names are measured,
    ///   and the rows that they are compared with.
    static func run(_ arguments: [String]) {
        guard let program = arguments.first, arguments.count <= 2 else {
            print("usage: nephos-bench features PROGRAM [WORD]")
            exit(2)
        }
        do {
            let counter = try InstructionCounter(program: program)
            let requests = try FeatureRequests(program: counter.program)
            let server = try ServerProcess(
                ["--quiet", "--public-url", PeopleRequests.site, "--trusted-proxy", "none"],
                environment: counter.environment, executable: counter.program, store: requests.store)
            let found = try Ratios(
                counter, server, clients: requests.clients(server),
                FeatureRequests.rows(about: arguments.dropFirst().first))
            try server.stop()
            let each =
                ((found["10,000 flags"] ?? 0) - (found["50 flags"] ?? 0))
                / Double(FeatureRequests.many - FeatureRequests.some)
            print("\(found.table)\nOne more flag, evaluated and written: \(ServerBenchmark.whole(each))")
        } catch {
            print("\(error)")
            exit(1)
        }
    }
}
