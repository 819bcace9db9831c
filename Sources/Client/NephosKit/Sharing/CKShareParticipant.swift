public import Foundation
import NephosTransport

/// Somebody who takes part in a share. Two objects are equal when they stand for the same part in it.
///
/// It stands at the top level, since classes inside of others cannot be archived on Linux; write `CKShare.Participant`.
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

    /// The person who takes part, as far as the service tells who that is.
    public let userIdentity: CKUserIdentity
    /// The ID of this part in the share, which archives and copies keep.
    public let participantID: ID
    private let stored: Locked<Members>

    init(_ userIdentity: CKUserIdentity, _ members: Members = Members(), participantID: ID = UUID().uuidString) {
        self.userIdentity = userIdentity
        self.participantID = participantID
        stored = Locked(members)
    }

    /// Whoever opens the share's address for this participant first becomes it.
    public static func oneTimeURLParticipant() -> Self {
        Self(CKUserIdentity(nameComponents: PersonNameComponents(), hasAccount: false))
    }

    var members: Members { stored.value }

    /// Those who are added are `.privateUser` or `.administrator`; the others are the service's to name.
    public var role: CKShare.ParticipantRole {
        get { members.role }
        set { stored.withLock { $0.role = newValue } }
    }
    /// What they may do with the records. Set it before adding them.
    public var permission: CKShare.ParticipantPermission {
        get { members.permission }
        set { stored.withLock { $0.permission = newValue } }
    }
    /// How far their invitation came; `.unknown` until the share is saved with them.
    public var acceptanceStatus: CKShare.ParticipantAcceptanceStatus { members.acceptanceStatus }
    /// Whether they asked for access, and were given it.
    public var isApprovedRequester: Bool { members.isApprovedRequester }
    /// Nil until the share is saved with them.
    public var dateAddedToShare: Date? { members.dateAdded }

    /// The older form of ``role``; an administrator is a `.privateUser` here.
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

    /// Nil for an archive that holds no participant.
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
