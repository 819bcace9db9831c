import Foundation

/// Creates and deletes zones of the private database. Creating a zone that exists changes nothing; deleting a zone
/// permanently deletes everything in it.
open class CKModifyRecordZonesOperation: CKDatabaseOperation, @unchecked Sendable {
    /// The zones to create; at most 400 together with those to delete.
    public var recordZonesToSave: [CKRecordZone]?
    /// The zones to delete, with everything in them.
    public var recordZoneIDsToDelete: [CKRecordZone.ID]?

    /// Called for each zone that was to be created, with the zone as the server has it, or with a ``CKError``.
    public var perRecordZoneSaveBlock:
        ((_ recordZoneID: CKRecordZone.ID, _ saveResult: Result<CKRecordZone, any Error>) -> Void)?
    /// Called for each zone that was to be deleted, with `zoneNotFound` if it does not exist.
    public var perRecordZoneDeleteBlock:
        ((_ recordZoneID: CKRecordZone.ID, _ deleteResult: Result<Void, any Error>) -> Void)?
    /// Called once at the end. Failures of single zones are reported for each zone, and do not fail the operation.
    public var modifyRecordZonesResultBlock: ((_ operationResult: Result<Void, any Error>) -> Void)?
    /// The older form of ``modifyRecordZonesResultBlock``, with `partialFailure` if some zones failed.
    @available(*, deprecated, message: "Use modifyRecordZonesResultBlock.")
    public var modifyRecordZonesCompletionBlock: (([CKRecordZone]?, [CKRecordZone.ID]?, (any Error)?) -> Void)? {
        get { oldCompletion }
        set { oldCompletion = newValue }
    }
    private var oldCompletion: (([CKRecordZone]?, [CKRecordZone.ID]?, (any Error)?) -> Void)?

    private(set) var saveResults: [CKRecordZone.ID: Result<CKRecordZone, any Error>] = [:]
    private(set) var deleteResults: [CKRecordZone.ID: Result<Void, any Error>] = [:]

    /// Creates an operation without zones; set at least one of the lists, or it fails with `invalidArguments`.
    public init() { super.init(()) }

    /// Creates an operation that creates and deletes zones. If both lists are nil, it fails with `invalidArguments`.
    public convenience init(recordZonesToSave: [CKRecordZone]? = nil, recordZoneIDsToDelete: [CKRecordZone.ID]? = nil) {
        self.init()
        self.recordZonesToSave = recordZonesToSave
        self.recordZoneIDsToDelete = recordZoneIDsToDelete
    }

    override func perform(_ terms: Service.Terms) async throws(CKError) {
        let target = target
        let saved = (recordZonesToSave ?? []).map(\.zoneID).unique
        let deleted = (recordZoneIDsToDelete ?? []).unique
        guard recordZonesToSave != nil || recordZoneIDsToDelete != nil else {
            throw CKError(.invalidArguments, "nothing to do: set recordZonesToSave or recordZoneIDsToDelete")
        }
        try RequestLimits.check(changes: saved.count + deleted.count, of: target.core.service)
        if saved.isEmpty, deleted.isEmpty { return }
        guard target.databaseScope == .private || saved.isEmpty else {
            throw CKError(.badDatabase, "zones can be created in the private database only")
        }
        guard target.databaseScope != .public else {
            throw CKError(.badDatabase, "the public database has one zone, which cannot be deleted")
        }
        if let zone = recordZonesToSave?.first(where: { $0.encryptionScope == .perZone }) {
            throw CKError(
                .invalidArguments,
                "the zone \(zone.zoneID.zoneName): encryption by zone is not supported, use .perRecord")
        }
        let call = ZonesCall(scope: target.databaseScope, kind: .modify(saving: saved, deleting: deleted))
        // The person is looked up before anything is changed, since nothing may fail after the change.
        let user = try await target.core.service.user(terms)?.userRecordName
        let answers = try await target.core.service.answer(call, terms)
        await self.call {
            for id in saved { self.report(saved: id, answers.saved(id.shown(to: user))) }
            for id in deleted { self.report(deleted: id, answers.deleted(id.shown(to: user))) }
        }
    }

    private func report(saved id: CKRecordZone.ID, _ result: Result<CKRecordZone, any Error>) {
        saveResults[id] = result
        perRecordZoneSaveBlock?(id, result)
    }

    private func report(deleted id: CKRecordZone.ID, _ result: Result<Void, any Error>) {
        deleteResults[id] = result
        perRecordZoneDeleteBlock?(id, result)
    }

    override func conclude(_ error: CKError?) {
        modifyRecordZonesResultBlock?(error.map { .failure($0) } ?? .success(()))
        let failures = saveResults.failures().merging(deleteResults.failures()) { $1 }
        oldCompletion?(
            (recordZonesToSave ?? []).compactMap { try? saveResults[$0.zoneID]?.get() },
            (recordZoneIDsToDelete ?? []).filter { deleteResults[$0]?.isSuccess == true },
            error ?? CKError.partial(failures, "Failed to modify some zones"))
    }
}
