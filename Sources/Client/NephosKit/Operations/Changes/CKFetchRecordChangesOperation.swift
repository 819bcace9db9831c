public import Foundation

/// Fetches one page of the changes in one zone: the older form of ``CKFetchRecordZoneChangesOperation``.
@available(*, deprecated, message: "Use CKFetchRecordZoneChangesOperation.")
open class CKFetchRecordChangesOperation: CKDatabaseOperation, @unchecked Sendable {
    /// The zone to fetch the changes of; without one, the operation fails with `invalidArguments`.
    public var recordZoneID: CKRecordZone.ID?
    /// The token at which the previous fetch ended; nil starts at the beginning.
    public var previousServerChangeToken: CKServerChangeToken?
    /// The maximum number of changes; 0 leaves it to the server.
    public var resultsLimit = 0
    /// The fields to fetch; nil for all.
    public var desiredKeys: [CKRecord.FieldKey]?
    /// Whether there are more changes after the token of the result.
    public private(set) var moreComing = false

    /// Called for each record that is new or changed.
    public var recordChangedBlock: ((CKRecord) -> Void)?
    /// Called for each record that was deleted.
    public var recordWithIDWasDeletedBlock: ((CKRecord.ID) -> Void)?
    /// Called once at the end with the token, the app's own data, and an error: `partialFailure` if some records could
    /// not be fetched.
    public var fetchRecordChangesCompletionBlock: ((CKServerChangeToken?, Data?, (any Error)?) -> Void)?

    private var token: CKServerChangeToken?
    private var failures: [AnyHashable: any Error] = [:]
    private var clientToken: Data?

    /// Creates an operation without a zone.
    public init() { super.init(()) }

    /// Creates an operation for a zone that starts after a token, or at the beginning with nil.
    public convenience init(recordZoneID: CKRecordZone.ID, previousServerChangeToken: CKServerChangeToken?) {
        self.init()
        self.recordZoneID = recordZoneID
        self.previousServerChangeToken = previousServerChangeToken
    }

    override func perform(_ terms: Service.Terms) async throws(CKError) {
        let target = target
        guard let recordZoneID else {
            throw CKError(.invalidArguments, "no zone to fetch changes of: set recordZoneID")
        }
        let query = ZoneChangesCall.Query(
            zone: recordZoneID, token: previousServerChangeToken, limit: RequestLimits.page(resultsLimit),
            desiredKeys: desiredKeys)
        let call = ZoneChangesCall(scope: target.databaseScope, queries: [query])
        switch try await target.core.service.answer(call, terms).first {
        case .page(let page)?:
            let records = try await target.core.records(of: page.items, terms)
            await self.call {
                for (id, result) in records {
                    self.failures[id] = result.failure
                    if case .success(let record) = result { self.recordChangedBlock?(record) }
                }
                for item in page.items { if case .deleted(let id, _) = item { self.recordWithIDWasDeletedBlock?(id) } }
                self.moreComing = page.moreComing
                self.token = page.token
                self.clientToken = page.clientToken
            }
        case .failed(let error)?: throw error.ckError
        case nil: throw .unanswered
        }
    }

    override func conclude(_ error: CKError?) {
        let partial = CKError.partial(failures, "Failed to fetch some records")
        fetchRecordChangesCompletionBlock?(token, clientToken, error ?? partial)
    }
}
