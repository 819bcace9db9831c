import CloudKitWire
import NephosStorage
import Testing

@testable import NephosDomain

/// A query's reads from the store, and its response: docs/protocol.md Q2, Q6 and Q22.
@Suite("Queries and their responses") struct QueryOutcomeTests {
    private static let all = #"{"query":{"recordType":"Note"}}"#

    private func record(_ name: String, zone: ZoneNumber = 1) -> RecordRow {
        RecordRow(
            database: 4, number: 1, zone: zone, name: Name(name), sequence: 1, tagSequence: 1, type: 5, createdAt: 0,
            createdBy: QueryFixture.user, modifiedAt: 0, modifiedBy: QueryFixture.user, fields: Bytes("{}"))
    }

    private func zone(_ number: ZoneNumber, _ name: Name) -> ZoneRow {
        ZoneRow(database: 4, number: number, name: name, createdSequence: 1, changedSequence: 1, createdAt: 0)
    }

    // docs/protocol.md Q2
    @Test("zoneID selects the zone, zoneWide all zones; zoneID has precedence, and neither means the default zone")
    func extents() throws {
        let desk = QueryFixture()
        let rows: [(String, QueryScan.Extent)] = [
            ("", .zone(.name(4, "_defaultZone"))), (#","zoneWide":false"#, .zone(.name(4, "_defaultZone"))),
            (#","zoneID":{"zoneName":"Z"}"#, .zone(.name(4, "Z"))), (#","zoneWide":true"#, .database(4)),
            (#","zoneID":{"zoneName":"Z"},"zoneWide":true"#, .zone(.name(4, "Z"))),
        ]
        for (more, extent) in rows { #expect(try desk.scan("", more: more).extent == extent, "\(more)") }
        var shared = desk
        shared.scope = .shared
        #expect(
            shared.refusal { _ = try shared.scan("", more: #","zoneWide":true"#) }?.contains("needs a zoneID") == true)
    }

    // docs/protocol.md Q3
    @Test(
        "A page has the requested number of records, at most 200",
        arguments: [(1, 1), (200, 200), (201, 200), (nil, 200)])
    func limits(asked: Int?, limit: Int) throws {
        let scan = try QueryFixture().scan("", more: asked.map { ",\"resultsLimit\":\($0)" } ?? "")
        #expect(scan.limit == limit && scan.byteLimit == 8 << 20 && scan.examinedLimit == 10_000)
    }

    // docs/protocol.md Q6
    @Test("The caller's rights are a condition of the scan")
    func visibility() throws {
        var desk = QueryFixture(grants: [RoleRow.creator.number: .read])
        #expect(try desk.scan("").conditions.isEmpty, "a private database is its owner's")
        desk.scope = .public
        #expect(try desk.scan("").conditions == [QueryCondition(.createdBy, .isAny([.user(QueryFixture.user)]))])
        desk.caller = .anonymous
        #expect(desk.refusalOfScan("")?.hasPrefix("ACCESS_DENIED: ") == true)
        desk = QueryFixture(grants: [RoleRow.world.number: .read])
        (desk.scope, desk.caller) = (.public, .anonymous)
        #expect(try desk.scan("").conditions.isEmpty)
        desk = QueryFixture(grants: [RoleRow.icloud.number: .create])
        desk.scope = .public
        #expect(desk.refusalOfScan("")?.hasPrefix("ACCESS_DENIED: ") == true)
    }

    // docs/protocol.md Q6
    @Test("When a role decides, the response is the page that the caller is found to be allowed to see")
    func roles() throws {
        var desk = QueryFixture(grants: [16: .read, RoleRow.creator.number: .read])
        desk.scope = .public
        let operation = try desk.operation(Self.all)
        try #require(operation.reading.queries.count == 2 && operation.reading.memberships == [QueryFixture.user])
        var reading = Reading(catalog: desk.catalog)
        reading.zones = [zone(1, "_defaultZone")]
        reading.queries = operation.reading.queries.map { scan in
            QueryPage(
                records: [record(scan.conditions.isEmpty ? "all" : "own")], used: [scan.conditions.isEmpty ? 1 : 2])
        }
        for (roles, name) in [([16], "all"), ([], "own"), ([17], "own")] as [([Int64], Name)] {
            reading.memberships = [roles]
            guard case .answered(let answer) = try operation.outcome(reading) else { throw NotAnswered() }
            #expect(answer.records.map(\.record.row.name) == [name])
            #expect(try operation.findings(reading).used == [name == "all" ? 1 : 2])
        }
    }

    private struct NotAnswered: Error {}

    @Test("Records of a query of all zones name their zones")
    func zones() throws {
        let desk = QueryFixture()
        let operation = try desk.operation(#"{"query":{"recordType":"Note"},"zoneWide":true}"#)
        var reading = Reading(catalog: desk.catalog)
        reading.zoneLists = [[zone(1, "_defaultZone"), zone(2, "Z")]]
        reading.queries = [QueryPage(records: [record("a", zone: 2), record("b", zone: 1)])]
        guard case .answered(let answer) = try operation.outcome(reading) else { throw NotAnswered() }
        #expect(answer.records.map(\.zone.name) == ["Z", "_defaultZone"])
        #expect(answer.records.allSatisfy { $0.zone.owner == QueryFixture.user } && answer.feedEnd == nil)
    }

    @Test("A missing zone is reported")
    func missingZone() throws {
        let desk = QueryFixture()
        let operation = try desk.operation(#"{"query":{"recordType":"Note"},"zoneID":{"zoneName":"Z"}}"#)
        var reading = Reading(catalog: desk.catalog)
        reading.zones = [nil]
        reading.queries = [QueryPage()]
        #expect(desk.refusal { _ = try operation.outcome(reading) }?.hasPrefix("ZONE_NOT_FOUND") == true)
    }

    // docs/protocol.md Q2
    @Test("A missing zone is reported before a missing type or index; in one that exists these are")
    func missingZoneFirst() throws {
        let desk = QueryFixture(options: [])
        for type in ["Note", "Nothing"] {
            let operation = try desk.operation(#"{"query":{"recordType":"\#(type)"},"zoneID":{"zoneName":"Z"}}"#)
            #expect(operation.reading.zones == [.name(4, "Z")] && operation.reading.queries.isEmpty)
            var reading = Reading(catalog: desk.catalog)
            reading.zones = [nil]
            #expect(desk.refusal { _ = try operation.outcome(reading) }?.hasPrefix("ZONE_NOT_FOUND") == true)
            reading.zones = [zone(2, "Z")]
            #expect(desk.refusal { _ = try operation.outcome(reading) }?.hasPrefix("BAD_REQUEST") == true)
            #expect(desk.refusal { _ = try operation.findings(reading) }?.hasPrefix("BAD_REQUEST") == true)
        }
        #expect(desk.refusalOfScan("")?.hasPrefix("BAD_REQUEST") == true, "nothing is read for the default zone")
    }

    // docs/protocol.md Q22
    @Test("Below 20,000 records a query waits for its index", arguments: [(19_999, true), (20_000, false)])
    func waiting(records: Int64, isSoon: Bool) throws {
        let desk = QueryFixture()
        let operation = try desk.operation(Self.all)
        var reading = Reading(catalog: desk.catalog)
        reading.zones = [zone(1, "_defaultZone")]
        var head = HeadRow(database: 4, kind: .personal, owner: QueryFixture.user)
        head.records = records
        reading.databases = [head]
        let shape = IndexShape(type: 5, parts: [.value(.recordName)])
        reading.queries = [QueryPage(work: ReadWork(rows: 3), wanted: [shape], isAnswered: false)]
        guard case .needsIndexes(let found) = try operation.outcome(reading) else { throw NotAnswered() }
        #expect(found == isSoon)
        let findings = try operation.findings(reading)
        #expect(findings.wanted == [shape] && findings.work.rows == 3)
        #expect(operation.reading.databases == [4] && operation.database == 4)
    }
}
