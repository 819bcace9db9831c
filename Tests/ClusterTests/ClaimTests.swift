import NephosTesting
import Testing

/// docs/constraints.md: a constraint holds for every writer, on any server.
@Suite("Constraints on several servers", .serialized) struct ClaimTests {
    @Test("Sixteen writers in three servers: no two claim the same value, and no more records are current than allowed")
    func writers() throws {
        let fleet = try Fleet(3)
        let command = fleet.servers[0].command
        try ClaimedRecords.declare(in: fleet.container, by: command)
        try inThreads(16) { writer in
            var records = ClaimedRecords(fleet.client(writer % 3), writer: writer)
            // A writer that is told to retry continues with something else.
            for _ in 0..<40 { try records.step() }
        }
        for server in 0..<3 { #expect(try ClaimedRecords.faults(fleet.client(server)) == "", "server \(server)") }
        #expect(try command.run(["check", fleet.container]).status == 0)
    }
}
