import CloudKit
import Testing

/// Programs from before Swift 4.2 compile; the compiler reports that the names are old.
@available(*, deprecated, message: "It uses old names, which is what it is about.")
private enum OldProgram {
    static func run() -> [Bool] {
        let zoneID = CKRecordZoneID(zoneName: "Notes", ownerName: CKOwnerDefaultName)
        let recordID = CKRecordID(recordName: "a", zoneID: zoneID)
        let record = CKRecord(recordType: CKRecordTypeUserRecord, recordID: recordID)
        let action: CKReferenceAction = .deleteSelf
        record["owner"] = CKReference(recordID: recordID, action: action)
        let options: CKQuerySubscriptionOptions = [.firesOnRecordCreation]
        let subscription = CKQuerySubscription(
            recordType: "Note", predicate: NSPredicate(format: "TRUEPREDICATE"), subscriptionID: "s", options: options)
        let info = CKNotificationInfo()
        info.alertBody = "New"
        subscription.notificationInfo = info
        return [
            record.object(forKey: "owner") is CKReference, record.recordType == "Users",
            subscription.notificationInfo?.alertBody == "New", CKErrorCode.networkFailure.rawValue == 4,
            CKRecordZone.defaultRecordZone().zoneID.zoneName == CKRecordZoneDefaultName,
            CKRecordCreationDateKey == CKRecord.SystemFieldKey.creationDate, CKRecordParentKey == "___parent",
            CKSubscriptionType.query == subscription.subscriptionType,
        ]
    }
}

@Suite struct OldNamesTests {
    @available(*, deprecated, message: "It uses old names, which is what it is about.")
    @Test func theyMeanWhatTheyMeant() { #expect(OldProgram.run().allSatisfy { $0 }) }
}
