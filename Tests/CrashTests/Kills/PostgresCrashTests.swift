import NephosTesting
import Testing

/// Acknowledged data survives the crash of a test's own PostgreSQL server, of the server, and of both (docs/protocol.md, D1 to D3
/// and D7).
@Suite("Crashes of PostgreSQL", .serialized, .onOwnThreads)
struct PostgresCrashTests {
    @Test func everyAcknowledgedWriteSurvivesTheDatabaseTheServerAndBoth() throws {
        Options.announce("\(Options.kills) crashes of PostgreSQL and the server in turns")
        let postgres = try PostgresServer()
        let server = try ServerProcess(environment: ["NEPHOS_STORE": try postgres.createDatabase()])
        var rounds = try CrashRounds(server, on: postgres)
        for number in 1...Options.kills {
            let crash = Crash.allCases[number % Crash.allCases.count]
            let faults = try rounds.play(number, endingIn: crash)
            #expect(
                faults.isEmpty,
                "crash \(number) of \(crash), seed \(Options.seed): \(faults.joined(separator: "\n"))")
            guard faults.isEmpty else { return }
        }
        print("\(Options.kills) crashes: \(rounds.tally)")
        #expect(rounds.tally.underWay > 0, "nobody was in the middle of anything")
        try expectClean(server.command)
        #expect(try server.stop() == .exited(0))
        try expectClean(server.command)
    }
}
