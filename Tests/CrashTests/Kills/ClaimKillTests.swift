import NephosTesting
import Synchronization
import Testing

/// docs/decisions/0037: a claim is written with its record, or not at all.
@Suite("Killing the server while records compete for values", .serialized, .onOwnThreads) struct ClaimKillTests {
    private static let writers = 4

    @Test(
        "After each kill no two records share a value, no more are current than allowed, and claims match the records"
    )
    func kills() throws {
        let server = try ServerProcess()
        let access = try Access(on: server, people: ["ada@example.org"])
        try ClaimedRecords.declare(in: access.container, by: server.command)
        for kill in 1...5 {
            let answers = Atomic<Int>(0)
            try inThreads(Self.writers + 1) { writer in
                guard writer < Self.writers else {
                    let haveBegun = Deadline().waits { answers.load(ordering: .relaxed) > 60 + 17 * kill }
                    guard haveBegun else { throw WrongAnswer(description: "nothing is saved") }
                    return try server.kill()
                }
                var records = ClaimedRecords(access.client(port: server.port, person: 0), writer: writer)
                while true {
                    // The request interrupted by the kill has no response.
                    do { try records.step() } catch let wrong as WrongClaim { throw wrong } catch { return }
                    answers.add(1, ordering: .relaxed)
                }
            }
            try server.start()
            #expect(try ClaimedRecords.faults(access.client(port: server.port, person: 0)) == "", "kill \(kill)")
            try expectClean(server.command)
        }
        #expect(try server.stop() == .exited(0))
    }
}
