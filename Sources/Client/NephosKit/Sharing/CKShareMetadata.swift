public import Foundation

/// A share as described to a person who opens its URL, before they accept it.
///
/// The class is declared at the top level, because nested classes cannot be archived on Linux; write
/// `CKShare.Metadata`.
public final class CKShareMetadata: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// The ID of the container that the share is in.
    public let containerIdentifier: String
    /// The share itself.
    public let share: CKShare
    /// The ID of the root record; nil if a whole zone is shared.
    public let hierarchicalRootRecordID: CKRecord.ID?
    /// The root record; nil if it was not requested.
    public let rootRecord: CKRecord?
    /// The role in the share of the person who fetches the metadata.
    public let participantRole: CKShare.ParticipantRole
    /// The state of the invitation of the person who fetches the metadata.
    public let participantStatus: CKShare.ParticipantAcceptanceStatus
    /// What the person who fetches the metadata may do with the records.
    public let participantPermission: CKShare.ParticipantPermission
    /// The person whose records are shared.
    public var ownerIdentity: CKUserIdentity { share.owner.userIdentity }

    /// - Parameter participant: The role, permission and status of the person who fetches the metadata.
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

    /// The ID of the root record, or the ID of the share if a whole zone is shared.
    @available(*, deprecated, renamed: "hierarchicalRootRecordID")
    public var rootRecordID: CKRecord.ID { hierarchicalRootRecordID ?? share.recordID }

    /// The older form of ``participantRole``, in which an administrator is a `.privateUser`.
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

    /// Returns nil for an archive that contains no metadata.
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
