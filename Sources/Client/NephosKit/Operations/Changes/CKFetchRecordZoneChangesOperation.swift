public import Foundation

/// Fetches the changes in zones since change tokens, or everything in them.
///
/// A token that was reported remains valid, together with the changes that were reported before it, even if the
/// operation fails later.
open class CKFetchRecordZoneChangesOperation: CKDatabaseOperation, @unchecked Sendable {
    /// How the changes of one zone are fetched.
    public typealias ZoneConfiguration = CKFetchRecordZoneChangesConfiguration
    /// The older name of ``ZoneConfiguration``.
    @available(*, deprecated, renamed: "ZoneConfiguration")
    public typealias ZoneOptions = CKFetchRecordZoneChangesConfiguration
    typealias ZoneResult = Result<
        (serverChangeToken: CKServerChangeToken, clientChangeTokenData: Data?, moreComing: Bool), any Error
    >

    /// The zones to fetch the changes of, at most 200; nil for those of ``configurationsByRecordZoneID``.
    public var recordZoneIDs: [CKRecordZone.ID]?
    /// The tokens, limits and fields for single zones. A zone without a configuration starts at the beginning and has
    /// all fields.
    public var configurationsByRecordZoneID: [CKRecordZone.ID: ZoneConfiguration]?
    /// The older name of ``configurationsByRecordZoneID``.
    @available(*, deprecated, renamed: "configurationsByRecordZoneID")
    public var optionsByRecordZoneID: [CKRecordZone.ID: ZoneConfiguration]? {
        get { configurationsByRecordZoneID }
        set { configurationsByRecordZoneID = newValue }
    }
    /// Whether to fetch pages until no more changes are coming; if false, only one page of each zone is fetched.
    public var fetchAllChanges = true

    /// Called for each record that is new or changed, with the record and its fetched files, or with the error because
    /// of which it cannot be read or its files cannot be fetched.
    public var recordWasChangedBlock: ((_ recordID: CKRecord.ID, _ recordResult: Result<CKRecord, any Error>) -> Void)?
    /// Called for each record that was deleted. The type is empty if the service does not send it; Apple's does not.
    public var recordWithIDWasDeletedBlock: ((_ recordID: CKRecord.ID, _ recordType: CKRecord.RecordType) -> Void)?
    /// Called between the pages of a zone. The app's own data is that of the latest ``CKModifyRecordsOperation`` that
    /// the server has accepted, whose records may be on a later page.
    public var recordZoneChangeTokensUpdatedBlock:
        (
            (_ recordZoneID: CKRecordZone.ID, _ serverChangeToken: CKServerChangeToken?, _ clientChangeTokenData: Data?)
                -> Void
        )?
    /// Called once for each zone, at the end of its changes. After `changeTokenExpired`, discard what is stored of the
    /// zone, and fetch it without a token.
    public var recordZoneFetchResultBlock:
        (
            (
                _ recordZoneID: CKRecordZone.ID,
                _ fetchChangesResult: Result<
                    (serverChangeToken: CKServerChangeToken, clientChangeTokenData: Data?, moreComing: Bool), any Error
                >
            ) -> Void
        )?
    /// Called once at the end. Failures of single zones are reported for each zone, and do not fail the operation.
    public var fetchRecordZoneChangesResultBlock: ((_ operationResult: Result<Void, any Error>) -> Void)?
    /// The older form of ``recordWasChangedBlock``: called for each record that was fetched.
    @available(*, deprecated, message: "Use recordWasChangedBlock.")
    public var recordChangedBlock: ((CKRecord) -> Void)? {
        get { oldChanged }
        set { oldChanged = newValue }
    }
    /// The older form of ``recordZoneFetchResultBlock``.
    @available(*, deprecated, message: "Use recordZoneFetchResultBlock.")
    public var recordZoneFetchCompletionBlock:
        ((CKRecordZone.ID, CKServerChangeToken?, Data?, Bool, (any Error)?) -> Void)?
    {
        get { oldZone }
        set { oldZone = newValue }
    }
    /// The older form of ``fetchRecordZoneChangesResultBlock``, with `partialFailure` if some zones
    /// failed.
    @available(*, deprecated, message: "Use fetchRecordZoneChangesResultBlock.")
    public var fetchRecordZoneChangesCompletionBlock: (((any Error)?) -> Void)? {
        get { oldCompletion }
        set { oldCompletion = newValue }
    }
    private var oldChanged: ((CKRecord) -> Void)?
    private var oldZone: ((CKRecordZone.ID, CKServerChangeToken?, Data?, Bool, (any Error)?) -> Void)?
    private var oldCompletion: (((any Error)?) -> Void)?

