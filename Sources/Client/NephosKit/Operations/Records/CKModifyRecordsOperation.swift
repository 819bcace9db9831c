public import Foundation

/// Saves and deletes records.
///
/// In a custom zone, either all changes are made or none, unless ``isAtomic`` is false. Zones are independent of each
/// other. After a save, the record object that was passed has the server's change tag and times.
open class CKModifyRecordsOperation: CKDatabaseOperation, @unchecked Sendable {
    /// When a save may overwrite the server's version of a record.
    public enum RecordSavePolicy: Int, Sendable {
        /// Only if the server's version has not changed since the record was fetched. Sends the fields that were set
        /// since.
        case ifServerRecordUnchanged = 0
        /// Always. Sends the fields that were set since the record was fetched.
        case changedKeys = 1
        /// Always. Sends all fields.
        case allKeys = 2
    }

    /// The records to save; at most 400 together with those to delete (200 at Apple's own service), and each only once.
    public var recordsToSave: [CKRecord]?
    /// The records to delete, whatever version the server has. A record that does not exist counts as deleted.
    public var recordIDsToDelete: [CKRecord.ID]?
    /// When a save may overwrite the server's version of a record; `.ifServerRecordUnchanged` by default.
    public var savePolicy = RecordSavePolicy.ifServerRecordUnchanged
    /// Up to 1,024 bytes of the app's own data, which ``CKFetchRecordZoneChangesOperation`` returns: for each custom
    /// zone, the data of the latest operation that saved or deleted something there.
    public var clientChangeTokenData: Data?
    /// Whether either all changes of one custom zone are made or none; true by default. Default zones and the public
    /// database are never atomic.
    public var isAtomic = true

    /// Called with how much of a record's files has been sent, from 0 to 1, and with 1 for every record that was saved.
    public var perRecordProgressBlock: ((CKRecord, Double) -> Void)?
    /// Called for each record with the record, or with a ``CKError``: `serverRecordChanged` for a conflict,
    /// `batchRequestFailed` if another record of its atomic zone failed, `serverResponseLost` if it may have been
    /// saved.
    public var perRecordSaveBlock: ((_ recordID: CKRecord.ID, _ saveResult: Result<CKRecord, any Error>) -> Void)?
    /// Called for each record that was to be deleted.
    public var perRecordDeleteBlock: ((_ recordID: CKRecord.ID, _ deleteResult: Result<Void, any Error>) -> Void)?
    /// Called once at the end. Failures of single records are reported for each record, and do not fail the operation.
    public var modifyRecordsResultBlock: ((_ operationResult: Result<Void, any Error>) -> Void)?
    /// The older form of ``perRecordSaveBlock``.
    @available(*, deprecated, message: "Use perRecordSaveBlock.")
    public var perRecordCompletionBlock: ((CKRecord, (any Error)?) -> Void)? {
        get { oldPerRecord }
        set { oldPerRecord = newValue }
    }
    /// The older form of ``modifyRecordsResultBlock``: called with what was saved and deleted, and with
    /// `partialFailure` if something failed.
    @available(*, deprecated, message: "Use modifyRecordsResultBlock.")
    public var modifyRecordsCompletionBlock: (([CKRecord]?, [CKRecord.ID]?, (any Error)?) -> Void)? {
        get { oldCompletion }
        set { oldCompletion = newValue }
    }
    private var oldPerRecord: ((CKRecord, (any Error)?) -> Void)?
    private var oldCompletion: (([CKRecord]?, [CKRecord.ID]?, (any Error)?) -> Void)?

    /// Whether a record that does not exist counts as deleted, as it does for Apple's operation. Apple's functions for one
    /// record report it. (Apple's web service does not document an operation that reports it.)
    var countsMissingAsDeleted = true
    private(set) var saveResults: [CKRecord.ID: Result<CKRecord, any Error>] = [:]
    private(set) var deleteResults: [CKRecord.ID: Result<Void, any Error>] = [:]

