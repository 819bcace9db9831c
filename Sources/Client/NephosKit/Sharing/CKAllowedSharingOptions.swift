import CloudKitWire
public import Foundation
import NephosTransport

/// Who can get access to a share through the system's sharing sheet. Linux has no such sheet: the value is stored and
/// has no effect.
public struct CKSharingParticipantAccessOption: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Everyone who has the share's URL.
    public static let anyoneWithLink = CKSharingParticipantAccessOption(rawValue: 1)
    /// Only people who were added to the share.
    public static let specifiedRecipientsOnly = CKSharingParticipantAccessOption(rawValue: 2)
    /// Both options: the person chooses.
    public static let any: CKSharingParticipantAccessOption = [.anyoneWithLink, .specifiedRecipientsOnly]
}

/// What participants can be allowed to do through the system's sharing sheet. Linux has no such sheet: the value is
/// stored and has no effect.
public struct CKSharingParticipantPermissionOption: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Reading only.
    public static let readOnly = CKSharingParticipantPermissionOption(rawValue: 1)
    /// Reading and changing.
    public static let readWrite = CKSharingParticipantPermissionOption(rawValue: 2)
    /// Both options: the person chooses.
    public static let any: CKSharingParticipantPermissionOption = [.readOnly, .readWrite]
}

/// The options that the system's sharing sheet offers. Linux has no such sheet: they are stored and have no effect.
/// Objects are compared by value.
public final class CKAllowedSharingOptions: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private struct Members: Sendable, Equatable {
        var permissions: CKSharingParticipantPermissionOption
        var access: CKSharingParticipantAccessOption
        var allowsInvitations = false
        var allowsAccessRequests = false
    }

    private let stored: Locked<Members>

    private init(_ members: Members) { stored = Locked(members) }

    /// Creates options that allow neither inviting others nor requesting access.
    public convenience init(
        allowedParticipantPermissionOptions: CKSharingParticipantPermissionOption,
        allowedParticipantAccessOptions: CKSharingParticipantAccessOption
    ) {
        self.init(Members(permissions: allowedParticipantPermissionOptions, access: allowedParticipantAccessOptions))
    }

    /// All access and permission options. Participants cannot invite others, and people cannot request access.
    public static var standard: CKAllowedSharingOptions {
        CKAllowedSharingOptions(allowedParticipantPermissionOptions: .any, allowedParticipantAccessOptions: .any)
    }

    /// The permissions that participants can be given.
    public var allowedParticipantPermissionOptions: CKSharingParticipantPermissionOption {
        get { stored.value.permissions }
        set { stored.withLock { $0.permissions = newValue } }
    }
    /// Who can be given access.
    public var allowedParticipantAccessOptions: CKSharingParticipantAccessOption {
        get { stored.value.access }
        set { stored.withLock { $0.access = newValue } }
    }
    /// Whether participants can be allowed to invite others; false by default.
    public var allowsParticipantsToInviteOthers: Bool {
        get { stored.value.allowsInvitations }
        set { stored.withLock { $0.allowsInvitations = newValue } }
    }
    /// Whether people can request access; false by default.
    public var allowsAccessRequests: Bool {
        get { stored.value.allowsAccessRequests }
        set { stored.withLock { $0.allowsAccessRequests = newValue } }
    }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? CKAllowedSharingOptions)?.stored.value == stored.value
    }

    /// Changes with each member: do not change an object while it is in a set or the key of a dictionary.
    public override var hash: Int {
        let members = stored.value
        var hasher = Hasher()
        hasher.combine(members.permissions.rawValue)
        hasher.combine(members.access.rawValue)
        hasher.combine(members.allowsInvitations)
        hasher.combine(members.allowsAccessRequests)
        return hasher.finalize()
    }

    public func copy(with zone: NSZone? = nil) -> Any { CKAllowedSharingOptions(stored.value) }

    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) {
        let members = stored.value
        coder.encodeContent(forKey: "CKAllowedSharingOptions") { writer in
            writer.archive("permissions", Int(bitPattern: members.permissions.rawValue))
            writer.archive("access", Int(bitPattern: members.access.rawValue))
            writer.archive("allowsInvitations", members.allowsInvitations)
            writer.archive("allowsAccessRequests", members.allowsAccessRequests)
        }
    }

    /// Returns nil for an archive that contains no options.
    public required convenience init?(coder: NSCoder) {
        var (permissions, access, invitations, requests): (Int?, Int?, Bool, Bool) = (nil, nil, false, false)
        let isRead = coder.decodeContent(forKey: "CKAllowedSharingOptions") { reader, key throws(WireError) in
            switch key {
            case "permissions": permissions = try reader.archived()
            case "access": access = try reader.archived()
            case "allowsInvitations": invitations = try reader.archived()
            case "allowsAccessRequests": requests = try reader.archived()
            default: break
            }
        }
        guard isRead, let permissions, let access else { return nil }
        self.init(
            Members(
                permissions: .init(rawValue: UInt(bitPattern: permissions)),
                access: .init(rawValue: UInt(bitPattern: access)), allowsInvitations: invitations,
                allowsAccessRequests: requests))
    }
}
