import CloudKit

/// The article's two functions, by name, and between them what it leaves as prose: "users that would like to share their private info with
/// friends can simply add them to the share".
func runSharing(_ arguments: [String]) {
    switch arguments.first {
    case "share": createDefaultShareProfileURL()
    case "add": add(friend: CKRecord.ID(recordName: arguments[1]))
    default: refreshUserInformation(CKRecord.ID(recordName: arguments[1]))
    }
}

private func add(friend: CKRecord.ID) {
    Task {
        do {
            let container = CKContainer.default()
            let database = container.privateCloudDatabase
            let query = CKQuery(recordType: "PrivateInfo", predicate: NSPredicate(format: "TRUEPREDICATE"))
            let zone = CKRecordZone.ID(zoneName: "FavZone")
            let info = try await database.records(matching: query, inZoneWith: zone).matchResults[0].1.get()
            guard let id = info.share?.recordID, let share = try await database.record(for: id) as? CKShare else {
                return print("failed: the record is not shared")
            }
            share.addParticipant(try await container.shareParticipant(forUserRecordID: friend))
            try await database.save(share)
            print("added")
        } catch {
            print("failed", error)
        }
    }
}
