import Foundation

/// Fetches the zones of a private or shared database that changed since a change token, or all of its zones.
open class CKFetchDatabaseChangesOperation: CKDatabaseOperation, @unchecked Sendable {
    /// The token at which the previous fetch ended; nil starts at the beginning.
    public var previousServerChangeToken: CKServerChangeToken?
    /// The maximum number of zones per page; 0 leaves it to the server.
    public var resultsLimit = 0
    /// Whether to fetch pages until no more changes are coming; if false, only one page is fetched.
    public var fetchAllChanges = true

    /// Called for each zone that is new or in which something changed: fetch its changes.
    public var recordZoneWithIDChangedBlock: ((CKRecordZone.ID) -> Void)?
    /// Called for each zone that was deleted: remove what the app has stored of it.
    public var recordZoneWithIDWasDeletedBlock: ((CKRecordZone.ID) -> Void)?
    /// Called instead of ``recordZoneWithIDWasDeletedBlock``, if set, for a zone that the person removed.
    public var recordZoneWithIDWasPurgedBlock: ((CKRecordZone.ID) -> Void)?
    /// Called instead of ``recordZoneWithIDWasDeletedBlock``, if set, for a zone whose keys were reset.
    public var recordZoneWithIDWasDeletedDueToUserEncryptedDataResetBlock: ((CKRecordZone.ID) -> Void)?
    /// Called between pages. Store the token after the zones that were reported before it have been processed.
    public var changeTokenUpdatedBlock: ((CKServerChangeToken) -> Void)?
    /// Called once at the end with the last token, or with a ``CKError``: `changeTokenExpired` if the token is too old
    /// or belongs to another person; `invalidArguments` in the public database; otherwise what any request can fail
    /// with (``CKDatabase``). With ``fetchAllChanges``, tokens that were reported before the error are valid.
    public var fetchDatabaseChangesResultBlock:
        ((_ operationResult: Result<(serverChangeToken: CKServerChangeToken, moreComing: Bool), any Error>) -> Void)?
    /// The older form of ``fetchDatabaseChangesResultBlock``.
    @available(*, deprecated, message: "Use fetchDatabaseChangesResultBlock.")
    public var fetchDatabaseChangesCompletionBlock: ((CKServerChangeToken?, Bool, (any Error)?) -> Void)? {
        get { oldCompletion }
        set { oldCompletion = newValue }
    }
    private var oldCompletion: ((CKServerChangeToken?, Bool, (any Error)?) -> Void)?

    private(set) var changes: [DatabaseChangesCall.Change] = []
    private(set) var last: (token: CKServerChangeToken, moreComing: Bool)?

    /// Creates an operation that starts at the beginning.
    public init() { super.init(()) }

    /// Creates an operation that starts after a token, or at the beginning with nil.
    public convenience init(previousServerChangeToken: CKServerChangeToken?) {
        self.init()
        self.previousServerChangeToken = previousServerChangeToken
    }

    override func perform(_ terms: Service.Terms) async throws(CKError) {
        let target = target
        guard target.databaseScope != .public else {
            throw CKError(
                .invalidArguments,
                "the public database has no changes feed: query it with CKDatabase.records(matching:)")
        }
        var (token, empty) = (previousServerChangeToken, EmptyPages())
        while true {
            let call = DatabaseChangesCall(
                scope: target.databaseScope, token: token, limit: RequestLimits.page(resultsLimit))
            let page = try await target.core.service.answer(call, terms)
            let goesOn = fetchAllChanges && page.moreComing
            await self.call {
                for change in page.changes { self.report(change) }
                self.changes += page.changes
                self.last = (page.token, page.moreComing)
                if goesOn { self.changeTokenUpdatedBlock?(page.token) }
            }
            if !goesOn { return }
            try empty.follow(isEmpty: page.changes.isEmpty)
            token = page.token
        }
    }

    private func report(_ change: DatabaseChangesCall.Change) {
        switch change.deletion {
        case nil: recordZoneWithIDChangedBlock?(change.zone)
        case .deleted: recordZoneWithIDWasDeletedBlock?(change.zone)
        case .purged: (recordZoneWithIDWasPurgedBlock ?? recordZoneWithIDWasDeletedBlock)?(change.zone)
        case .encryptedDataReset:
            (recordZoneWithIDWasDeletedDueToUserEncryptedDataResetBlock ?? recordZoneWithIDWasDeletedBlock)?(
                change.zone)
        }
    }

    override func conclude(_ error: CKError?) {
        let error = error ?? (last == nil ? .unanswered : nil)
        if let error {
            fetchDatabaseChangesResultBlock?(.failure(error))
            oldCompletion?(nil, false, error)
        } else if let last {
            fetchDatabaseChangesResultBlock?(.success((last.token, last.moreComing)))
            oldCompletion?(last.token, last.moreComing, nil)
        }
    }
}
