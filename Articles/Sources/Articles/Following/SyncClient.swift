import CloudKit

final class UIApplication {}
enum UIBackgroundFetchResult { case newData, noData, failed }

/// Whose methods the article's are.
final class SyncClient {
    /// The article follows the shared database, for which there are no subscriptions yet. The private one has the same feeds.
    var sharedDB: CKDatabase {
        print("asks")
        return CKContainer.default().privateCloudDatabase
    }

    var changedZones: [CKRecordZone.ID] = []

    var subscriptionIsLocallyCached: Bool {
        get { SavedState.has("subscribed") }
        set {
            SavedState.note("subscribed")
            print("subscribed", newValue)
        }
    }

    var sharedDBChangeToken: CKServerChangeToken? {
        get { SavedState.token("database") }
        set { SavedState.save(newValue, "database") }
    }

    func forget(_ zoneID: CKRecordZone.ID) { print("zone deleted", zoneID.zoneName) }

    /// "Looks very similar", says the article of it, and leaves it out.
    func fetchZoneChanges(_ callback: @escaping () -> Void) {
        guard !changedZones.isEmpty else { return callback() }
        let operation = CKFetchRecordZoneChangesOperation(
            recordZoneIDs: changedZones, configurationsByRecordZoneID: configurations)
        operation.recordChangedBlock = { print("record", $0.recordID.recordName) }
        operation.recordWithIDWasDeletedBlock = { id, _ in print("record deleted", id.recordName) }
        operation.recordZoneChangeTokensUpdatedBlock = { zone, token, _ in SavedState.save(token, zone.zoneName) }
        operation.recordZoneFetchCompletionBlock = { zone, token, _, _, error in
            SavedState.save(token, zone.zoneName)
            if let error { print("failed: \(error)") }
        }
        operation.fetchRecordZoneChangesCompletionBlock = { error in
            if let error { print("failed: \(error)") }
            callback()
        }
        sharedDB.add(operation)
    }

    private var configurations: [CKRecordZone.ID: CKFetchRecordZoneChangesOperation.ZoneConfiguration] {
        var all: [CKRecordZone.ID: CKFetchRecordZoneChangesOperation.ZoneConfiguration] = [:]
        for zone in changedZones {
            all[zone] = .init(previousServerChangeToken: SavedState.token(zone.zoneName))
        }
        return all
    }
}
