// Names that articles and programs written before Swift 4.2 use. `CKRecordID`, `CKRecordZoneID`, `CKReference`,
// `CKNotificationID`, `CKNotificationInfo` and `CKDatabaseScope` are missing here because they are the names of the
// types themselves.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The earlier name of ``CKRecord/ReferenceAction``.
@available(*, deprecated, renamed: "CKRecord.ReferenceAction")
public typealias CKReferenceAction = CKRecord.ReferenceAction
/// The earlier name of ``CKRecord/ReferenceAction``.
@available(*, deprecated, renamed: "CKRecord.ReferenceAction")
public typealias CKRecord_Reference_Action = CKRecord.ReferenceAction
/// The earlier name of ``CKRecordZone/Capabilities``.
@available(*, deprecated, renamed: "CKRecordZone.Capabilities")
public typealias CKRecordZoneCapabilities = CKRecordZone.Capabilities
/// The earlier name of ``CKNotification/NotificationType``.
@available(*, deprecated, renamed: "CKNotification.NotificationType")
public typealias CKNotificationType = CKNotification.NotificationType
/// The earlier name of ``CKQueryNotification/Reason``.
@available(*, deprecated, renamed: "CKQueryNotification.Reason")
public typealias CKQueryNotificationReason = CKQueryNotification.Reason
/// The earlier name of ``CKSubscription/SubscriptionType``.
@available(*, deprecated, renamed: "CKSubscription.SubscriptionType")
public typealias CKSubscriptionType = CKSubscription.SubscriptionType
/// The earlier name of ``CKQuerySubscription/Options``.
@available(*, deprecated, renamed: "CKQuerySubscription.Options")
public typealias CKSubscriptionOptions = CKQuerySubscription.Options
/// The earlier name of ``CKQuerySubscription/Options``.
@available(*, deprecated, renamed: "CKQuerySubscription.Options")
public typealias CKQuerySubscriptionOptions = CKQuerySubscription.Options
/// The earlier name of ``CKError/Code``.
@available(*, deprecated, renamed: "CKError.Code")
public typealias CKErrorCode = CKError.Code
/// The earlier name of ``CKModifyRecordsOperation/RecordSavePolicy``.
@available(*, deprecated, renamed: "CKModifyRecordsOperation.RecordSavePolicy")
public typealias CKRecordSavePolicy = CKModifyRecordsOperation.RecordSavePolicy
/// The earlier name of ``CKFetchRecordZoneChangesConfiguration``.
@available(*, deprecated, renamed: "CKFetchRecordZoneChangesOperation.ZoneConfiguration")
public typealias CKFetchRecordZoneChangesOptions = CKFetchRecordZoneChangesConfiguration
/// The earlier name of ``CKOperationGroup/TransferSize``.
@available(*, deprecated, renamed: "CKOperationGroup.TransferSize")
public typealias CKOperationGroupTransferSize = CKOperationGroup.TransferSize
/// The earlier name of ``CKQueryOperation/maximumResults``.
@available(*, deprecated, renamed: "CKQueryOperation.maximumResults")
public var CKQueryOperationMaximumResults: Int { CKQueryOperation.maximumResults }

/// The earlier name of ``CKRecord/SystemType/userRecord``.
@available(*, deprecated, renamed: "CKRecord.SystemType.userRecord")
public var CKRecordTypeUserRecord: CKRecord.RecordType { CKRecord.SystemType.userRecord }
/// The earlier name of ``CKRecord/SystemType/share``.
@available(*, deprecated, renamed: "CKRecord.SystemType.share")
public var CKRecordTypeShare: CKRecord.RecordType { CKRecord.SystemType.share }
/// The earlier name of ``CKRecordZoneID/defaultZoneName``.
@available(*, deprecated, renamed: "CKRecordZone.ID.defaultZoneName")
public var CKRecordZoneDefaultName: String { CKRecordZoneID.defaultZoneName }
/// The earlier name of ``CKCurrentUserDefaultName``.
@available(*, deprecated, renamed: "CKCurrentUserDefaultName")
public var CKOwnerDefaultName: String { CKCurrentUserDefaultName }
/// The earlier name of ``CKRecord/SystemFieldKey/recordID``.
@available(*, deprecated, renamed: "CKRecord.SystemFieldKey.recordID")
public var CKRecordRecordIDKey: CKRecord.FieldKey { CKRecord.SystemFieldKey.recordID }
/// The earlier name of ``CKRecord/SystemFieldKey/creatorUserRecordID``.
@available(*, deprecated, renamed: "CKRecord.SystemFieldKey.creatorUserRecordID")
public var CKRecordCreatorUserRecordIDKey: CKRecord.FieldKey { CKRecord.SystemFieldKey.creatorUserRecordID }
/// The earlier name of ``CKRecord/SystemFieldKey/creationDate``.
@available(*, deprecated, renamed: "CKRecord.SystemFieldKey.creationDate")
public var CKRecordCreationDateKey: CKRecord.FieldKey { CKRecord.SystemFieldKey.creationDate }
/// The earlier name of ``CKRecord/SystemFieldKey/lastModifiedUserRecordID``.
@available(*, deprecated, renamed: "CKRecord.SystemFieldKey.lastModifiedUserRecordID")
public var CKRecordLastModifiedUserRecordIDKey: CKRecord.FieldKey { CKRecord.SystemFieldKey.lastModifiedUserRecordID }
/// The earlier name of ``CKRecord/SystemFieldKey/modificationDate``.
@available(*, deprecated, renamed: "CKRecord.SystemFieldKey.modificationDate")
public var CKRecordModificationDateKey: CKRecord.FieldKey { CKRecord.SystemFieldKey.modificationDate }
/// The earlier name of ``CKRecord/SystemFieldKey/parent``.
@available(*, deprecated, renamed: "CKRecord.SystemFieldKey.parent")
public var CKRecordParentKey: CKRecord.FieldKey { CKRecord.SystemFieldKey.parent }
/// The earlier name of ``CKRecord/SystemFieldKey/share``.
@available(*, deprecated, renamed: "CKRecord.SystemFieldKey.share")
public var CKRecordShareKey: CKRecord.FieldKey { CKRecord.SystemFieldKey.share }

extension CKRecordZone {
    /// The earlier name of ``CKRecordZone/default()``.
    @available(*, deprecated, renamed: "default()")
    public class func defaultRecordZone() -> CKRecordZone { `default`() }
}

extension CKReference {
    /// The earlier name of ``CKRecord/ReferenceAction``.
    @available(*, deprecated, renamed: "CKRecord.ReferenceAction")
    public typealias Action = CKRecord.ReferenceAction
}