    /// Creates an operation without records; set at least one of the lists, or it fails with `invalidArguments`.
    public init() { super.init(()) }

    /// Creates an operation that saves and deletes records. If both lists are nil, it fails with
    /// `invalidArguments`.
    public convenience init(recordsToSave: [CKRecord]? = nil, recordIDsToDelete: [CKRecord.ID]? = nil) {
        self.init()
        self.recordsToSave = recordsToSave
        self.recordIDsToDelete = recordIDsToDelete
    }

    override func perform(_ terms: Service.Terms) async throws(CKError) {
        let (records, ids) = (recordsToSave ?? [], recordIDsToDelete ?? [])
        let target = target
        try check(records, ids, target.core.service)
        let token = try clientToken(for: target.core.service)
        let countsMissing = try countsMissingAsDeleted ? true : !target.core.service.settings().speaksNephos
        for zone in (records.map(\.recordID.zoneID) + ids.map(\.zoneID)).unique {
            let isCustom = target.databaseScope != .public && zone.zoneName != CKRecordZoneID.defaultZoneName
            let saving = RecordSaving(
                service: target.core.service, scope: target.databaseScope, zone: zone, policy: savePolicy,
                atomic: isCustom ? isAtomic : nil, records: records.filter { $0.recordID.zoneID == zone },
                deletions: ids.filter { $0.zoneID == zone }, countsMissingAsDeleted: countsMissing,
                clientToken: isCustom ? token : nil)
            let outcome = try await saving.run(terms) { record, share in
                self.callLater { self.perRecordProgressBlock?(record, share) }
            }
            await call { self.report(outcome) }
        }
    }

    /// The data to send with each request; nil for a service that does not support it.
    private func clientToken(for service: Service) throws(CKError) -> Data? {
        guard let clientChangeTokenData, try service.settings().speaksNephos else { return nil }
        guard clientChangeTokenData.count <= RequestLimits.clientTokenBytes else {
            throw CKError(
                .invalidArguments,
                "clientChangeTokenData of \(clientChangeTokenData.count) bytes is longer than the "
                    + "\(RequestLimits.clientTokenBytes) that are stored: store the data elsewhere, and pass a reference to it"
            )
        }
        return clientChangeTokenData
    }

    private func check(_ records: [CKRecord], _ ids: [CKRecord.ID], _ service: Service) throws(CKError) {
        guard recordsToSave != nil || recordIDsToDelete != nil else {
            throw CKError(.invalidArguments, "nothing to do: set recordsToSave or recordIDsToDelete")
        }
        try RequestLimits.check(changes: records.count + ids.count, of: service)
        var named: Set<CKRecord.ID> = []
        for id in records.map(\.recordID) + ids where !named.insert(id).inserted {
            throw CKError(
                .invalidArguments,
                "the record \(id.recordName) is named twice: an operation can either save or delete it, once")
        }
    }

    private func report(_ outcome: RecordSaving.Outcome) {
        for (record, result) in outcome.saved {
            saveResults[record.recordID] = result
            if case .success = result { perRecordProgressBlock?(record, 1) }
            perRecordSaveBlock?(record.recordID, result)
            oldPerRecord?(record, result.failure)
        }
        for (id, result) in outcome.deleted {
            deleteResults[id] = result
            perRecordDeleteBlock?(id, result)
        }
    }

    override func conclude(_ error: CKError?) {
        modifyRecordsResultBlock?(error.map { .failure($0) } ?? .success(()))
        guard let oldCompletion else { return }
        let failures = saveResults.failures().merging(deleteResults.failures()) { $1 }
        oldCompletion(
            (recordsToSave ?? []).filter { saveResults[$0.recordID]?.isSuccess == true },
            (recordIDsToDelete ?? []).filter { deleteResults[$0]?.isSuccess == true },
            error ?? CKError.partial(failures, "Failed to modify some records"))
    }
}
