import CloudKit

/// Users, access requests, and the options of Apple's sharing sheets.
@available(*, deprecated, message: "It names what is deprecated as well.")
extension Inventory {
    mutating func identities() {
        topic("User identities", .notYet)
        typealias Info = CKUserIdentity.LookupInfo
        type("CKUserIdentity", CKUserIdentity.self as any (NSObject & NSSecureCoding & NSCopying & Sendable).Type)
        get("CKUserIdentity.lookupInfo", \CKUserIdentity.lookupInfo, Info?.self)
        get("CKUserIdentity.nameComponents", \CKUserIdentity.nameComponents, PersonNameComponents?.self)
        get("CKUserIdentity.userRecordID", \CKUserIdentity.userRecordID, CKRecord.ID?.self)
        get("CKUserIdentity.contactIdentifiers", \CKUserIdentity.contactIdentifiers, [String].self)
        get("CKUserIdentity.hasiCloudAccount", \CKUserIdentity.hasiCloudAccount, Bool.self)
        type("CKUserIdentity.LookupInfo", Info.self as any (NSObject & NSSecureCoding & NSCopying & Sendable).Type)
        function("CKUserIdentity.LookupInfo.init(emailAddress:)", Info.init(emailAddress:) as (String) -> Info)
        function("CKUserIdentity.LookupInfo.init(phoneNumber:)", Info.init(phoneNumber:) as (String) -> Info)
        function("CKUserIdentity.LookupInfo.init(userRecordID:)", Info.init(userRecordID:) as (CKRecord.ID) -> Info)
        function(
            "CKUserIdentity.LookupInfo.lookupInfos(withEmails:)", Info.lookupInfos(withEmails:) as ([String]) -> [Info])
        function(
            "CKUserIdentity.LookupInfo.lookupInfos(withPhoneNumbers:)",
            Info.lookupInfos(withPhoneNumbers:) as ([String]) -> [Info])
        function(
            "CKUserIdentity.LookupInfo.lookupInfos(with:)", Info.lookupInfos(with:) as ([CKRecord.ID]) -> [Info])
        get("CKUserIdentity.LookupInfo.emailAddress", \Info.emailAddress, String?.self)
        get("CKUserIdentity.LookupInfo.phoneNumber", \Info.phoneNumber, String?.self)
        get("CKUserIdentity.LookupInfo.userRecordID", \Info.userRecordID, CKRecord.ID?.self)
    }

    mutating func accessRequests() {
        topic("Share: access requests", .notYet)
        typealias Requester = CKShareAccessRequester
        type(
            "CKShareAccessRequester", Requester.self as any (NSObject & NSSecureCoding & NSCopying & Sendable).Type)
        get("CKShareAccessRequester.userIdentity", \Requester.userIdentity, CKUserIdentity.self)
        get(
            "CKShareAccessRequester.participantLookupInfo", \Requester.participantLookupInfo,
            CKUserIdentity.LookupInfo.self)
        type(
            "CKShareBlockedIdentity",
            CKShareBlockedIdentity.self as any (NSObject & NSSecureCoding & NSCopying & Sendable).Type)
        get("CKShareBlockedIdentity.userIdentity", \CKShareBlockedIdentity.userIdentity, CKUserIdentity.self)
    }

    mutating func sharingOptions() {
        topic("Share: options of the sheet", .notYet)
        typealias Options = CKAllowedSharingOptions
        typealias Access = CKSharingParticipantAccessOption
        typealias Permission = CKSharingParticipantPermissionOption
        type("CKAllowedSharingOptions", Options.self as any (NSObject & NSSecureCoding & NSCopying & Sendable).Type)
        function(
            "CKAllowedSharingOptions.init(allowedParticipantPermissionOptions:allowedParticipantAccessOptions:)",
            Options.init(allowedParticipantPermissionOptions:allowedParticipantAccessOptions:)
                as (Permission, Access) -> Options)
        constant("CKAllowedSharingOptions.standard", CKAllowedSharingOptions.standard.allowsAccessRequests, false)
        set(
            "CKAllowedSharingOptions.allowedParticipantPermissionOptions", \Options.allowedParticipantPermissionOptions,
            Permission.self)
        set(
            "CKAllowedSharingOptions.allowedParticipantAccessOptions", \Options.allowedParticipantAccessOptions,
            Access.self)
        set(
            "CKAllowedSharingOptions.allowsParticipantsToInviteOthers", \Options.allowsParticipantsToInviteOthers,
            Bool.self)
        set("CKAllowedSharingOptions.allowsAccessRequests", \Options.allowsAccessRequests, Bool.self)
        type("CKSharingParticipantAccessOption", Access.self as any (OptionSet & Sendable).Type)
        raw("CKSharingParticipantAccessOption.anyoneWithLink", Access.anyoneWithLink, UInt(1))
        raw("CKSharingParticipantAccessOption.specifiedRecipientsOnly", Access.specifiedRecipientsOnly, UInt(2))
        raw("CKSharingParticipantAccessOption.any", Access.any, UInt(3))
        type("CKSharingParticipantPermissionOption", Permission.self as any (OptionSet & Sendable).Type)
        raw("CKSharingParticipantPermissionOption.readOnly", Permission.readOnly, UInt(1))
        raw("CKSharingParticipantPermissionOption.readWrite", Permission.readWrite, UInt(2))
        raw("CKSharingParticipantPermissionOption.any", Permission.any, UInt(3))
    }

    mutating func sharingObserver() {
        topic("Share: options of the sheet", .notYet)
        typealias Observer = CKSystemSharingUIObserver
        type("CKSystemSharingUIObserver", Observer.self as any (NSObject & Sendable).Type)
        function("CKSystemSharingUIObserver.init(container:)", Observer.init(container:) as (CKContainer) -> Observer)
        set(
            "CKSystemSharingUIObserver.systemSharingUIDidSaveShareBlock", \Observer.systemSharingUIDidSaveShareBlock,
            SaveBlock?.self)
        set(
            "CKSystemSharingUIObserver.systemSharingUIDidStopSharingBlock",
            \Observer.systemSharingUIDidStopSharingBlock, StopBlock?.self)
    }
}

private typealias SaveBlock = @Sendable (CKRecord.ID, Result<CKShare, any Error>) -> Void
private typealias StopBlock = @Sendable (CKRecord.ID, Result<Void, any Error>) -> Void
