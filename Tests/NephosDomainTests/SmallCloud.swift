import CloudKitWire
import Foundation
import NephosDomain
import NephosStorage
import NephosTesting
import TestEngines

/// One tenant with one user and one custom zone `Z`, on a real engine.
struct SmallCloud {
    static let deleteSelfMax = 3
    /// More than the number of records in the model.
    static let cascadeMax = 10

    private let place: TestStore
    private let engine: any StorageEngine
    let store: any TenantStore
    private let session: SessionRow
    private let tenant = Tenant(container: "iCloud.test", environment: .development)

    init() async throws {
        place = try TestStore.withTables()
        engine = try place.open()
        try engine.createContainer(
            ContainerRow(id: tenant.container, createdAt: 1),
            seeds: Environment.allCases.map {
                .standard(
                    tenant: Tenant(container: "iCloud.test", environment: $0),
                    signingKey: .init(repeating: 1, count: 32), now: 1)
            })
        guard let store = try engine.open(tenant) else { throw StorageError.noSuchTenant }
        self.store = store
        let enrolment = Enrolment.person(
            account: "A", newID: UserID(high: 1, low: 1), sessionID: .init(repeating: 2, count: 16),
            secret: .init(repeating: 3, count: 32), expiresAt: .max, now: 1)
        guard let session = try await store.commit(enrolment.reading, decide: enrolment.decide) else {
            throw StorageError.noSuchTenant
        }
        self.session = session
        let zones = try ModifyZones(
            ZonesModifyRequest(
                json: Bytes(#"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"Z"}}}]}"#)),
            context: try context())
        _ = try await store.commit(zones.reading, decide: zones.decide)
    }

    func close() { engine.close() }

    private func context(
        _ scope: DatabaseScope = .private, _ change: (inout DomainLimits) -> Void = { _ in }
    ) throws -> RequestContext {
        var limits = DomainLimits()
        limits.deleteSelfReferencesMax = Self.deleteSelfMax
        limits.cascadeMax = Self.cascadeMax
        change(&limits)
        return RequestContext(
            catalog: try store.read(ReadSet()).catalog, caller: .person(session), scope: scope, now: 2, limits: limits)
    }

    /// The private database of the user.
    static let database: DatabaseNumber = 2

    /// The code of each operation, or `ok`.
    func modify(_ batch: ReferenceModel.Batch) async throws -> [String] {
        try await modify(json: batch.json)
    }

    /// The code of each operation of a `records/modify` request, or `ok`.
    func modify(json: String, _ change: (inout DomainLimits) -> Void = { _ in }) async throws -> [String] {
        let operation = try ModifyRecords(
            RecordsModifyRequest(json: Bytes(json)), context: try context(.private, change)
        ) {
            Name(UUID().uuidString)
        }
        let answer = try await store.commit(operation.reading, decide: operation.decide)
        return answer.items.map { item in
            if case .refused(let refusal) = item.outcome { return refusal.serverErrorCode.rawValue }
            return "ok"
        }
    }

    /// The writes of a `records/modify` request, without executing them.
    func writes(json: String, scope: DatabaseScope = .private) throws -> WriteSet {
        let operation = try ModifyRecords(RecordsModifyRequest(json: Bytes(json)), context: context(scope)) {
            Name(UUID().uuidString)
        }
        guard case .write(let writes, _) = try operation.decide(store.read(operation.reading)) else {
            throw StorageError.failed("the decision needs more")
        }
        return writes
    }

    /// Those of these names that are records of the zone.
    func names(of names: [String], in zone: String = "Z") throws -> Set<String> {
        let items = names.map { #"{"recordName":"\#($0)"}"# }.joined(separator: ",")
        let lookup = try LookupRecords(
            RecordsLookupRequest(json: Bytes(#"{"zoneID":{"zoneName":"\#(zone)"},"records":[\#(items)]}"#)),
            context: try context())
        let answer = try lookup.answer(store.read(lookup.reading))
        return Set(zip(names, answer.items).filter { (try? $1.get()) != nil }.map(\.0))
    }

    /// Continues pending cascades until none are left. - Returns: The number of transactions.
    func carryOnCascades() async throws -> Int {
        for count in 0... {
            let waiting = try store.rows(PendingCascadeRow.waiting(limit: 16))
            guard let cascades = ContinueCascades(waiting, now: 3) else { return count }
            try await store.commit(cascades.reading, decide: cascades.decide)
        }
        return 0
    }

    func check() throws -> [CheckFinding] { try store.check { _, _ in } }
}
