import CloudKit

/// How older apps follow a zone: with blocks, operations, queues, and state that is not declared Sendable.
public class OldSync {
    private let container = CKContainer(identifier: "iCloud.org.example.consumer")
    private let zoneID = CKRecordZone.ID(zoneName: "Notes")
    private var token: CKServerChangeToken?
    public private(set) var titles: [String] = []
    public var onChange: (() -> Void)?

    public init() {}

    public func save(_ record: CKRecord, completion: @escaping (Error?) -> Void) {
        container.privateCloudDatabase.save(record) { _, error in
            if let error = error as? CKError, error.code == .serverRecordChanged, let server = error.serverRecord {
                server["title"] = record["title"]
                self.container.privateCloudDatabase.save(server) { _, error in completion(error) }
                return
            }
            DispatchQueue.main.async { completion(error) }
        }
    }

    public func makeZone(then next: @escaping (CKRecordZone.ID?) -> Void) {
        let operation = CKModifyRecordZonesOperation(recordZonesToSave: [CKRecordZone(zoneID: zoneID)])
        operation.qualityOfService = .userInitiated
        operation.modifyRecordZonesResultBlock = { [weak self] result in
            switch result {
            case .success: next(self?.zoneID)
            case .failure(let error):
                let wait = (error as NSError).userInfo[CKErrorRetryAfterKey] as? TimeInterval
                if wait == nil { next(nil) } else { self?.makeZone(then: next) }
            }
        }
        container.privateCloudDatabase.add(operation)
    }

    public func fetch() {
        let configuration = CKFetchRecordZoneChangesOperation.ZoneConfiguration()
        configuration.previousServerChangeToken = token
        let operation = CKFetchRecordZoneChangesOperation(
            recordZoneIDs: [zoneID], configurationsByRecordZoneID: [zoneID: configuration])
        operation.recordWasChangedBlock = { id, result in
            guard case .success(let record) = result else { return }
            self.titles.append(record["title"] as? String ?? id.recordName)
        }
        operation.recordWithIDWasDeletedBlock = { id, _ in self.titles.removeAll { $0 == id.recordName } }
        operation.recordZoneChangeTokensUpdatedBlock = { _, token, _ in self.token = token }
        operation.recordZoneFetchResultBlock = { _, result in
            switch result {
            case .success(let (token, _, _)): self.token = token
            case .failure(CKError.changeTokenExpired): self.token = nil
            case .failure(let error): print(error.localizedDescription)
            }
        }
        operation.fetchRecordZoneChangesResultBlock = { _ in self.onChange?() }
        container.privateCloudDatabase.add(operation)
    }

    public func newest(_ completion: @escaping ([CKRecord]) -> Void) {
        let query = CKQuery(
            recordType: "Note", predicate: NSPredicate(format: "date > %@", NSDate(timeIntervalSince1970: 0)))
        query.sortDescriptors = [NSSortDescriptor(key: "date", ascending: false)]
        var found: [CKRecord] = []
        let operation = CKQueryOperation(query: query)
        operation.resultsLimit = 1
        operation.recordMatchedBlock = { _, result in if let record = try? result.get() { found.append(record) } }
        operation.queryResultBlock = { _ in completion(found) }
        container.publicCloudDatabase.add(operation)
    }

    public func handle(_ userInfo: [AnyHashable: Any]) -> Bool {
        guard let notification = CKNotification(fromRemoteNotificationDictionary: userInfo) else { return false }
        switch notification {
        case let notification as CKQueryNotification: return notification.recordID != nil
        case is CKDatabaseNotification: return true
        default: return notification.notificationType == .recordZone
        }
    }
}
