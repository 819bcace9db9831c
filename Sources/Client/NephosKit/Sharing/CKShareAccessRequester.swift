public import Foundation

/// A person who requests access to a share. To grant it, fetch a participant by ``participantLookupInfo``, add it, and
/// save the share. Requesters are equal if their members are equal. (Apple's class also has a `contact`, which needs a
/// framework that Linux does not have.)
public final class CKShareAccessRequester: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// The person who requests access.
    public let userIdentity: CKUserIdentity
    /// The information for looking up a participant for this person.
    public let participantLookupInfo: CKUserIdentity.LookupInfo

    init(_ userIdentity: CKUserIdentity, _ participantLookupInfo: CKUserIdentityLookupInfo) {
        self.userIdentity = userIdentity
        self.participantLookupInfo = participantLookupInfo
    }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CKShareAccessRequester else { return false }
        return userIdentity == other.userIdentity && participantLookupInfo == other.participantLookupInfo
    }
    public override var hash: Int { participantLookupInfo.hash }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) {
        coder.encode(userIdentity, forKey: "userIdentity")
        coder.encode(participantLookupInfo, forKey: "participantLookupInfo")
    }

    /// Returns nil for an archive that contains no requester.
    public required convenience init?(coder: NSCoder) {
        guard let identity = coder.decodeIfAny(CKUserIdentity.self, forKey: "userIdentity"),
            let lookupInfo = coder.decodeIfAny(CKUserIdentityLookupInfo.self, forKey: "participantLookupInfo")
        else { return nil }
        self.init(identity, lookupInfo)
    }
}

/// A person who may no longer request access to a share. Two objects are equal if their identities are equal.
public final class CKShareBlockedIdentity: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// The person who is blocked.
    public let userIdentity: CKUserIdentity

    init(_ userIdentity: CKUserIdentity) { self.userIdentity = userIdentity }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? CKShareBlockedIdentity)?.userIdentity == userIdentity
    }
    public override var hash: Int { userIdentity.hash }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) { coder.encode(userIdentity, forKey: "userIdentity") }

    /// Returns nil for an archive that contains no blocked identity.
    public required convenience init?(coder: NSCoder) {
        guard let identity = coder.decodeIfAny(CKUserIdentity.self, forKey: "userIdentity") else { return nil }
        self.init(identity)
    }
}
