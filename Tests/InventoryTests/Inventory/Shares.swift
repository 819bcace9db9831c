import CloudKit

/// Shares and participants.
@available(*, deprecated, message: "It names what is deprecated as well.")
extension Inventory {
    mutating func share() {
        topic("Share", .notYet)
        type("CKShare", CKShare.self as CKRecord.Type)
        function("CKShare.init(rootRecord:)", CKShare.init(rootRecord:) as (CKRecord) -> CKShare)
        function(
            "CKShare.init(rootRecord:shareID:)",
            CKShare.init(rootRecord:shareID:) as (CKRecord, CKRecord.ID) -> CKShare)
        function("CKShare.init(recordZoneID:)", CKShare.init(recordZoneID:) as (CKRecordZone.ID) -> CKShare)
        function("CKShare.init(coder:)", CKShare.init(coder:) as (NSCoder) -> CKShare)
        set("CKShare.publicPermission", \CKShare.publicPermission, CKShare.ParticipantPermission.self)
        get("CKShare.url", \CKShare.url, URL?.self)
        get("CKShare.participants", \CKShare.participants, [CKShare.Participant].self)
        get("CKShare.owner", \CKShare.owner, CKShare.Participant.self)
        get("CKShare.currentUserParticipant", \CKShare.currentUserParticipant, CKShare.Participant?.self)
        function(
            "CKShare.addParticipant(_:)", CKShare.addParticipant(_:) as (CKShare) -> (CKShare.Participant) -> Void)
        function(
            "CKShare.removeParticipant(_:)",
            CKShare.removeParticipant(_:) as (CKShare) -> (CKShare.Participant) -> Void)
        function(
            "CKShare.oneTimeURL(for:)", CKShare.oneTimeURL(for:) as (CKShare) -> (CKShare.Participant.ID) -> URL?)
        get("CKShare.requesters", \CKShare.requesters, [CKShareAccessRequester].self)
        get("CKShare.blockedIdentities", \CKShare.blockedIdentities, [CKShareBlockedIdentity].self)
        set("CKShare.allowsAccessRequests", \CKShare.allowsAccessRequests, Bool.self)
        function(
            "CKShare.denyRequesters(_:)",
            CKShare.denyRequesters(_:) as (CKShare) -> ([CKShareAccessRequester]) -> Void)
        function(
            "CKShare.blockRequesters(_:)",
            CKShare.blockRequesters(_:) as (CKShare) -> ([CKShareAccessRequester]) -> Void)
        function(
            "CKShare.unblockIdentities(_:)",
            CKShare.unblockIdentities(_:) as (CKShare) -> ([CKShareBlockedIdentity]) -> Void)
        type("CKShare.SystemFieldKey", CKShare.SystemFieldKey.self)
        constant("CKShare.SystemFieldKey.title", CKShare.SystemFieldKey.title, "cloudkit.title")
        constant(
            "CKShare.SystemFieldKey.thumbnailImageData", CKShare.SystemFieldKey.thumbnailImageData,
            "cloudkit.thumbnailImageData")
        constant("CKShare.SystemFieldKey.shareType", CKShare.SystemFieldKey.shareType, "cloudkit.type")
    }

