public import Foundation

/// Somebody who asks to take part in a share. To let them in, find a participant by ``participantLookupInfo``, add it, and save
/// the share. A value: equal members are equal. (Apple's has a `contact` too, which needs a framework that Linux has not.)
public final class CKShareAccessRequester: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// The person who asks.
    public let userIdentity: CKUserIdentity
    /// What to find a participant for this person by.
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

    /// Nil for an archive that holds nobody who asks.
    public required convenience init?(coder: NSCoder) {
        guard let identity = coder.decodeIfAny(CKUserIdentity.self, forKey: "userIdentity"),
            let lookupInfo = coder.decodeIfAny(CKUserIdentityLookupInfo.self, forKey: "participantLookupInfo")
        else { return nil }
        self.init(identity, lookupInfo)
    }
}

/// Somebody who may not ask to take part in a share any more. A value: equal members are equal.
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

    /// Nil for an archive that holds nobody.
    public required convenience init?(coder: NSCoder) {
        guard let identity = coder.decodeIfAny(CKUserIdentity.self, forKey: "userIdentity") else { return nil }
        self.init(identity)
    }
}
