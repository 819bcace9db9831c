public import Foundation
import NephosTransport

/// Who may be let into a share by the system's sheet. Linux has no such sheet: it is kept, and means nothing.
public struct CKSharingParticipantAccessOption: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Everybody who has the share's address.
    public static let anyoneWithLink = CKSharingParticipantAccessOption(rawValue: 1)
    /// Only people who were added to the share.
    public static let specifiedRecipientsOnly = CKSharingParticipantAccessOption(rawValue: 2)
    /// Both of them: the person chooses.
    public static let any: CKSharingParticipantAccessOption = [.anyoneWithLink, .specifiedRecipientsOnly]
}

/// What people may be allowed to do by the system's sheet. Linux has no such sheet: it is kept, and means nothing.
public struct CKSharingParticipantPermissionOption: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Reading alone.
    public static let readOnly = CKSharingParticipantPermissionOption(rawValue: 1)
    /// Reading and changing.
    public static let readWrite = CKSharingParticipantPermissionOption(rawValue: 2)
    /// Both of them: the person chooses.
    public static let any: CKSharingParticipantPermissionOption = [.readOnly, .readWrite]
}

/// What the system's sheet offers. Linux has no such sheet: it is kept, and means nothing.
public final class CKAllowedSharingOptions: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private struct Members: Sendable {
        var permissions: CKSharingParticipantPermissionOption
        var access: CKSharingParticipantAccessOption
        var allowsInvitations = false
        var allowsAccessRequests = false
    }

    private let stored: Locked<Members>

    private init(_ members: Members) { stored = Locked(members) }

    /// Creates options that allow neither inviting others nor asking for access.
    public convenience init(
        allowedParticipantPermissionOptions: CKSharingParticipantPermissionOption,
        allowedParticipantAccessOptions: CKSharingParticipantAccessOption
    ) {
        self.init(Members(permissions: allowedParticipantPermissionOptions, access: allowedParticipantAccessOptions))
    }

    /// All options: anybody may be let in, and may be allowed to change.
    public static var standard: CKAllowedSharingOptions {
        CKAllowedSharingOptions(allowedParticipantPermissionOptions: .any, allowedParticipantAccessOptions: .any)
    }

    /// What people may be allowed to do.
    public var allowedParticipantPermissionOptions: CKSharingParticipantPermissionOption {
        get { stored.value.permissions }
        set { stored.withLock { $0.permissions = newValue } }
    }
    /// Who may be let in.
    public var allowedParticipantAccessOptions: CKSharingParticipantAccessOption {
        get { stored.value.access }
        set { stored.withLock { $0.access = newValue } }
    }
    /// Whether participants may be allowed to invite others; false at first.
    public var allowsParticipantsToInviteOthers: Bool {
        get { stored.value.allowsInvitations }
        set { stored.withLock { $0.allowsInvitations = newValue } }
    }
    /// Whether people may ask for access; false at first.
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

    /// Nil for an archive that holds no options.
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
