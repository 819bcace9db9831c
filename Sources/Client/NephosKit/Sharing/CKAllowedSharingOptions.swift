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
public final class CKAllowedSharingOptions: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private struct Members: Sendable {
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

    public func copy(with zone: NSZone? = nil) -> Any { CKAllowedSharingOptions(stored.value) }

    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) {
        let members = stored.value
        coder.encode(Int(members.permissions.rawValue), forKey: "permissions")
        coder.encode(Int(members.access.rawValue), forKey: "access")
        coder.encode(members.allowsInvitations, forKey: "allowsInvitations")
        coder.encode(members.allowsAccessRequests, forKey: "allowsAccessRequests")
    }

    /// Returns nil for an archive that contains no options.
    public required convenience init?(coder: NSCoder) {
        guard coder.containsValue(forKey: "permissions"), coder.containsValue(forKey: "access") else { return nil }
        self.init(
            Members(
                permissions: .init(rawValue: UInt(bitPattern: coder.decodeInteger(forKey: "permissions"))),
                access: .init(rawValue: UInt(bitPattern: coder.decodeInteger(forKey: "access"))),
                allowsInvitations: coder.decodeBool(forKey: "allowsInvitations"),
                allowsAccessRequests: coder.decodeBool(forKey: "allowsAccessRequests")))
    }
}
