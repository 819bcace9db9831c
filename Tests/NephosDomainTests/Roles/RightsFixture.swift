import CloudKitWire
import NephosStorage
import Testing

@testable import NephosDomain

/// Determines from the operations of the public database what a caller may do, without an engine: type `Item` has two records, one
/// created by ada (`ada's`) and one created by bob (`bob's`).
struct RightsFixture {
    static let ada = UserID(high: 1, low: 1)
    static let bob = UserID(high: 2, low: 2)
    static let admin = RoleRow(named: "Admin")

    let catalog: Catalog
    /// The caller.
    let caller: Caller
    /// The roles in the caller's user record.
    let roles: [Int64]

    static let itemRow = RecordTypeRow(number: 2, name: "Item")
    static let other = RoleRow(named: "Other")

    init(grants: [Int64: GrantRow.Rights], caller: Caller, roles: [Int64]) {
        let tenant = Tenant(container: "iCloud.test", environment: .development)
        var rows = TenantSeed.standard(tenant: tenant, signingKey: [], now: 0).rows
        rows += [
            .role(Self.admin), .role(Self.other), .type(Self.itemRow),
            .field(FieldRow(type: 2, name: "___recordID", kind: .reference, options: .queryable)),
        ]
        rows += grants.map { .grant(GrantRow(type: 2, role: $0.key, rights: $0.value)) }
        catalog = Catalog(
            head: CatalogHead(tenant: tenant, signingKey: .init(repeating: 1, count: 32), createdAt: 0), rows: rows)
        self.caller = caller
        self.roles = roles
    }

    static func person(_ user: UserID) -> Caller {
        .person(
            SessionRow(
                id: .init(repeating: 2, count: 16), user: user, privateDatabase: 4,
                secret: .init(repeating: 3, count: 32), createdAt: 0, expiresAt: .max))
    }

    private var context: RequestContext { RequestContext(catalog: catalog, caller: caller, scope: .public, now: 9) }

    private static let zone = ZoneRow(
        database: 1, number: 1, name: defaultZoneName, createdSequence: 1, changedSequence: 5, createdAt: 0)

    static let records = [record("ada's", 1, ada), record("bob's", 2, bob)]

    private static func record(_ name: Name, _ number: Int64, _ user: UserID) -> RecordRow {
        RecordRow(
            database: 1, number: number, zone: 1, name: name, sequence: number + 1, tagSequence: number + 1, type: 2,
            createdAt: 0, createdBy: user, modifiedAt: 0, modifiedBy: user, fields: CanonicalFields.empty)
    }

    /// The results of a store with the two records.
    private func reading(_ set: ReadSet) -> Reading {
        var reading = Reading(catalog: catalog)
        var head = HeadRow(database: 1, kind: .publicLane, owner: nil)
        head.sequence = 5
        head.recordNumber = 2
        head.zoneNumber = 1
        reading.databases = set.databases.map { _ in head }
        reading.zones = set.zones.map { _ in Self.zone }
        reading.memberships = set.memberships.map { _ in roles }
        reading.records = set.records.map { key in
            Self.records.first { $0.name == key.name }.map(Found.record) ?? .absent
        }
        reading.stubs = set.stubs.map { key in Self.records.first { $0.name == key.name }.map { RecordStub($0) } }
        reading.referrers = set.referrers.map { _ in [] }
        reading.cascades = set.cascades.map { _ in [] }
        reading.queries = set.queries.map { scan in
            let creators = scan.conditions.filter { $0.fields == [.createdBy] }.map(\.test)
            return QueryPage(
                records: Self.records.filter { row in
                    creators.allSatisfy { $0 == .isAny([.user(row.createdBy)]) }
                })
        }
        return reading
    }

    // MARK: Questions

    /// Names of the records that a look-up returns.
    func looksUp() throws -> Set<String> {
        let names = Self.records.map(\.name)
        let items = names.map { "{\"recordName\":\"\($0)\"}" }.joined(separator: ",")
        let lookup = try LookupRecords(
            RecordsLookupRequest(json: Bytes("{\"records\":[\(items)]}")), context: context)
        let answer = try lookup.answer(reading(lookup.reading))
        return Set(zip(names, answer.items).filter { (try? $1.get()) != nil }.map(\.0.text))
    }

    /// Names of the records that a query returns; nil if it is rejected.
    func queries() throws -> Set<String>? {
        do {
            let query = try QueryRecords(
                RecordsQueryRequest(json: Bytes(#"{"query":{"recordType":"Item"}}"#)), context: context)
            guard case .answered(let answer) = try query.outcome(reading(query.reading)) else { return [] }
            return Set(answer.records.map(\.record.row.name.text))
        } catch Refusal.accessDenied {
            return nil
        }
    }

    /// Whether each operation of a kind succeeds, by record name.
    func modifies(_ kind: String, _ names: [String]) throws -> Set<String> {
        let operations = names.map {
            "{\"operationType\":\"\(kind)\",\"record\":{\"recordName\":\"\($0)\",\"recordType\":\"Item\"}}"
        }
        let request = try RecordsModifyRequest(json: Bytes("{\"operations\":[\(operations.joined(separator: ","))]}"))
        guard caller.user != nil else {
            #expect(throws: Refusal.self) { try ModifyRecords(request, context: context) { "made-up" } }
            return []
        }
        let answer = try answer(try ModifyRecords(request, context: context) { "made-up" })
        let done = zip(names, answer.items).filter { item in
            if case .refused = item.1.outcome { return false }
            return true
        }
        return Set(done.map(\.0))
    }

    private func answer(_ modify: ModifyRecords) throws -> ModifyRecords.Answer {
        var set = modify.reading
        for _ in 0..<4 {
            let decision = try modify.decide(reading(set))
            if case .write(_, let answer) = decision { return answer }
            if case .need(let more, _) = decision { set.append(more) }
        }
        throw Undecided()
    }

    struct Undecided: Error {}
}
