public import Foundation

/// Fetches what changed in zones since change tokens, or all there is.
///
/// A token that was told is good together with what was told before it, whatever happens afterwards.
open class CKFetchRecordZoneChangesOperation: CKDatabaseOperation, @unchecked Sendable {
    /// How the changes of one zone are fetched.
    public typealias ZoneConfiguration = CKFetchRecordZoneChangesConfiguration
    /// The older name of ``ZoneConfiguration``.
    @available(*, deprecated, renamed: "ZoneConfiguration")
    public typealias ZoneOptions = CKFetchRecordZoneChangesConfiguration
    typealias ZoneResult = Result<
        (serverChangeToken: CKServerChangeToken, clientChangeTokenData: Data?, moreComing: Bool), any Error
    >

    /// The zones, at most 200; nil for those of ``configurationsByRecordZoneID``.
    public var recordZoneIDs: [CKRecordZone.ID]?
    /// Tokens, limits and fields of single zones. A zone without one starts at the beginning and has all fields.
    public var configurationsByRecordZoneID: [CKRecordZone.ID: ZoneConfiguration]?
    /// The older name of ``configurationsByRecordZoneID``.
    @available(*, deprecated, renamed: "configurationsByRecordZoneID")
    public var optionsByRecordZoneID: [CKRecordZone.ID: ZoneConfiguration]? {
        get { configurationsByRecordZoneID }
        set { configurationsByRecordZoneID = newValue }
    }
    /// Whether to go on until nothing more is coming; else one page of each zone.
    public var fetchAllChanges = true

    /// Called for each record that is new or changed, or with why it cannot be read. Its files have been fetched.
    public var recordWasChangedBlock: ((_ recordID: CKRecord.ID, _ recordResult: Result<CKRecord, any Error>) -> Void)?
    /// Called for each record that is gone. The type is empty where the service does not send it, as Apple's does not.
    public var recordWithIDWasDeletedBlock: ((_ recordID: CKRecord.ID, _ recordType: CKRecord.RecordType) -> Void)?
    /// Called between the pages of a zone. The app's own data is that of the latest ``CKModifyRecordsOperation`` that the
    /// server has taken, whose records may be on a later page.
    public var recordZoneChangeTokensUpdatedBlock:
        (
            (_ recordZoneID: CKRecordZone.ID, _ serverChangeToken: CKServerChangeToken?, _ clientChangeTokenData: Data?)
                -> Void
        )?
    /// Called when a zone is through. With `changeTokenExpired`, forget the zone and fetch without a token.
    public var recordZoneFetchResultBlock:
        (
            (
                _ recordZoneID: CKRecordZone.ID,
                _ fetchChangesResult: Result<
                    (serverChangeToken: CKServerChangeToken, clientChangeTokenData: Data?, moreComing: Bool), any Error
                >
            ) -> Void
        )?
    /// A failure of some zones is none of the operation's.
    public var fetchRecordZoneChangesResultBlock: ((_ operationResult: Result<Void, any Error>) -> Void)?
    /// The older form of ``recordWasChangedBlock``: called for records that can be read.
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
    /// The older form of ``fetchRecordZoneChangesResultBlock``, with `partialFailure` when some zones failed.
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
            // A zone that brings nothing may have been put off for one that did.
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
        // Changes and deletions in the order in which they came.
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
