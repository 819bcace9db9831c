import CloudKitWire
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
        // Records are objects, not values: one that is archived elsewhere too is the same object again.
        coder.encode(share, forKey: "share")
        if let rootRecord { coder.encode(rootRecord, forKey: "rootRecord") }
        coder.encodeContent(forKey: "CKShareMetadata") { writer in
            writer.archive("containerIdentifier", containerIdentifier)
            writer.archive("rootRecordID", hierarchicalRootRecordID)
            writer.archive("participantRole", participantRole.rawValue)
            writer.archive("participantStatus", participantStatus.rawValue)
            writer.archive("participantPermission", participantPermission.rawValue)
        }
    }

    /// Returns nil for an archive that contains no metadata.
    public required convenience init?(coder: NSCoder) {
        var (container, rootRecordID, participant): (String?, CKRecordID?, CKShareParticipant.Members) = (
            nil, nil, CKShareParticipant.Members()
        )
        let isRead = coder.decodeContent(forKey: "CKShareMetadata") { reader, key throws(WireError) in
            switch key {
            case "containerIdentifier": container = try reader.archived()
            case "rootRecordID": rootRecordID = try reader.archived()
            case "participantRole": participant.role = .init(rawValue: try reader.archived()) ?? .unknown
            case "participantStatus": participant.acceptanceStatus = .init(rawValue: try reader.archived()) ?? .unknown
            case "participantPermission": participant.permission = .init(rawValue: try reader.archived()) ?? .unknown
            default: break
            }
        }
        guard isRead, let container, coder.containsValue(forKey: "share"),
            let share = coder.decodeObject(of: CKShare.self, forKey: "share")
        else { return nil }
        self.init(
            containerIdentifier: container, share: share, participant: participant, rootRecordID: rootRecordID,
            rootRecord: coder.containsValue(forKey: "rootRecord")
                ? coder.decodeObject(of: CKRecord.self, forKey: "rootRecord") : nil)
    }
}