    mutating func shareKinds() {
        topic("Share: kinds", .notYet)
        typealias Status = CKShare.ParticipantAcceptanceStatus
        type("CKShare.ParticipantAcceptanceStatus", Status.self as any Sendable.Type)
        raw("CKShare.ParticipantAcceptanceStatus.unknown", Status.unknown, Int(0))
        raw("CKShare.ParticipantAcceptanceStatus.pending", Status.pending, Int(1))
        raw("CKShare.ParticipantAcceptanceStatus.accepted", Status.accepted, Int(2))
        raw("CKShare.ParticipantAcceptanceStatus.removed", Status.removed, Int(3))
        typealias Permission = CKShare.ParticipantPermission
        type("CKShare.ParticipantPermission", Permission.self as any Sendable.Type)
        raw("CKShare.ParticipantPermission.unknown", Permission.unknown, Int(0))
        raw("CKShare.ParticipantPermission.none", Permission.none, Int(1))
        raw("CKShare.ParticipantPermission.readOnly", Permission.readOnly, Int(2))
        raw("CKShare.ParticipantPermission.readWrite", Permission.readWrite, Int(3))
        typealias Role = CKShare.ParticipantRole
        type("CKShare.ParticipantRole", Role.self as any Sendable.Type)
        raw("CKShare.ParticipantRole.unknown", Role.unknown, Int(0))
        raw("CKShare.ParticipantRole.owner", Role.owner, Int(1))
        raw("CKShare.ParticipantRole.administrator", Role.administrator, Int(2))
        raw("CKShare.ParticipantRole.privateUser", Role.privateUser, Int(3))
        raw("CKShare.ParticipantRole.publicUser", Role.publicUser, Int(4))
        typealias Kind = CKShare.ParticipantType
        type("CKShare.ParticipantType", Kind.self as any Sendable.Type)
        raw("CKShare.ParticipantType.unknown", Kind.unknown, Int(0))
        raw("CKShare.ParticipantType.owner", Kind.owner, Int(1))
        raw("CKShare.ParticipantType.privateUser", Kind.privateUser, Int(3))
        raw("CKShare.ParticipantType.publicUser", Kind.publicUser, Int(4))
    }

    mutating func participant() {
        topic("Share: participant", .notYet)
        typealias Participant = CKShare.Participant
        type(
            "CKShare.Participant", Participant.self as any (NSObject & NSSecureCoding & NSCopying & Sendable).Type)
        alias("CKShare.Participant.ID", CKShare.Participant.ID.self, String.self)
        get("CKShare.Participant.userIdentity", \Participant.userIdentity, CKUserIdentity.self)
        set("CKShare.Participant.role", \Participant.role, CKShare.ParticipantRole.self)
        set("CKShare.Participant.type", \Participant.type, CKShare.ParticipantType.self)
        get(
            "CKShare.Participant.acceptanceStatus", \Participant.acceptanceStatus,
            CKShare.ParticipantAcceptanceStatus.self)
        set("CKShare.Participant.permission", \Participant.permission, CKShare.ParticipantPermission.self)
        get("CKShare.Participant.participantID", \Participant.participantID, CKShare.Participant.ID.self)
        get("CKShare.Participant.isApprovedRequester", \Participant.isApprovedRequester, Bool.self)
        get("CKShare.Participant.dateAddedToShare", \Participant.dateAddedToShare, Date?.self)
        function(
            "CKShare.Participant.oneTimeURLParticipant()", Participant.oneTimeURLParticipant as () -> Participant)
    }

    mutating func metadata() {
        topic("Share: metadata", .notYet)
        typealias Metadata = CKShare.Metadata
        type("CKShare.Metadata", Metadata.self as any (NSObject & NSSecureCoding & NSCopying & Sendable).Type)
        get("CKShare.Metadata.containerIdentifier", \Metadata.containerIdentifier, String.self)
        get("CKShare.Metadata.share", \Metadata.share, CKShare.self)
        get("CKShare.Metadata.hierarchicalRootRecordID", \Metadata.hierarchicalRootRecordID, CKRecord.ID?.self)
        get("CKShare.Metadata.rootRecordID", \Metadata.rootRecordID, CKRecord.ID.self)
        get("CKShare.Metadata.rootRecord", \Metadata.rootRecord, CKRecord?.self)
        get("CKShare.Metadata.participantRole", \Metadata.participantRole, CKShare.ParticipantRole.self)
        get("CKShare.Metadata.participantType", \Metadata.participantType, CKShare.ParticipantType.self)
        get(
            "CKShare.Metadata.participantStatus", \Metadata.participantStatus, CKShare.ParticipantAcceptanceStatus.self)
        get(
            "CKShare.Metadata.participantPermission", \Metadata.participantPermission,
            CKShare.ParticipantPermission.self)
        get("CKShare.Metadata.ownerIdentity", \Metadata.ownerIdentity, CKUserIdentity.self)
    }
}
