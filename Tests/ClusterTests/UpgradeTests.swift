import NephosTesting
import Testing

/// Servers are replaced by newer ones, one after the other: docs/decisions/0005, "Migrations only add".
@Suite struct UpgradeTests {
    /// What a migration of the next version might do: a column, a table, an index, and its name in the list.
    private static let next = """
        BEGIN;
        ALTER TABLE nephos.records ADD COLUMN next_version bigint NOT NULL DEFAULT 0;
        ALTER TABLE nephos.heads ADD COLUMN next_version bigint NOT NULL DEFAULT 0;
        ALTER TABLE nephos.zones ADD COLUMN next_version bigint;
        CREATE TABLE nephos.next_version (db bigint PRIMARY KEY);
        CREATE INDEX records_next_version ON nephos.records (db, next_version);
        INSERT INTO nephos.migrations (identifier) VALUES ('2 next version');
        COMMIT;
        """

    @Test("A running server continues after a newer one has migrated the tables; an old one that starts then refuses")
    func rolling() throws {
        let fleet = try Fleet(2)
        var visitor = Visitor(fleet, from: 0)
        func save(_ name: String, _ value: Int64) throws {
            let record: JSON = [
                "recordName": .string(name), "recordType": "Item", "fields": ["n": ["value": .int(value)]],
            ]
            let body: JSON = [
                "zoneID": ["zoneName": .string(Fleet.zone)],
                "operations": [["operationType": "forceUpdate", "record": record]],
            ]
            let answer = try #require(try visitor.ask("records/modify", body) { false })
            #expect(answer["records"][0]["serverErrorCode"].isAbsent, "\(answer)")
        }
        for number in 0..<10 { try save("before-\(number)", 1) }
        try fleet.postgres.sql(Self.next, in: fleet.store)
        for number in 0..<10 {
            try save("before-\(number)", 2)
            try save("after-\(number)", 3)
        }
        var follower = Follower(fleet)
        #expect(try follower.catchUp { false })
        #expect(follower.values.count == 20)

        let refused = #expect(throws: ServerDidNotStart.self) {
            _ = try ServerProcess(environment: ["NEPHOS_STORE": fleet.store])
        }
        let log = refused?.log ?? ""
        #expect(log.contains("created by a newer server") && log.contains("update the server"), "\(log)")
        let command = try fleet.servers[0].command.run(["container", "list"])
        #expect(command.status == 1 && command.errors.contains("newer"), "\(command)")
    }
}