    private(set) var zoneFailures: [CKRecordZone.ID: any Error] = [:]

    /// Creates an operation without zones.
    public init() { super.init(()) }

    /// Creates an operation for zones.
    public convenience init(
        recordZoneIDs: [CKRecordZone.ID]? = nil,
        configurationsByRecordZoneID: [CKRecordZone.ID: ZoneConfiguration]? = nil
    ) {
        self.init()
        self.recordZoneIDs = recordZoneIDs
        self.configurationsByRecordZoneID = configurationsByRecordZoneID
    }

    /// The older form of ``init(recordZoneIDs:configurationsByRecordZoneID:)``.
    @available(*, deprecated, renamed: "init(recordZoneIDs:configurationsByRecordZoneID:)")
    @_disfavoredOverload
    public convenience init(
        recordZoneIDs: [CKRecordZone.ID], optionsByRecordZoneID: [CKRecordZone.ID: ZoneConfiguration]?
    ) {
        self.init(recordZoneIDs: recordZoneIDs, configurationsByRecordZoneID: optionsByRecordZoneID)
    }

    override func perform(_ terms: Service.Terms) async throws(CKError) {
        let target = target
        guard target.databaseScope != .public else {
            throw CKError(
                .invalidArguments,
                "the public database has no changes feed: query it with CKDatabase.records(matching:)")
        }
        let zones = (recordZoneIDs ?? configurationsByRecordZoneID.map { Array($0.keys) } ?? []).unique
        try RequestLimits.check(zones.count)
        var queries = zones.map { zone in
            let wanted = configurationsByRecordZoneID?[zone]?.members ?? ZoneConfiguration.Members()
            return ZoneChangesCall.Query(
                zone: zone, token: wanted.token, limit: RequestLimits.page(wanted.limit),
                desiredKeys: wanted.desiredKeys)
        }
        while !queries.isEmpty {
            let call = ZoneChangesCall(scope: target.databaseScope, queries: queries)
            let answers = try await target.core.service.answer(call, terms)
            // A zone without changes may have been deferred in favor of one with changes.
            let bringSomething = ZoneChangesCall.bringSomething(answers)
            var rest: [ZoneChangesCall.Query] = []
            for (query, answer) in zip(queries, answers) {
                switch answer {
                case .failed(let error): await self.call { self.ended(query.zone, .failure(error.ckError)) }
                case .page(let page):
                    let records = try await target.core.records(of: page.items, terms)
                    let goesOn = fetchAllChanges && page.moreComing
                    await self.call { self.report(query.zone, page, records, goesOn: goesOn) }
                    guard goesOn else { continue }
                    var next = query
                    next.token = page.token
                    do throws(CKError) {
                        try next.empty.follow(isEmpty: !bringSomething)
                        rest.append(next)
                    } catch {
                        await self.call { self.ended(query.zone, .failure(error)) }
                    }
                }
            }
            queries = rest
        }
    }

    private func report(
        _ zone: CKRecordZone.ID, _ page: ZoneChangesCall.Page,
        _ records: [(CKRecord.ID, Result<CKRecord, any Error>)], goesOn: Bool
    ) {
        var records = records.makeIterator()
        // Changes and deletions are reported in the order of the response.
        for item in page.items {
            if case .deleted(let id, let type) = item {
                recordWithIDWasDeletedBlock?(id, type ?? "")
            } else if let (id, result) = records.next() {
                recordWasChangedBlock?(id, result)
                if case .success(let record) = result { oldChanged?(record) }
            }
        }
        if goesOn {
            recordZoneChangeTokensUpdatedBlock?(zone, page.token, page.clientToken)
        } else {
            ended(zone, .success((page.token, page.clientToken, page.moreComing)))
        }
    }

    private func ended(_ zone: CKRecordZone.ID, _ result: ZoneResult) {
        if let error = result.failure { zoneFailures[zone] = error }
        recordZoneFetchResultBlock?(zone, result)
        let success = try? result.get()
        oldZone?(
            zone, success?.serverChangeToken, success?.clientChangeTokenData, success?.moreComing ?? false,
            result.failure)
    }

    override func conclude(_ error: CKError?) {
        fetchRecordZoneChangesResultBlock?(error.map { .failure($0) } ?? .success(()))
        oldCompletion?(error ?? CKError.partial(zoneFailures, "Failed to fetch changes of some zones"))
    }
}
