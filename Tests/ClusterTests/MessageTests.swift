import NephosTesting
import Testing

/// docs/messages.md: at most one is shown in a slot to an audience, whichever server or command publishes it.
@Suite("Messages on several servers", .serialized) struct MessageTests {
    private static let names = (0..<8).map { "m\($0)" }
    private static let hour = 3_600_000

    private struct Window {
        let name: String
        let start: Int
        /// The maximum for no end.
        let end: Int
    }

    @Test(
        "Sixteen writers, on three servers and by command, publish and reschedule: never do two messages overlap in a slot"
    )
    func writers() throws {
        let fleet = try Fleet(3)
        let command = fleet.servers[0].command
        for name in Self.names {
            let file = try file(name)
            try command("message", "new", fleet.container, file.path)
        }
        try command("role", "assign", fleet.container, "Admin", "ada@example.org")
        let base = 32_503_680_000_000  // The year 3000.
        try inThreads(17) { writer in
            guard writer < 16 else {
                for _ in 0..<40 { try expectNoTwo(fleet.client(2)) }
                return
            }
            var dice = SeededGenerator(seed: UInt64(writer))
            for _ in 0..<(writer < 14 ? 25 : 6) {
                let name = Self.names[Int.random(in: 0..<8, using: &dice)]
                let start = base + Int.random(in: 0..<100, using: &dice) * Self.hour
                if writer < 14 {
                    try save(
                        name, dice.once(in: 6) ? nil : start, dice.once(in: 6) ? nil : start + 20 * Self.hour,
                        by: fleet.client(writer % 3))
                } else {
                    // A command that conflicts with others again and again gives up, without changes.
                    _ = try command.run(
                        [
                            "message", "publish", fleet.container, name, "--at", "\(start)",
                            writer == 14 ? "--replace" : "--queue",
                        ])
                }
            }
        }
        for server in 0..<3 { try expectNoTwo(fleet.client(server)) }
        #expect(try command.run(["check", fleet.container]).status == 0)
    }

    private func file(_ name: String) throws -> ClaimedRecords.SettingsFile {
        try ClaimedRecords.SettingsFile(
            "id: \(name)\nkind: information\ntitle: {en: \(name)}\nbody: {en: Body}\nbuttons: {okay: {en: Fine}}\n")
    }

    private func save(_ name: String, _ start: Int?, _ end: Int?, by client: CloudKitClient) throws {
        func time(_ time: Int?) -> JSON { time.map { ["value": .int(Int64($0)), "type": "TIMESTAMP"] } ?? [:] }
        let record: JSON = [
            "recordName": .string(name), "recordType": "Message",
            "fields": ["publishedAt": time(start), "until": time(end)],
        ]
        let answer = try client.post(
            "records/modify", .public, ["operations": [["operationType": "forceUpdate", "record": record]]])
        let reason = try answer.json["records"][0]["reason"].string
        guard answer.status == 200, reason.map({ $0.contains("overlaps another") }) ?? true else {
            // Another writer was first, at the same moment.
            if try answer.json["serverErrorCode"] == "TRY_AGAIN_LATER" { return }
            throw UnexpectedAnswer(description: "\(answer.status): \(try answer.json)")
        }
    }

    /// One query reads one snapshot.
    private func expectNoTwo(_ client: CloudKitClient) throws {
        let answer = try client.post("records/query", .public, ["query": ["recordType": "Message"]])
        let windows = try answer.json["records"].elements.compactMap { record -> Window? in
            guard let start = record["fields"]["publishedAt"]["value"].int64 else { return nil }
            let end = record["fields"]["until"]["value"].int64
            return Window(name: record["recordName"].string ?? "", start: Int(start), end: end.map(Int.init) ?? .max)
        }.sorted { $0.start < $1.start }
        for (one, next) in zip(windows, windows.dropFirst()) {
            #expect(one.end <= next.start, "\(one.name) and \(next.name) overlap")
        }
    }
}
