import CloudKitWire
import NephosAdmin
import NephosDomain
import NephosRunner
import NephosStorage

/// A container with users, accessed like by apps and administrators: requests as JSON, responses as JSON.
struct Cloud {
    let fixture: AdminFixture
    var admin: Administration { fixture.admin }
    static let container = AdminFixture.container
    static let development = AdminFixture.development
    /// The grants of a type that a save creates.
    static let grants = #"GRANT READ TO "_world", GRANT CREATE TO "_icloud", GRANT WRITE TO "_creator""#

    init(isListable: Bool = false) throws { fixture = try AdminFixture.withContainer(isListable: isListable) }

    func store(_ tenant: Tenant = development) throws -> any TenantStore {
        guard let store = try fixture.engine.open(tenant) else { throw StorageError.noSuchTenant }
        return store
    }

    /// Imports the schema after `DEFINE SCHEMA`.
    func importSchema(_ text: String) async throws {
        _ = try await admin.importSchema(Array("DEFINE SCHEMA \(text)".utf8), into: Self.development)
    }

    /// A signed-in user.
    func person(_ email: String, in tenant: Tenant = development) async throws -> Person {
        if (try? admin.account(email: email)) == nil { _ = try admin.createAccount(email: email) }
        let token = try await admin.createSession(in: tenant, email: email)
        let own = SessionRow.keyed([WebAuthToken.sessionID(of: token) ?? []])
        guard let session = try store(tenant).rows(own).first else { throw StorageError.noSuchTenant }
        return Person(cloud: self, tenant: tenant, caller: .person(session))
    }

    /// The administrator of the server.
    var administrator: Person { Person(cloud: self, tenant: Self.development, caller: .administrator) }

    func check() throws -> [CheckFinding] {
        try admin.check(container: Self.container).flatMap(\.findings)
    }
}

/// A caller who sends requests.
struct Person {
    let cloud: Cloud
    let tenant: Tenant
    let caller: Caller
    var limits = DomainLimits()

    var userRecordName: String { caller.user?.recordName ?? "" }

    private func context(_ scope: DatabaseScope) throws -> RequestContext {
        RequestContext(
            catalog: try cloud.store(tenant).read(ReadSet()).catalog, caller: caller, scope: scope,
            now: cloud.fixture.clock.read(), limits: limits)
    }

    /// The result of one operation: the fields of the record, `deleted`, or a code.
    func modify(
        _ kind: String, _ name: String, type: String? = nil, fields: String = "{}", parent: String? = nil,
        zone: String? = nil, in scope: DatabaseScope = .public
    ) async throws -> String {
        switch try await outcome(kind, name, type, fields, parent, zone, scope) {
        case .saved(let record, _): return record.row.fields.text
        case .deleted: return "deleted"
        case .refused(let refusal): return refusal.serverErrorCode.rawValue
        }
    }

    /// Why an operation of the public database is rejected; nil if it is not.
    func refusal(
        _ kind: String, _ name: String, type: String? = nil, fields: String = "{}", parent: String? = nil
    ) async throws -> Refusal? {
        let outcome = try await outcome(kind, name, type, fields, parent, nil, .public)
        if case .refused(let refusal) = outcome { return refusal }
        return nil
    }

    private func outcome(
        _ kind: String, _ name: String, _ type: String?, _ fields: String, _ parent: String?, _ zone: String?,
        _ scope: DatabaseScope
    ) async throws -> ModifyRecords.Outcome {
        let type = type.map { ",\"recordType\":\"\($0)\"" } ?? ""
        let parent = parent.map { ",\"parent\":{\"recordName\":\"\($0)\"}" } ?? ""
        let zone = zone.map { ",\"zoneID\":{\"zoneName\":\"\($0)\"}" } ?? ""
        let json = """
            {"operations":[{"operationType":"\(kind)","record":{"recordName":"\(name)"\(type)\(parent),\
            "fields":\(fields)}}]\(zone)}
            """
        return try await modify(json: json, in: scope)[0]
    }

    /// The results of the operations of a `records/modify` request.
    func modify(json: String, in scope: DatabaseScope = .public) async throws -> [ModifyRecords.Outcome] {
        let operation = try ModifyRecords(RecordsModifyRequest(json: Bytes(json)), context: try context(scope)) {
            "made-up"
        }
        let answer = try await cloud.store(tenant).commit(operation.reading, decide: operation.decide)
        return answer.items.map(\.outcome)
    }

    /// The error code of a query without a filter; nil if it succeeds.
    func refusalOfListing(_ type: String) throws -> String? {
        let request = try RecordsQueryRequest(json: Bytes("{\"query\":{\"recordType\":\"\(type)\"}}"))
        let context = try context(.public)
        do throws(Refusal) {
            _ = try QueryRecords(request, context: context)
            return nil
        } catch {
            return error.serverErrorCode.rawValue
        }
    }

    /// The fields of a record, or a code.
    func lookUp(_ name: String, zone: String? = nil, in scope: DatabaseScope = .public) throws -> String {
        switch try item(name, zone, scope) {
        case .success(let record): return record.row.fields.text
        case .failure(let refusal): return refusal.serverErrorCode.rawValue
        }
    }

    func record(_ name: String, zone: String? = nil, in scope: DatabaseScope = .public) throws -> RecordRow {
        try item(name, zone, scope).get().row
    }

    private func item(_ name: String, _ zone: String?, _ scope: DatabaseScope) throws -> Result<StoredRecord, Refusal> {
        let zone = zone.map { ",\"zoneID\":{\"zoneName\":\"\($0)\"}" } ?? ""
        let request = try RecordsLookupRequest(json: Bytes("{\"records\":[{\"recordName\":\"\(name)\"}]\(zone)}"))
        let lookup = try LookupRecords(request, context: try context(scope))
        return try lookup.answer(cloud.store(tenant).read(lookup.reading)).items[0]
    }

    func createZone(_ name: String) async throws {
        let json = "{\"operations\":[{\"operationType\":\"create\",\"zone\":{\"zoneID\":{\"zoneName\":\"\(name)\"}}}]}"
        let zones = try ModifyZones(ZonesModifyRequest(json: Bytes(json)), context: try context(.private))
        _ = try await cloud.store(tenant).commit(zones.reading, decide: zones.decide)
    }

    /// Names in the feed of a zone from its beginning, and the token after it.
    func feed(_ zone: String, after token: String? = nil) throws -> (names: [String], token: String) {
        let token = token.map { ",\"syncToken\":\"\($0)\"" } ?? ""
        let request = try ZoneChangesRequest(
            json: Bytes("{\"zones\":[{\"zoneID\":{\"zoneName\":\"\(zone)\"}\(token)}]}"))
        let changes = try ZoneChanges(request.zones, context: try context(.private))
        let page = try changes.answer(cloud.store(tenant).read(changes.reading))[0].get()
        var names: [String] = []
        page.forEachChange {
            names.append($0.row.name.text)
        } deleted: { name, _, _ in
            names.append("-\(name.text)")
        }
        return (names, page.syncToken)
    }
}
