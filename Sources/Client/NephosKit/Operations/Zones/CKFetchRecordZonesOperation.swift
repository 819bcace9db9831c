import Foundation

/// Fetches zones by their IDs, or all zones of a database.
open class CKFetchRecordZonesOperation: CKDatabaseOperation, @unchecked Sendable {
    /// The zones to fetch, at most 200.
    public var recordZoneIDs: [CKRecordZone.ID]?

    /// Called for each zone with the zone, or with a ``CKError``: `zoneNotFound` if it does not exist.
    public var perRecordZoneResultBlock:
        ((_ recordZoneID: CKRecordZone.ID, _ recordZoneResult: Result<CKRecordZone, any Error>) -> Void)?
    /// Called once at the end. Failures of single zones are reported for each zone, and do not fail the operation.
    public var fetchRecordZonesResultBlock: ((_ operationResult: Result<Void, any Error>) -> Void)?
    /// The older form of ``fetchRecordZonesResultBlock``: called with the zones that were found, and with
    /// `partialFailure` if some zones failed.
    @available(*, deprecated, message: "Use fetchRecordZonesResultBlock.")
    public var fetchRecordZonesCompletionBlock: (([CKRecordZone.ID: CKRecordZone]?, (any Error)?) -> Void)? {
        get { oldCompletion }
        set { oldCompletion = newValue }
    }
    private var oldCompletion: (([CKRecordZone.ID: CKRecordZone]?, (any Error)?) -> Void)?

    private(set) var results: [CKRecordZone.ID: Result<CKRecordZone, any Error>] = [:]
    private var fetchesAll = false

    /// Creates an operation without zones.
    public required init() { super.init(()) }

    /// Creates an operation for zones.
    public convenience init(recordZoneIDs zoneIDs: [CKRecordZone.ID]) {
        self.init()
        recordZoneIDs = zoneIDs
    }

    /// Creates an operation that fetches all zones of the database.
    open class func fetchAllRecordZonesOperation() -> Self {
        let operation = self.init()
        operation.fetchesAll = true
        return operation
    }

    override func perform(_ terms: Service.Terms) async throws(CKError) {
        let target = target
        let ids = (recordZoneIDs ?? []).unique
        try RequestLimits.check(ids.count)
        if ids.isEmpty, !fetchesAll { return }
        let call = ZonesCall(scope: target.databaseScope, kind: fetchesAll ? .list : .lookup(ids))
        let answers = try await target.core.service.answer(call, terms)
        let user = try await target.core.service.user(terms)?.userRecordName
        await self.call {
            for id in self.fetchesAll ? answers.ids : ids {
                let result = answers.fetched(
                    id.shown(to: user), gone: CKError(.zoneNotFound, "Zone '\(id.zoneName)' does not exist"))
                self.report(id, result)
            }
        }
    }

    private func report(_ id: CKRecordZone.ID, _ result: Result<CKRecordZone, any Error>) {
        results[id] = result
        perRecordZoneResultBlock?(id, result)
    }

    override func conclude(_ error: CKError?) {
        fetchRecordZonesResultBlock?(error.map { .failure($0) } ?? .success(()))
        let failures = results.failures()
        oldCompletion?(
            results.compactMapValues { try? $0.get() }, error ?? CKError.partial(failures, "Failed to fetch some zones")
        )
    }
}
