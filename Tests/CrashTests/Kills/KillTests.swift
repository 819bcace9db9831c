import NephosTesting
import Testing

/// What was acknowledged survives the death of every process (docs/protocol.md, D1 to D3).
@Suite("Killing the server", .serialized)
struct KillTests {
    /// Eight clients save, delete, and make and delete zones in three databases while the server dies again and again.
    /// The moment depends on how many requests were answered, so each client is in the middle of something then. Beside
    /// them the command makes accounts, sessions and tokens, and every other time it is killed too.
    @Test func everyAcknowledgedWriteSurvivesAndNoBatchIsTorn() throws {
        Options.announce("\(Options.kills) kills")
        var chance = SeededGenerator(seed: Options.seed)
        let server = try ServerProcess()
        let access = try Access(on: server)
        var crew = Crew(access, seed: Options.seed)
        var tally = Tally()
        for round in 1...Options.kills {
            let load = Load(target: Int.random(in: 20...150, using: &chance))
            let clerk = Clerk(server.command, container: access.container, number: round)
            let (crewBefore, port) = (crew, server.port)
            let office = Job { clerk.work() }
            let shift = Job { crewBefore.work(load, port: port, stopsWhenEnough: false) }
            load.waitForTarget()
            try server.kill()
            clerk.stop(killing: chance.once(in: 2))
            office.finish()
            let work = shift.finish()
            try server.start()
            let audit = work.crew.audit(port: port)
            crew = audit.crew
            tally += audit.tally
            let faults = try work.faults + audit.faults + clerk.faults(port: port, apiToken: access.apiToken)
            #expect(faults.isEmpty, "kill \(round), seed \(Options.seed): \(faults.joined(separator: "\n"))")
            guard faults.isEmpty else { return }
        }
        print("\(Options.kills) kills: \(tally)")
        #expect(tally.underWay > 0, "nobody was in the middle of anything")
        try expectClean(server.command)
        #expect(try server.stop() == .exited(0))
        try expectClean(server.command)
    }
}

/// `nephos check` finds nothing.
func expectClean(_ command: NephosCommand, _ comment: String = "", sourceLocation: SourceLocation = #_sourceLocation)
    throws
{
    let result = try command.run(["check"])
    #expect(
        result.status == 0, "check: \(result.output)\(result.errors) \(comment), seed \(Options.seed)",
        sourceLocation: sourceLocation)
}
