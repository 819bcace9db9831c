import NephosTesting
import Synchronization
import Testing

/// Operations of the public database may fail individually, but the writes of a request are one transaction (docs/protocol.md, D2).
@Suite("Killing the server during batches of the public database", .serialized, .onOwnThreads) struct BatchTests {
    private static let writers = 4

    /// The records that a writer saves: always all of them, and all with the same number.
    private static func names(_ writer: Int) -> [String] { (0..<40).map { "\(writer) \($0)" } }

    private static func save(_ value: Int64, _ writer: Int, _ wire: Wire) throws {
        try wire.modify(names(writer).map { .save($0, value) }, .public, zone: nil)
    }

    @Test("After a kill a batch of the public database is stored completely or not at all (S2-11)")
    func noBatchIsTorn() throws {
        let server = try ServerProcess()
        let access = try Access(on: server, people: ["ada@example.org"])
        for writer in 0..<Self.writers { try Self.save(0, writer, Wire(access.client(port: server.port, person: 0))) }
        /// The last acknowledged number of each writer's records.
        var known = Array(repeating: Int64(0), count: Self.writers)
        for kill in 1...6 {
            known = try Self.writeUntilKilled(server, access, after: known)
            try server.start()
            let wire = Wire(access.client(port: server.port, person: 0))
            for writer in 0..<Self.writers {
                let names = Self.names(writer)
                let found = try wire.lookup(names, .public, zone: nil)
                let values = Set(found.values)
                #expect(found.count == names.count && values.count == 1, "kill \(kill): a batch is torn: \(found)")
                #expect(
                    values.allSatisfy { [known[writer], known[writer] + 1].contains($0) }, "\(known[writer]) was saved")
                known[writer] = values.max() ?? 0
            }
        }
        #expect(try server.stop() == .exited(0))
        try expectClean(server.command)
    }

    /// All write, one number after the other, until the server is killed at an arbitrary point.
    ///
    /// - Returns: The last acknowledged numbers.
    private static func writeUntilKilled(
        _ server: ServerProcess, _ access: Access, after start: [Int64]
    ) throws -> [Int64] {
        let acknowledged = Mutex(start)
        try inThreads(writers + 1) { writer in
            guard writer < writers else {
                let haveBegun = Deadline().waits {
                    acknowledged.withLock { zip($0, start).allSatisfy { $0 > $1 + 2 } }
                }
                guard haveBegun else { throw WrongAnswer(description: "nothing is saved") }
                return try server.kill()
            }
            let wire = Wire(access.client(port: server.port, person: 0))
            for value in (start[writer] + 1)... {
                // The request interrupted by the kill has no response.
                do { try save(value, writer, wire) } catch { return }
                acknowledged.withLock { $0[writer] = value }
            }
        }
        return acknowledged.withLock(\.self)
    }
}
