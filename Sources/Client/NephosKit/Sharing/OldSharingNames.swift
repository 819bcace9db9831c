// The names of sharing types before Swift 4.2, and the intermediate ones. `CKShareMetadata`, `CKShareParticipant` and
// `CKUserIdentityLookupInfo` are the names of the types themselves in this library.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The earlier name of ``CKShare/ParticipantAcceptanceStatus``.
@available(*, deprecated, renamed: "CKShare.ParticipantAcceptanceStatus")
public typealias CKShareParticipantAcceptanceStatus = CKShare.ParticipantAcceptanceStatus
/// The earlier name of ``CKShare/ParticipantPermission``.
@available(*, deprecated, renamed: "CKShare.ParticipantPermission")
public typealias CKShareParticipantPermission = CKShare.ParticipantPermission
/// The earlier name of ``CKShare/ParticipantRole``.
@available(*, deprecated, renamed: "CKShare.ParticipantRole")
public typealias CKShareParticipantRole = CKShare.ParticipantRole
/// The earlier name of ``CKShare/ParticipantType``.
@available(*, deprecated, renamed: "CKShare.ParticipantType")
public typealias CKShareParticipantType = CKShare.ParticipantType
/// The earlier name of ``CKShare/ParticipantAcceptanceStatus``.
@available(*, deprecated, renamed: "CKShare.ParticipantAcceptanceStatus")
public typealias CKShare_Participant_AcceptanceStatus = CKShare.ParticipantAcceptanceStatus
/// The earlier name of ``CKShare/ParticipantPermission``.
@available(*, deprecated, renamed: "CKShare.ParticipantPermission")
public typealias CKShare_Participant_Permission = CKShare.ParticipantPermission
/// The earlier name of ``CKShare/ParticipantRole``.
@available(*, deprecated, renamed: "CKShare.ParticipantRole")
public typealias CKShare_Participant_Role = CKShare.ParticipantRole

extension CKShareParticipant {
    /// The earlier name of ``CKShare/ParticipantAcceptanceStatus``.
    @available(*, deprecated, renamed: "CKShare.ParticipantAcceptanceStatus")
    public typealias AcceptanceStatus = CKShare.ParticipantAcceptanceStatus
    /// The earlier name of ``CKShare/ParticipantPermission``.
    @available(*, deprecated, renamed: "CKShare.ParticipantPermission")
    public typealias Permission = CKShare.ParticipantPermission
    /// The earlier name of ``CKShare/ParticipantRole``.
    @available(*, deprecated, renamed: "CKShare.ParticipantRole")
    public typealias Role = CKShare.ParticipantRole
}

/// The earlier name of ``CKShare/SystemFieldKey/title``.
@available(*, deprecated, renamed: "CKShare.SystemFieldKey.title")
public var CKShareTitleKey: CKRecord.FieldKey { CKShare.SystemFieldKey.title }
/// The earlier name of ``CKShare/SystemFieldKey/thumbnailImageData``.
@available(*, deprecated, renamed: "CKShare.SystemFieldKey.thumbnailImageData")
public var CKShareThumbnailImageDataKey: CKRecord.FieldKey { CKShare.SystemFieldKey.thumbnailImageData }
/// The earlier name of ``CKShare/SystemFieldKey/shareType``.
@available(*, deprecated, renamed: "CKShare.SystemFieldKey.shareType")
public var CKShareTypeKey: CKRecord.FieldKey { CKShare.SystemFieldKey.shareType }

/// The earlier name of ``CKContainer/ApplicationPermissions``.
@available(*, deprecated, renamed: "CKContainer.ApplicationPermissions")
public typealias CKApplicationPermissions = CKContainer.ApplicationPermissions
/// The earlier name of ``CKContainer/ApplicationPermissionStatus``.
@available(*, deprecated, renamed: "CKContainer.ApplicationPermissionStatus")
public typealias CKApplicationPermissionStatus = CKContainer.ApplicationPermissionStatus
/// The earlier name of ``CKContainer/ApplicationPermissionBlock``.
@available(*, deprecated, renamed: "CKContainer.ApplicationPermissionBlock")
public typealias CKApplicationPermissionBlock = CKContainer.ApplicationPermissionBlock
/// The earlier name of ``CKContainer/ApplicationPermissions``.
@available(*, deprecated, renamed: "CKContainer.ApplicationPermissions")
public typealias CKContainer_Application_Permissions = CKContainer.ApplicationPermissions
/// The earlier name of ``CKContainer/ApplicationPermissionStatus``.
@available(*, deprecated, renamed: "CKContainer.ApplicationPermissionStatus")
public typealias CKContainer_Application_PermissionStatus = CKContainer.ApplicationPermissionStatus
/// The earlier name of ``CKContainer/ApplicationPermissionBlock``.
@available(*, deprecated, renamed: "CKContainer.ApplicationPermissionBlock")
public typealias CKContainer_Application_PermissionBlock = CKContainer.ApplicationPermissionBlock

extension CKContainer {
    /// The namespace of the intermediate names.
    @available(*, deprecated, message: "Use CKContainer.ApplicationPermissions and its functions.")
    public enum Application {
        /// The earlier name of ``CKContainer/ApplicationPermissions``.
        public typealias Permissions = CKContainer.ApplicationPermissions
        /// The earlier name of ``CKContainer/ApplicationPermissionStatus``.
        public typealias PermissionStatus = CKContainer.ApplicationPermissionStatus
        /// The earlier name of ``CKContainer/ApplicationPermissionBlock``.
        public typealias PermissionBlock = CKContainer.ApplicationPermissionBlock
    }
}
