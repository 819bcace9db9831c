import CloudKit

/// Strings, value protocols, and names added in between.
@available(*, deprecated, message: "It names what is deprecated as well.")
extension Inventory {
    mutating func constants() {
        topic("Constants")
        constant("CKCurrentUserDefaultName", CKCurrentUserDefaultName, "__defaultOwner__")
        constant("CKOwnerDefaultName", CKOwnerDefaultName, "__defaultOwner__")
        constant("CKRecordZone.ID.defaultZoneName", CKRecordZone.ID.defaultZoneName, "_defaultZone")
        constant("CKRecord.SystemType.userRecord", CKRecord.SystemType.userRecord, "Users")
        constant("CKRecord.SystemType.share", CKRecord.SystemType.share, "cloudkit.share")
        constant("CKRecordNameZoneWideShare", CKRecordNameZoneWideShare, "cloudkit.zoneshare")
        constant("CKErrorDomain", CKErrorDomain, "CKErrorDomain")
        constant("CKPartialErrorsByItemIDKey", CKPartialErrorsByItemIDKey, "CKPartialErrors")
        constant("CKErrorRetryAfterKey", CKErrorRetryAfterKey, "CKRetryAfter")
        constant("CKRecordChangedErrorServerRecordKey", CKRecordChangedErrorServerRecordKey, "ServerRecord")
        constant("CKRecordChangedErrorClientRecordKey", CKRecordChangedErrorClientRecordKey, "ClientRecord")
        constant("CKRecordChangedErrorAncestorRecordKey", CKRecordChangedErrorAncestorRecordKey, "AncestorRecord")
        constant(
            "CKErrorUserDidResetEncryptedDataKey", CKErrorUserDidResetEncryptedDataKey, "CKUserDidResetEncryptedData")
        constant(
            "NSNotification.Name.CKAccountChanged", NSNotification.Name.CKAccountChanged.rawValue,
            "CKAccountChangedNotification")
        constant("CKQueryOperation.maximumResults", CKQueryOperation.maximumResults, 0)
    }

    mutating func systemFieldKeys() {
        topic("Constants")
        constant("CKRecord.SystemFieldKey.recordID", CKRecord.SystemFieldKey.recordID, "___recordID")
        constant(
            "CKRecord.SystemFieldKey.creatorUserRecordID", CKRecord.SystemFieldKey.creatorUserRecordID, "___createdBy")
        constant("CKRecord.SystemFieldKey.creationDate", CKRecord.SystemFieldKey.creationDate, "___createTime")
        constant(
            "CKRecord.SystemFieldKey.lastModifiedUserRecordID", CKRecord.SystemFieldKey.lastModifiedUserRecordID,
            "___modifiedBy")
        constant("CKRecord.SystemFieldKey.modificationDate", CKRecord.SystemFieldKey.modificationDate, "___modTime")
        constant("CKRecord.SystemFieldKey.parent", CKRecord.SystemFieldKey.parent, "___parent")
        constant("CKRecord.SystemFieldKey.share", CKRecord.SystemFieldKey.share, "___share")
    }

    mutating func values() {
        topic("Record values")
        alias("CKRecordValue", (any CKRecordValue).self, (any __CKRecordObjCValue).self)
        type("__CKRecordObjCValue", (any __CKRecordObjCValue).self)
        type("CKRecordValueProtocol", (any CKRecordValueProtocol).self)
        type("CKRecordKeyValueIterator", CKRecordKeyValueIterator.self as any IteratorProtocol.Type)
        alias(
            "CKRecordKeyValueIterator.Element", CKRecordKeyValueIterator.Element.self,
            (CKRecord.FieldKey, any CKRecordValueProtocol).self)
        function(
            "CKRecordKeyValueIterator.next()",
            { $0.next() } as (inout CKRecordKeyValueIterator) -> (CKRecord.FieldKey, any CKRecordValueProtocol)?)
    }

    mutating func namesInBetween() {
        topic("Names in between")
        alias("CKRecord_Reference_Action", CKRecord_Reference_Action.self, CKRecord.ReferenceAction.self)
        alias("CKRecord.Reference.Action", CKRecord.Reference.Action.self, CKRecord.ReferenceAction.self)
        alias(
            "CKContainer_Application_Permissions", CKContainer_Application_Permissions.self,
            CKContainer.ApplicationPermissions.self)
        alias(
            "CKContainer_Application_PermissionStatus", CKContainer_Application_PermissionStatus.self,
            CKContainer.ApplicationPermissionStatus.self)
        alias(
            "CKContainer_Application_PermissionBlock", CKContainer_Application_PermissionBlock.self,
            CKContainer.ApplicationPermissionBlock.self)
        alias(
            "CKContainer.Application.Permissions", CKContainer.Application.Permissions.self,
            CKContainer.ApplicationPermissions.self)
        alias(
            "CKContainer.Application.PermissionStatus", CKContainer.Application.PermissionStatus.self,
            CKContainer.ApplicationPermissionStatus.self)
        alias(
            "CKContainer.Application.PermissionBlock", CKContainer.Application.PermissionBlock.self,
            CKContainer.ApplicationPermissionBlock.self)
        alias(
            "CKShare_Participant_AcceptanceStatus", CKShare_Participant_AcceptanceStatus.self,
            CKShare.ParticipantAcceptanceStatus.self)
        alias(
            "CKShare_Participant_Permission", CKShare_Participant_Permission.self, CKShare.ParticipantPermission.self)
        alias("CKShare_Participant_Role", CKShare_Participant_Role.self, CKShare.ParticipantRole.self)
        alias(
            "CKShare.Participant.AcceptanceStatus", CKShare.Participant.AcceptanceStatus.self,
            CKShare.ParticipantAcceptanceStatus.self)
        alias(
            "CKShare.Participant.Permission", CKShare.Participant.Permission.self, CKShare.ParticipantPermission.self)
        alias("CKShare.Participant.Role", CKShare.Participant.Role.self, CKShare.ParticipantRole.self)
    }
}

/// Valid field values, for either protocol: compiled, not run.
private func conforming() {
    let values: [any CKRecordValueProtocol.Type] = [
        String.self, Date.self, Data.self, Bool.self, Double.self, Float.self, Int.self, Int8.self, Int16.self,
        Int32.self, Int64.self, UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self, [String].self,
        [Date].self, NSString.self, NSDate.self, NSData.self, NSNumber.self, NSArray.self, CKRecord.Reference.self,
        CKAsset.self, CLLocation.self,
    ]
    let objects: [any CKRecordValue.Type] = [
        NSString.self, NSNumber.self, NSArray.self, NSDate.self, NSData.self, CKRecord.Reference.self, CKAsset.self,
        CLLocation.self,
    ]
    _ = (values, objects)
}
