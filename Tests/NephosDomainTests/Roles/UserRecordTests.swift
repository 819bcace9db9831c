import CloudKitWire
import NephosStorage
import Testing

@testable import NephosDomain

/// docs/protocol.md U1, U4: roles cannot be acquired through records.
@Suite("Users cannot promote themselves") struct UserRecordTests {
    static let ada = UserID(high: 1, low: 1)
    private static let fields = Bytes(
        #"{"nick":{"type":"STRING","value":"A"},"roles":{"type":"INT64_LIST","value":[77]}}"#)

    /// The fields of ada's user record after an operation on it, or the code of the error.
    private func result(
        _ operation: String, by caller: Caller = RightsFixture.person(ada), grants: [Int64: GrantRow.Rights]? = nil
    ) throws -> String {
        let tenant = Tenant(container: "iCloud.test", environment: .development)
        var rows = TenantSeed.standard(tenant: tenant, signingKey: [], now: 0).rows
        if let grants {
            rows.removeAll { if case .grant = $0 { true } else { false } }
            rows += grants.map { .grant(GrantRow(type: usersTypeNumber, role: $0.key, rights: $0.value)) }
        }
        let catalog = Catalog(
            head: CatalogHead(tenant: tenant, signingKey: .init(repeating: 1, count: 32), createdAt: 0), rows: rows)
        let modify = try ModifyRecords(
            RecordsModifyRequest(json: Bytes("{\"operations\":[\(operation)]}")),
            context: RequestContext(catalog: catalog, caller: caller, scope: .public, now: 9)
        ) { "x" }
        let record = RecordRow(
            database: 1, number: 1, zone: 1, name: Name(Self.ada.recordName), sequence: 2, tagSequence: 2,
            type: usersTypeNumber, createdAt: 0, createdBy: Self.ada, modifiedAt: 0, modifiedBy: Self.ada,
            fields: Self.fields)
        var reading = Reading(catalog: catalog)
        reading.databases = [HeadRow(database: 1, kind: .publicLane, owner: nil)]
        reading.zones = [
            ZoneRow(
                database: 1, number: 1, name: defaultZoneName, createdSequence: 1, changedSequence: 2, createdAt: 0)
        ]
        reading.memberships = modify.reading.memberships.map { _ in [77] }
        reading.records = modify.reading.records.map { _ in .record(record) }
        reading.stubs = modify.reading.stubs.map { _ in RecordStub(record) }
        guard case .write(let set, let answer) = try modify.decide(reading) else { return "need" }
        if case .refused(let refusal) = answer.items[0].outcome { return refusal.serverErrorCode.rawValue }
        return set.records.first?.new.fields.text ?? "gone"
    }

    private func operation(_ kind: String, _ fields: String, more: String = "") -> String {
        """
        {"operationType":"\(kind)","record":{"recordName":"\(Self.ada.recordName)","recordType":"Users"\(more),\
        "fields":{\(fields)}}\(more)}
        """
    }

    @Test(
        "The field is rejected in every spelling, for everybody",
        arguments: [
            #""roles":{"value":[1]}"#, #""r\u006fles":{"value":[1],"type":"INT64_LIST"}"#, #""roles":null"#,
            #""roles":{}"#,
            #""roles":{"value":null}"#, #""nick":{"value":"B"},"roles":{"value":[]}"#, #""roles":{"value":"77"}"#,
        ])
    func field(fields: String) throws {
        for kind in ["forceUpdate", "forceReplace"] {
            for caller in [RightsFixture.person(Self.ada), .serverKey(Self.ada), .administrator] {
                #expect(try result(operation(kind, fields), by: caller) == "BAD_REQUEST")
            }
        }
    }

    @Test(
        "System fields cannot be set",
        arguments: [
            #""___createdBy":{"value":"_00000000000000020000000000000002"}"#, #""___roles":{"value":[1]}"#,
        ])
    func systemFields(fields: String) throws {
        #expect(try result(operation("forceUpdate", fields)) == "BAD_REQUEST")
    }

    @Test("Roles or creators elsewhere in a body have no effect")
    func bodies() throws {
        let more = #","roles":[1],"role":"Admin","created":{"userRecordName":"_00000000000000020000000000000002"}"#
        let saved = try result(operation("forceUpdate", #""nick":{"value":"B"}"#, more: more))
        #expect(saved == #"{"nick":{"type":"STRING","value":"B"},"roles":{"type":"INT64_LIST","value":[77]}}"#)
    }

    @Test("Replacing a user record keeps its roles")
    func replacing() throws {
        let roles = #""roles":{"type":"INT64_LIST","value":[77]}"#
        #expect(try result(operation("forceReplace", "")) == "{\(roles)}")
        #expect(
            try result(operation("forceReplace", #""zip":{"value":"1"}"#))
                == #"{\#(roles),"zip":{"type":"STRING","value":"1"}}"#)
    }

    @Test("Nobody can change another person's user record, whatever is granted")
    func others() throws {
        let grants: [Int64: GrantRow.Rights] = [
            RoleRow.world.number: [.read, .create, .write], RoleRow.icloud.number: [.read, .create, .write], 77: .write,
        ]
        let bob = UserID(high: 2, low: 2)
        for caller in [RightsFixture.person(bob), .serverKey(bob)] {
            #expect(
                try result(operation("forceUpdate", #""nick":{"value":"B"}"#), by: caller, grants: grants)
                    == "ACCESS_DENIED")
        }
    }
}
