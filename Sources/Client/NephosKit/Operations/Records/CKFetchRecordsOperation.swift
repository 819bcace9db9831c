import Foundation

/// Fetches records by their IDs.
open class CKFetchRecordsOperation: CKDatabaseOperation, @unchecked Sendable {
    /// The records to fetch, at most 200. Records of several zones are fetched with one request per zone.
    public var recordIDs: [CKRecord.ID]?
    /// The fields to fetch; nil for all, an empty array for only those that the service maintains.
    public var desiredKeys: [CKRecord.FieldKey]?

    /// Called with how much of a record's files has been fetched, from 0 to 1.
    public var perRecordProgressBlock: ((CKRecord.ID, Double) -> Void)?
    /// Called for each record with the record, or with a ``CKError``: `unknownItem` if it does not exist, or
    /// the error because of which a file cannot be fetched.
    public var perRecordResultBlock: ((_ recordID: CKRecord.ID, _ recordResult: Result<CKRecord, any Error>) -> Void)?
    /// Called once at the end. Failures of single records are reported for each record, and do not fail the operation.
    public var fetchRecordsResultBlock: ((_ operationResult: Result<Void, any Error>) -> Void)?
    /// The older form of ``perRecordResultBlock``.
    @available(*, deprecated, message: "Use perRecordResultBlock.")
    public var perRecordCompletionBlock: ((CKRecord?, CKRecord.ID?, (any Error)?) -> Void)? {
        get { oldPerRecord }
        set { oldPerRecord = newValue }
    }
    /// The older form of ``fetchRecordsResultBlock``: called with the records that were found, and with
    /// `partialFailure` if some records failed.
    @available(*, deprecated, message: "Use fetchRecordsResultBlock.")
    public var fetchRecordsCompletionBlock: (([CKRecord.ID: CKRecord]?, (any Error)?) -> Void)? {
        get { oldCompletion }
        set { oldCompletion = newValue }
    }
    private var oldPerRecord: ((CKRecord?, CKRecord.ID?, (any Error)?) -> Void)?
    private var oldCompletion: (([CKRecord.ID: CKRecord]?, (any Error)?) -> Void)?

    private(set) var results: [CKRecord.ID: Result<CKRecord, any Error>] = [:]
    private var fetchesCurrentUser = false

    /// Creates an operation without records.
    public required init() { super.init(()) }

    /// Creates an operation for records.
    public convenience init(recordIDs: [CKRecord.ID]) {
        self.init()
        self.recordIDs = recordIDs
    }

    /// Creates an operation that fetches the user record of the person who is signed in.
    open class func fetchCurrentUserRecordOperation() -> Self {
        let operation = self.init()
        operation.fetchesCurrentUser = true
        return operation
    }

    override func perform(_ terms: Service.Terms) async throws(CKError) {
        let target = target
        let service = target.core.service
        let user = try await service.user(terms).map { CKRecord.ID(recordName: $0.userRecordName) }
        if fetchesCurrentUser {
            guard let user else { throw .signedOut("user record") }
            recordIDs = [user]
        }
        let ids = recordIDs ?? []
        try RequestLimits.check(ids.count)
        var groups: [(place: RecordPlace, names: [String])] = []
        for id in ids {
            // The person's user record is in the public database, and can be fetched through every database.
            let place = RecordPlace(scope: id == user ? .public : target.databaseScope, zone: id.zoneID)
            if let index = groups.firstIndex(where: { $0.place == place }) {
                if !groups[index].names.contains(where: { $0.hasSameBytes(as: id.recordName) }) {
                    groups[index].names.append(id.recordName)
                }
            } else {
                groups.append((place, [id.recordName]))
            }
        }
        for group in groups {
            let fetching = RecordFetching(core: target.core, desiredKeys: desiredKeys)
            let results = try await fetching.run(group.place, group.names, terms) { id, share in
                self.callLater { self.perRecordProgressBlock?(id, share) }
            }
            await call { for (id, result) in results { self.report(id, result) } }
        }
    }

    private func report(_ id: CKRecord.ID, _ result: Result<CKRecord, any Error>) {
        results[id] = result
        if result.isSuccess { perRecordProgressBlock?(id, 1) }
        perRecordResultBlock?(id, result)
        oldPerRecord?(try? result.get(), id, result.failure)
    }

    override func conclude(_ error: CKError?) {
        fetchRecordsResultBlock?(error.map { .failure($0) } ?? .success(()))
        guard let oldCompletion else { return }
        let failures = results.failures()
        oldCompletion(
            results.compactMapValues { try? $0.get() },
            error ?? CKError.partial(failures, "Failed to fetch some records"))
    }
}
