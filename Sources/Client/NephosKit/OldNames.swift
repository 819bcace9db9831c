// Names of before Swift 4.2, which old articles and programs use. `CKRecordID`, `CKRecordZoneID`, `CKReference`,
// `CKNotificationID`, `CKNotificationInfo` and `CKDatabaseScope` are names of the types themselves here.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

@available(*, deprecated, renamed: "CKRecord.ReferenceAction")
public typealias CKReferenceAction = CKRecord.ReferenceAction
@available(*, deprecated, renamed: "CKRecord.ReferenceAction")
public typealias CKRecord_Reference_Action = CKRecord.ReferenceAction
@available(*, deprecated, renamed: "CKRecordZone.Capabilities")
public typealias CKRecordZoneCapabilities = CKRecordZone.Capabilities
@available(*, deprecated, renamed: "CKNotification.NotificationType")
public typealias CKNotificationType = CKNotification.NotificationType
@available(*, deprecated, renamed: "CKQueryNotification.Reason")
public typealias CKQueryNotificationReason = CKQueryNotification.Reason
@available(*, deprecated, renamed: "CKSubscription.SubscriptionType")
public typealias CKSubscriptionType = CKSubscription.SubscriptionType
@available(*, deprecated, renamed: "CKQuerySubscription.Options")
public typealias CKSubscriptionOptions = CKQuerySubscription.Options
@available(*, deprecated, renamed: "CKQuerySubscription.Options")
public typealias CKQuerySubscriptionOptions = CKQuerySubscription.Options
@available(*, deprecated, renamed: "CKError.Code")
public typealias CKErrorCode = CKError.Code
@available(*, deprecated, renamed: "CKModifyRecordsOperation.RecordSavePolicy")
public typealias CKRecordSavePolicy = CKModifyRecordsOperation.RecordSavePolicy
@available(*, deprecated, renamed: "CKFetchRecordZoneChangesOperation.ZoneConfiguration")
public typealias CKFetchRecordZoneChangesOptions = CKFetchRecordZoneChangesConfiguration
@available(*, deprecated, renamed: "CKOperationGroup.TransferSize")
public typealias CKOperationGroupTransferSize = CKOperationGroup.TransferSize
@available(*, deprecated, renamed: "CKQueryOperation.maximumResults")
public var CKQueryOperationMaximumResults: Int { CKQueryOperation.maximumResults }

@available(*, deprecated, renamed: "CKRecord.SystemType.userRecord")
public var CKRecordTypeUserRecord: CKRecord.RecordType { CKRecord.SystemType.userRecord }
@available(*, deprecated, renamed: "CKRecord.SystemType.share")
public var CKRecordTypeShare: CKRecord.RecordType { CKRecord.SystemType.share }
@available(*, deprecated, renamed: "CKRecordZone.ID.defaultZoneName")
public var CKRecordZoneDefaultName: String { CKRecordZoneID.defaultZoneName }
@available(*, deprecated, renamed: "CKCurrentUserDefaultName")
public var CKOwnerDefaultName: String { CKCurrentUserDefaultName }
@available(*, deprecated, renamed: "CKRecord.SystemFieldKey.recordID")
public var CKRecordRecordIDKey: CKRecord.FieldKey { CKRecord.SystemFieldKey.recordID }
@available(*, deprecated, renamed: "CKRecord.SystemFieldKey.creatorUserRecordID")
public var CKRecordCreatorUserRecordIDKey: CKRecord.FieldKey { CKRecord.SystemFieldKey.creatorUserRecordID }
@available(*, deprecated, renamed: "CKRecord.SystemFieldKey.creationDate")
public var CKRecordCreationDateKey: CKRecord.FieldKey { CKRecord.SystemFieldKey.creationDate }
@available(*, deprecated, renamed: "CKRecord.SystemFieldKey.lastModifiedUserRecordID")
public var CKRecordLastModifiedUserRecordIDKey: CKRecord.FieldKey { CKRecord.SystemFieldKey.lastModifiedUserRecordID }
@available(*, deprecated, renamed: "CKRecord.SystemFieldKey.modificationDate")
public var CKRecordModificationDateKey: CKRecord.FieldKey { CKRecord.SystemFieldKey.modificationDate }
@available(*, deprecated, renamed: "CKRecord.SystemFieldKey.parent")
public var CKRecordParentKey: CKRecord.FieldKey { CKRecord.SystemFieldKey.parent }
@available(*, deprecated, renamed: "CKRecord.SystemFieldKey.share")
public var CKRecordShareKey: CKRecord.FieldKey { CKRecord.SystemFieldKey.share }

extension CKRecordZone {
    @available(*, deprecated, renamed: "default()")
    public class func defaultRecordZone() -> CKRecordZone { `default`() }
}

extension CKReference {
    @available(*, deprecated, renamed: "CKRecord.ReferenceAction")
    public typealias Action = CKRecord.ReferenceAction
}
