import CloudKit
import Foundation
import Testing

/// Names and numbers that programs store or compare, with Apple's values.
@Suite struct ConstantTests {
    @Test func texts() {
        #expect(CKCurrentUserDefaultName == "__defaultOwner__" && CKRecordZone.ID.defaultZoneName == "_defaultZone")
        #expect(CKRecordNameZoneWideShare == "cloudkit.zoneshare" && CKErrorDomain == "CKErrorDomain")
        #expect(CKRecord.SystemType.userRecord == "Users" && CKRecord.SystemType.share == "cloudkit.share")
        let keys: [CKRecord.FieldKey] = [
            CKRecord.SystemFieldKey.recordID, CKRecord.SystemFieldKey.creatorUserRecordID,
            CKRecord.SystemFieldKey.creationDate, CKRecord.SystemFieldKey.lastModifiedUserRecordID,
            CKRecord.SystemFieldKey.modificationDate, CKRecord.SystemFieldKey.parent, CKRecord.SystemFieldKey.share,
        ]
        #expect(
            keys == [
                "___recordID", "___createdBy", "___createTime", "___modifiedBy", "___modTime", "___parent", "___share",
            ])
        #expect(
            [
                CKPartialErrorsByItemIDKey, CKErrorRetryAfterKey, CKRecordChangedErrorServerRecordKey,
                CKRecordChangedErrorClientRecordKey, CKRecordChangedErrorAncestorRecordKey,
                CKErrorUserDidResetEncryptedDataKey,
            ] == [
                "CKPartialErrors", "CKRetryAfter", "ServerRecord", "ClientRecord", "AncestorRecord",
                "CKUserDidResetEncryptedData",
            ])
        #expect(NSNotification.Name.CKAccountChanged.rawValue == "CKAccountChangedNotification")
    }

    @Test func numbers() {
        let statuses: [CKAccountStatus] = [
            .couldNotDetermine, .available, .restricted, .noAccount, .temporarilyUnavailable,
        ]
        #expect(statuses.map(\.rawValue) == [0, 1, 2, 3, 4])
        let policies: [CKModifyRecordsOperation.RecordSavePolicy] = [.ifServerRecordUnchanged, .changedKeys, .allKeys]
        #expect(policies.map(\.rawValue) == [0, 1, 2])
        let sizes: [CKOperationGroup.TransferSize] = [
            .unknown, .kilobytes, .megabytes, .tensOfMegabytes, .hundredsOfMegabytes, .gigabytes, .tensOfGigabytes,
            .hundredsOfGigabytes,
        ]
        #expect(sizes.map(\.rawValue) == Array(0...7))
        let notifications: [CKNotification.NotificationType] = [.query, .recordZone, .readNotification, .database]
        #expect(notifications.map(\.rawValue) == [1, 2, 3, 4])
        let reasons: [CKQueryNotification.Reason] = [.recordCreated, .recordUpdated, .recordDeleted]
        #expect(reasons.map(\.rawValue) == [1, 2, 3])
        let options: [CKQuerySubscription.Options] = [
            .firesOnRecordCreation, .firesOnRecordUpdate, .firesOnRecordDeletion, .firesOnce,
        ]
        #expect(options.map(\.rawValue) == [1, 2, 4, 8])
        #expect(CKQueryOperation.maximumResults == 0 && CKRecordZone.EncryptionScope.perRecord.rawValue == 0)
    }

    /// Codes by number, and their names in patterns.
    @Test func codes() {
        let codes: [CKError.Code] = [
            CKError.internalError, CKError.partialFailure, CKError.networkUnavailable, CKError.networkFailure,
            CKError.badContainer, CKError.serviceUnavailable, CKError.requestRateLimited, CKError.missingEntitlement,
            CKError.notAuthenticated, CKError.permissionFailure, CKError.unknownItem, CKError.invalidArguments,
            CKError.resultsTruncated, CKError.serverRecordChanged, CKError.serverRejectedRequest,
            CKError.assetFileNotFound, CKError.assetFileModified, CKError.incompatibleVersion,
            CKError.constraintViolation, CKError.operationCancelled, CKError.changeTokenExpired,
            CKError.batchRequestFailed, CKError.zoneBusy, CKError.badDatabase, CKError.quotaExceeded,
            CKError.zoneNotFound, CKError.limitExceeded, CKError.userDeletedZone, CKError.tooManyParticipants,
            CKError.alreadyShared, CKError.referenceViolation, CKError.managedAccountRestricted,
            CKError.participantMayNeedVerification, CKError.serverResponseLost, CKError.assetNotAvailable,
            CKError.accountTemporarilyUnavailable, CKError.participantAlreadyInvited,
        ]
        #expect(codes.map(\.rawValue) == Array(1...37))
        for code in codes {
            let error = CKError(code)
            #expect(error.code == code && error.errorCode == code.rawValue && error.errorUserInfo.isEmpty)
            #expect((error as NSError).domain == CKErrorDomain && (error as NSError).code == code.rawValue)
        }
    }

    @Test func groups() throws {
        let group = CKOperationGroup()
        group.name = "first sync"
        group.quantity = 3
        group.expectedSendSize = .kilobytes
        group.expectedReceiveSize = .tensOfMegabytes
        let data = try NSKeyedArchiver.archivedData(withRootObject: group, requiringSecureCoding: true)
        let copy = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: CKOperationGroup.self, from: data))
        #expect(copy.operationGroupID == group.operationGroupID && copy.name == "first sync" && copy.quantity == 3)
        #expect(copy.expectedSendSize == .kilobytes && copy.expectedReceiveSize == .tensOfMegabytes)
        #expect(CKOperationGroup().operationGroupID != group.operationGroupID)
    }

    @available(*, deprecated, message: "It uses old names, which is what it is about.")
    @Test func oldMembersOfOperations() {
        let operation = CKFetchRecordsOperation(recordIDs: [])
        let id: CKOperation.ID = operation.operationID
        #expect(!id.isEmpty && operation.container == nil && operation.allowsCellularAccess && !operation.isLongLived)
        operation.allowsCellularAccess = false
        operation.isLongLived = true
        operation.timeoutIntervalForRequest = 5
        operation.timeoutIntervalForResource = 50
        operation.container = CKContainer(identifier: "iCloud.test")
        let configuration: CKOperation.Configuration = operation.configuration
        #expect(!configuration.allowsCellularAccess && configuration.isLongLived)
        #expect(configuration.timeoutIntervalForRequest == 5 && configuration.timeoutIntervalForResource == 50)
        #expect(configuration.container?.containerIdentifier == "iCloud.test")
        #expect(operation.container != nil && operation.timeoutIntervalForRequest == 5)
        #expect(operation.timeoutIntervalForResource == 50)
        configuration.timeoutIntervalForRequest = 6
        #expect(operation.configuration.timeoutIntervalForRequest == 6, "what is given is the operation's own")
        let copy = configuration.copy() as? CKOperation.Configuration
        copy?.timeoutIntervalForRequest = 7
        #expect(operation.configuration.timeoutIntervalForRequest == 6)
    }

    @available(*, deprecated, message: "It uses old names, which is what it is about.")
    @Test func oldInitializers() {
        let predicate = NSPredicate(value: true)
        let query = CKQuerySubscription(recordType: "T", predicate: predicate, options: .firesOnRecordDeletion)
        let zone = CKRecordZone.ID(zoneName: "Z", ownerName: String?.none)
        #expect(zone.ownerName == CKCurrentUserDefaultName)
        let ids: [CKSubscription.ID] = [
            query.subscriptionID, CKRecordZoneSubscription(zoneID: zone).subscriptionID,
            CKDatabaseSubscription().subscriptionID,
        ]
        #expect(Set(ids).count == 3 && ids.allSatisfy { UUID(uuidString: $0) != nil })
        let type: CKRecord.RecordType = "T"
        #expect(CKRecord(recordType: type, zoneID: zone).recordID.zoneID == zone)
        #expect(CKRecord_Reference_Action.deleteSelf == CKRecord.Reference.Action.deleteSelf)
    }

    @Test func fieldsThroughTheProtocol() {
        let record = CKRecord(recordType: "T")
        let secrets: any CKRecordKeyValueSetting = record.encryptedValues
        secrets.setObject("hidden" as NSString, forKey: "a")
        #expect(secrets.object(forKey: "a") as? String == "hidden" && secrets.changedKeys() == ["a"])
        record["words"] = "One two, ONE"
        #expect(Set(record.allTokens()) == ["one", "two", "hidden"])
        let value: CKRecordValue? = record["words"]
        #expect(value as? String == "One two, ONE")
        record["other"] = value
        let object: (any __CKRecordObjCValue)? = record["other"]
        #expect(object as? String == "One two, ONE")
        var iterator = record.makeIterator()
        let first: CKRecordKeyValueIterator.Element? = iterator.next()
        #expect(first != nil)
    }
}
