import CloudKit

/// How current apps follow a zone: with an actor and `async` only.
actor NewSync {
    private let database: CKDatabase
    private let zoneID = CKRecordZone.ID(zoneName: "Notes")
    private var token: CKServerChangeToken?
    private(set) var records: [CKRecord.ID: CKRecord] = [:]

    init(container: CKContainer) { database = container.privateCloudDatabase }

    func save(_ records: [CKRecord]) async throws {
        let (saved, _) = try await database.modifyRecords(saving: records, deleting: [], savePolicy: .changedKeys)
        for (id, result) in saved {
            switch result {
            case .success(let record): self.records[id] = record
            case .failure(CKError.zoneNotFound): try await database.save(CKRecordZone(zoneID: zoneID))
            case .failure(let error as CKError):
                switch error.code {
                case .networkFailure, .networkUnavailable: continue
                case .serverRecordChanged: self.records[id] = error.serverRecord
                default: throw error
                }
            case .failure(let error): throw error
            }
        }
    }

    func fetch() async throws {
        var moreComing = true
        while moreComing {
            let changes = try await database.recordZoneChanges(inZoneWith: zoneID, since: token)
            for (id, result) in changes.modificationResultsByID { records[id] = try result.get().record }
            for deletion in changes.deletions { records[deletion.recordID] = nil }
            token = changes.changeToken
            moreComing = changes.moreComing
        }
    }

    func titles() async throws -> [String] {
        let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
        let (matches, cursor) = try await database.records(matching: query, inZoneWith: zoneID, resultsLimit: 10)
        if let cursor { _ = try await database.records(continuingMatchFrom: cursor) }
        return matches.compactMap { try? $0.1.get()["title"] }
    }

    func subscribe() async throws {
        let subscription = CKDatabaseSubscription(subscriptionID: "all")
        subscription.notificationInfo = CKSubscription.NotificationInfo(shouldSendContentAvailable: true)
        try await database.save(subscription)
    }

    func urgently() async throws -> [CKRecordZone] {
        let configuration = CKOperation.Configuration()
        configuration.qualityOfService = .userInitiated
        return try await database.configuredWith(configuration: configuration) { try await $0.allRecordZones() }
    }
}
