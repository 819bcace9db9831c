import CloudKit

/// Names from before Swift 4.2.
@available(*, deprecated, message: "It names what is deprecated as well.")
extension Inventory {
    mutating func oldTypes() {
        topic("Old names")
        alias("CKRecordID", CKRecordID.self, CKRecord.ID.self)
        alias("CKRecordZoneID", CKRecordZoneID.self, CKRecordZone.ID.self)
        alias("CKReference", CKReference.self, CKRecord.Reference.self)
        alias("CKReferenceAction", CKReferenceAction.self, CKRecord.ReferenceAction.self)
        alias("CKQueryCursor", CKQueryCursor.self, CKQueryOperation.Cursor.self)
        alias("CKNotificationInfo", CKNotificationInfo.self, CKSubscription.NotificationInfo.self)
        alias("CKNotificationID", CKNotificationID.self, CKNotification.ID.self)
        alias("CKNotificationType", CKNotificationType.self, CKNotification.NotificationType.self)
        alias("CKQueryNotificationReason", CKQueryNotificationReason.self, CKQueryNotification.Reason.self)
        alias("CKSubscriptionType", CKSubscriptionType.self, CKSubscription.SubscriptionType.self)
        alias("CKSubscriptionOptions", CKSubscriptionOptions.self, CKQuerySubscription.Options.self)
        alias("CKQuerySubscriptionOptions", CKQuerySubscriptionOptions.self, CKQuerySubscription.Options.self)
        alias("CKRecordSavePolicy", CKRecordSavePolicy.self, CKModifyRecordsOperation.RecordSavePolicy.self)
        alias("CKDatabaseScope", CKDatabaseScope.self, CKDatabase.Scope.self)
        alias("CKRecordZoneCapabilities", CKRecordZoneCapabilities.self, CKRecordZone.Capabilities.self)
        alias("CKErrorCode", CKErrorCode.self, CKError.Code.self)
        alias(
            "CKFetchRecordZoneChangesOptions", CKFetchRecordZoneChangesOptions.self,
            CKFetchRecordZoneChangesOperation.ZoneOptions.self)
        alias(
            "CKFetchRecordZoneChangesConfiguration", CKFetchRecordZoneChangesConfiguration.self,
            CKFetchRecordZoneChangesOperation.ZoneConfiguration.self)
        alias("CKOperationConfiguration", CKOperationConfiguration.self, CKOperation.Configuration.self)
        alias("CKOperationGroupTransferSize", CKOperationGroupTransferSize.self, CKOperationGroup.TransferSize.self)
    }

    mutating func oldSharingTypes() {
        topic("Old names: sharing", .notYet)
        alias("CKShareMetadata", CKShareMetadata.self, CKShare.Metadata.self)
        alias("CKShareParticipant", CKShareParticipant.self, CKShare.Participant.self)
        alias(
            "CKShareParticipantAcceptanceStatus", CKShareParticipantAcceptanceStatus.self,
            CKShare.ParticipantAcceptanceStatus.self)
        alias(
            "CKShareParticipantPermission", CKShareParticipantPermission.self, CKShare.ParticipantPermission.self)
        alias("CKShareParticipantRole", CKShareParticipantRole.self, CKShare.ParticipantRole.self)
        alias("CKShareParticipantType", CKShareParticipantType.self, CKShare.ParticipantType.self)
        alias("CKUserIdentityLookupInfo", CKUserIdentityLookupInfo.self, CKUserIdentity.LookupInfo.self)
        alias("CKApplicationPermissions", CKApplicationPermissions.self, CKContainer.ApplicationPermissions.self)
        alias(
            "CKApplicationPermissionStatus", CKApplicationPermissionStatus.self,
            CKContainer.ApplicationPermissionStatus.self)
        alias(
            "CKApplicationPermissionBlock", CKApplicationPermissionBlock.self,
            CKContainer.ApplicationPermissionBlock.self)
        constant("CKShareTitleKey", CKShareTitleKey, "cloudkit.title")
        constant("CKShareThumbnailImageDataKey", CKShareThumbnailImageDataKey, "cloudkit.thumbnailImageData")
        constant("CKShareTypeKey", CKShareTypeKey, "cloudkit.type")
    }

    mutating func oldConstants() {
        topic("Old names")
        constant("CKRecordTypeUserRecord", CKRecordTypeUserRecord, "Users")
        constant("CKRecordTypeShare", CKRecordTypeShare, "cloudkit.share")
        constant("CKRecordZoneDefaultName", CKRecordZoneDefaultName, "_defaultZone")
        constant("CKQueryOperationMaximumResults", CKQueryOperationMaximumResults, 0)
        constant("CKRecordRecordIDKey", CKRecordRecordIDKey, "___recordID")
        constant("CKRecordCreatorUserRecordIDKey", CKRecordCreatorUserRecordIDKey, "___createdBy")
        constant("CKRecordCreationDateKey", CKRecordCreationDateKey, "___createTime")
        constant("CKRecordLastModifiedUserRecordIDKey", CKRecordLastModifiedUserRecordIDKey, "___modifiedBy")
        constant("CKRecordModificationDateKey", CKRecordModificationDateKey, "___modTime")
        constant("CKRecordParentKey", CKRecordParentKey, "___parent")
        constant("CKRecordShareKey", CKRecordShareKey, "___share")
        function("CKRecordZone.defaultRecordZone()", CKRecordZone.defaultRecordZone as () -> CKRecordZone)
    }
}
