import CloudKitWire
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

    public func encode(with coder: NSCoder) { coder.encodeContent(self, forKey: "CKShareAccessRequester") }

    /// Returns nil for an archive that contains no requester.
    public required convenience init?(coder: NSCoder) {
        let requester = coder.decodeContent(CKShareAccessRequester.self, forKey: "CKShareAccessRequester")
        guard let requester else { return nil }
        self.init(requester.userIdentity, requester.participantLookupInfo)
    }
}

extension CKShareAccessRequester: Archived {
    func archive(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.archive("userIdentity", userIdentity)
        writer.archive("participantLookupInfo", participantLookupInfo)
        writer.endObject()
    }

    convenience init(archive reader: inout JSONReader) throws(WireError) {
        var (identity, info): (CKUserIdentity?, CKUserIdentityLookupInfo?) = (nil, nil)
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "userIdentity": identity = try reader.archived()
            case "participantLookupInfo": info = try reader.archived()
            default: break
            }
        }
        guard let identity, let info else { throw WireError("this is not somebody who requests access") }
        self.init(identity, info)
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

    public func encode(with coder: NSCoder) { coder.encodeContent(self, forKey: "CKShareBlockedIdentity") }

    /// Returns nil for an archive that contains no blocked identity.
    public required convenience init?(coder: NSCoder) {
        let blocked = coder.decodeContent(CKShareBlockedIdentity.self, forKey: "CKShareBlockedIdentity")
        guard let blocked else { return nil }
        self.init(blocked.userIdentity)
    }
}

extension CKShareBlockedIdentity: Archived {
    func archive(to writer: inout JSONWriter) { userIdentity.archive(to: &writer) }

    convenience init(archive reader: inout JSONReader) throws(WireError) { self.init(try reader.archived()) }
}
