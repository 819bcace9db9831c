import CloudKitWire
public import Foundation
import NephosTransport

/// A person who takes part in a share. Two objects are equal if they are of the same person, whatever role and permission
/// they have.
///
/// The class is declared at the top level, because nested classes cannot be archived on Linux; write
/// `CKShare.Participant`.
public final class CKShareParticipant: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The type of ``participantID``.
    public typealias ID = String

    struct Members: Sendable {
        var role = CKShare.ParticipantRole.privateUser
        var permission = CKShare.ParticipantPermission.unknown
        var acceptanceStatus = CKShare.ParticipantAcceptanceStatus.unknown
        var isApprovedRequester = false
        var dateAdded: Date?
    }

    /// The person who takes part, as far as the service discloses who it is.
    public let userIdentity: CKUserIdentity
    /// The ID of the participant, which is the same in copies and archives.
    public let participantID: ID
    private let stored: Locked<Members>

    init(_ userIdentity: CKUserIdentity, _ members: Members = Members(), participantID: ID = UUID().uuidString) {
        self.userIdentity = userIdentity
        self.participantID = participantID
        stored = Locked(members)
    }

    /// Creates a participant with a one-time URL; the first person who opens that URL becomes the participant.
    public static func oneTimeURLParticipant() -> Self {
        Self(CKUserIdentity(nameComponents: PersonNameComponents(), hasAccount: false))
    }

    var members: Members { stored.value }

    /// The role in the share. Participants who are added are `.privateUser` or `.administrator`; only the service
    /// assigns the other roles.
    public var role: CKShare.ParticipantRole {
        get { members.role }
        set { stored.withLock { $0.role = newValue } }
    }
    /// What the participant may do with the records. Set it before adding the participant.
    public var permission: CKShare.ParticipantPermission {
        get { members.permission }
        set { stored.withLock { $0.permission = newValue } }
    }
    /// The state of the participant's invitation; `.unknown` until the share is saved with the participant.
    public var acceptanceStatus: CKShare.ParticipantAcceptanceStatus { members.acceptanceStatus }
    /// Whether the participant requested access, and was granted it.
    public var isApprovedRequester: Bool { members.isApprovedRequester }
    /// When the participant was added; nil until the share is saved with the participant.
    public var dateAddedToShare: Date? { members.dateAdded }

    /// The older form of ``role``, in which an administrator is a `.privateUser`.
    @available(*, deprecated, message: "Use role.")
    public var type: CKShare.ParticipantType {
        get { role == .administrator ? .privateUser : CKShare.ParticipantType(rawValue: role.rawValue) ?? .unknown }
        set { role = CKShare.ParticipantRole(rawValue: newValue.rawValue) ?? .unknown }
    }

    /// Whether both are the same person: participant ID, user record or lookup information are equal. Compare
    /// ``role``, ``permission`` and ``acceptanceStatus`` too if they matter.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CKShareParticipant else { return false }
        return participantID == other.participantID || userIdentity.isSamePerson(as: other.userIdentity)
    }

    /// The same for all participants, because nothing is equal in every two that are the same person.
    public override var hash: Int { 0 }

    public override var description: String { "<CKShareParticipant: \(userIdentity), \(role), \(permission)>" }

    // MARK: Copies and archives

    public func copy(with zone: NSZone? = nil) -> Any {
        CKShareParticipant(userIdentity, members, participantID: participantID)
    }

    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) { coder.encodeContent(self, forKey: "CKShareParticipant") }

    /// Returns nil for an archive that contains no participant.
    public required convenience init?(coder: NSCoder) {
        let participant = coder.decodeContent(CKShareParticipant.self, forKey: "CKShareParticipant")
        guard let participant else { return nil }
        self.init(participant.userIdentity, participant.members, participantID: participant.participantID)
    }
}

extension CKShareParticipant: Archived {
    func archive(to writer: inout JSONWriter) {
        let members = members
        writer.beginObject()
        writer.archive("userIdentity", userIdentity)
        writer.archive("participantID", participantID)
        writer.archive("role", members.role.rawValue)
        writer.archive("permission", members.permission.rawValue)
        writer.archive("acceptanceStatus", members.acceptanceStatus.rawValue)
        writer.archive("isApprovedRequester", members.isApprovedRequester)
        writer.archive("dateAdded", members.dateAdded)
        writer.endObject()
    }

    convenience init(archive reader: inout JSONReader) throws(WireError) {
        var (identity, id, members): (CKUserIdentity?, ID?, Members) = (nil, nil, Members())
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "userIdentity": identity = try reader.archived()
            case "participantID": id = try reader.archived()
            case "role": members.role = .init(rawValue: try reader.archived()) ?? .unknown
            case "permission": members.permission = .init(rawValue: try reader.archived()) ?? .unknown
            case "acceptanceStatus": members.acceptanceStatus = .init(rawValue: try reader.archived()) ?? .unknown
            case "isApprovedRequester": members.isApprovedRequester = try reader.archived()
            case "dateAdded": members.dateAdded = try reader.archived()
            default: break
            }
        }
        guard let identity, let id else { throw WireError("this is not a participant of a share") }
        self.init(identity, members, participantID: id)
    }
}
