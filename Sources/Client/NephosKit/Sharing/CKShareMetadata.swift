public import Foundation

/// What a share is to the one who asked for it by its address, before they accept it.
///
/// It stands at the top level, since classes inside of others cannot be archived on Linux; write `CKShare.Metadata`.
public final class CKShareMetadata: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// The ID of the container that the share is in.
    public let containerIdentifier: String
    /// The share itself.
    public let share: CKShare
    /// Nil where a whole zone is shared.
    public let hierarchicalRootRecordID: CKRecord.ID?
    /// Only where it was asked for.
    public let rootRecord: CKRecord?
    /// What the person who asked is in the share.
    public let participantRole: CKShare.ParticipantRole
    /// How far the invitation of the person who asked came.
    public let participantStatus: CKShare.ParticipantAcceptanceStatus
    /// What the person who asked may do with the records.
    public let participantPermission: CKShare.ParticipantPermission
    /// The person whose records are shared.
    public var ownerIdentity: CKUserIdentity { share.owner.userIdentity }

    /// - Parameter participant: What the one who asked is in the share.
    init(
        containerIdentifier: String, share: CKShare, participant: CKShareParticipant.Members,
        rootRecordID: CKRecordID? = nil, rootRecord: CKRecord? = nil
    ) {
        self.containerIdentifier = containerIdentifier
        self.share = share
        hierarchicalRootRecordID = rootRecordID
        self.rootRecord = rootRecord
        participantRole = participant.role
        participantStatus = participant.acceptanceStatus
        participantPermission = participant.permission
    }

    /// The share itself where a whole zone is shared.
    @available(*, deprecated, renamed: "hierarchicalRootRecordID")
    public var rootRecordID: CKRecord.ID { hierarchicalRootRecordID ?? share.recordID }

    /// The older form of ``participantRole``; an administrator is a `.privateUser` here.
    @available(*, deprecated, message: "Use participantRole.")
    public var participantType: CKShare.ParticipantType {
        let role = participantRole
        return role == .administrator ? .privateUser : CKShare.ParticipantType(rawValue: role.rawValue) ?? .unknown
    }

    public override var description: String { "<CKShareMetadata: \(share), \(containerIdentifier)>" }

    // MARK: Copies and archives

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) {
        coder.encode(containerIdentifier as NSString, forKey: "containerIdentifier")
        coder.encode(share, forKey: "share")
        coder.encodeIfAny(hierarchicalRootRecordID, forKey: "rootRecordID")
        coder.encodeIfAny(rootRecord, forKey: "rootRecord")
        coder.encode(participantRole.rawValue, forKey: "participantRole")
        coder.encode(participantStatus.rawValue, forKey: "participantStatus")
        coder.encode(participantPermission.rawValue, forKey: "participantPermission")
    }

    /// Nil for an archive that holds no metadata.
    public required convenience init?(coder: NSCoder) {
        guard let container = coder.decodeString(forKey: "containerIdentifier"),
            let share = coder.decodeIfAny(CKShare.self, forKey: "share")
        else { return nil }
        let participant = CKShareParticipant.Members(
            role: .init(rawValue: coder.decodeInteger(forKey: "participantRole")) ?? .unknown,
            permission: .init(rawValue: coder.decodeInteger(forKey: "participantPermission")) ?? .unknown,
            acceptanceStatus: .init(rawValue: coder.decodeInteger(forKey: "participantStatus")) ?? .unknown)
        self.init(
            containerIdentifier: container, share: share, participant: participant,
            rootRecordID: coder.decodeIfAny(CKRecordID.self, forKey: "rootRecordID"),
            rootRecord: coder.decodeIfAny(CKRecord.self, forKey: "rootRecord"))
    }
}
