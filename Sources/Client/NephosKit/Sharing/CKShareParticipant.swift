public import Foundation
import NephosTransport

/// A person who takes part in a share. Two objects are equal if they have the same ``participantID``.
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

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? CKShareParticipant)?.participantID == participantID
    }
    public override var hash: Int { participantID.hashValue }
    public override var description: String { "<CKShareParticipant: \(userIdentity), \(role), \(permission)>" }

    // MARK: Copies and archives

    public func copy(with zone: NSZone? = nil) -> Any {
        CKShareParticipant(userIdentity, members, participantID: participantID)
    }

    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) {
        let members = members
        coder.encode(userIdentity, forKey: "userIdentity")
        coder.encode(participantID as NSString, forKey: "participantID")
        coder.encode(members.role.rawValue, forKey: "role")
        coder.encode(members.permission.rawValue, forKey: "permission")
        coder.encode(members.acceptanceStatus.rawValue, forKey: "acceptanceStatus")
        coder.encode(members.isApprovedRequester, forKey: "isApprovedRequester")
        coder.encodeIfAny(members.dateAdded.map { $0 as NSDate }, forKey: "dateAdded")
    }

    /// Returns nil for an archive that contains no participant.
    public required convenience init?(coder: NSCoder) {
        guard let identity = coder.decodeIfAny(CKUserIdentity.self, forKey: "userIdentity"),
            let id = coder.decodeString(forKey: "participantID")
        else { return nil }
        let members = Members(
            role: .init(rawValue: coder.decodeInteger(forKey: "role")) ?? .unknown,
            permission: .init(rawValue: coder.decodeInteger(forKey: "permission")) ?? .unknown,
            acceptanceStatus: .init(rawValue: coder.decodeInteger(forKey: "acceptanceStatus")) ?? .unknown,
            isApprovedRequester: coder.decodeBool(forKey: "isApprovedRequester"),
            dateAdded: coder.decodeIfAny(NSDate.self, forKey: "dateAdded").map { $0 as Date })
        self.init(identity, members, participantID: id)
    }
}
