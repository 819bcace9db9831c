import NephosTesting
import Testing

/// Acknowledged data survives the death of every process (docs/protocol.md, D1 to D3).
@Suite("Killing the server", .serialized, .onOwnThreads)
struct KillTests {
    @Test func everyAcknowledgedWriteSurvivesAndNoBatchIsTorn() throws {
        Options.announce("\(Options.kills) kills")
        let server = try ServerProcess()
        var rounds = try CrashRounds(server)
        for number in 1...Options.kills {
            let faults = try rounds.play(number, endingIn: .server)
            #expect(faults.isEmpty, "kill \(number), seed \(Options.seed): \(faults.joined(separator: "\n"))")
            guard faults.isEmpty else { return }
        }
        print("\(Options.kills) kills: \(rounds.tally)")
        #expect(rounds.tally.underWay > 0, "nobody was in the middle of anything")
        try expectClean(server.command)
        #expect(try server.stop() == .exited(0))
        try expectClean(server.command)
    }
}

/// Expects that `nephos check` finds nothing.
func expectClean(_ command: NephosCommand, _ comment: String = "", sourceLocation: SourceLocation = #_sourceLocation)
    throws
{
    let result = try command.run(["check"])
    #expect(
        result.status == 0, "check: \(result.output)\(result.errors) \(comment), seed \(Options.seed)",
        sourceLocation: sourceLocation)
}
