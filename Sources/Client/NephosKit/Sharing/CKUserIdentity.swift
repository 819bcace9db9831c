import CloudKitWire
public import Foundation

/// A person, as far as the service discloses who it is. Identities are equal if their members are equal.
public final class CKUserIdentity: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// The information for looking up a person.
    public typealias LookupInfo = CKUserIdentityLookupInfo

    private struct Members: Hashable, Sendable {
        var userRecordID: CKRecordID?
        var lookupInfo: CKUserIdentityLookupInfo?
        var nameComponents: PersonNameComponents?
        var hasAccount: Bool
    }

    private let members: Members

    /// - Parameter hasAccount: Whether the person has an account at the service.
    init(
        userRecordID: CKRecordID? = nil, lookupInfo: CKUserIdentityLookupInfo? = nil,
        nameComponents: PersonNameComponents? = nil, hasAccount: Bool
    ) {
        members = Members(
            userRecordID: userRecordID, lookupInfo: lookupInfo, nameComponents: nameComponents, hasAccount: hasAccount)
    }

    /// The information by which the person was looked up; nil if there was no lookup.
    public var lookupInfo: LookupInfo? { members.lookupInfo }
    /// The person's name; nil until the person has agreed to be known.
    public var nameComponents: PersonNameComponents? { members.nameComponents }
    /// The ID of the person's user record; nil while only an address of the person is known.
    public var userRecordID: CKRecord.ID? { members.userRecordID }
    /// Whether the person has an account at the service; false if only an address of the person is known.
    public var hasiCloudAccount: Bool { members.hasAccount }

    /// The IDs of the person's contacts: always empty.
    @available(*, deprecated, message: "Always empty: there are no contacts.")
    public var contactIdentifiers: [String] { [] }

    /// Whether both identities are of the same person, even if they contain different details.
    func isSamePerson(as other: CKUserIdentity) -> Bool {
        let (mine, others) = (
            userRecordID ?? lookupInfo?.userRecordID, other.userRecordID ?? other.lookupInfo?.userRecordID
        )
        if let mine, let others { return mine == others }
        return lookupInfo != nil && lookupInfo == other.lookupInfo
    }

    public override func isEqual(_ object: Any?) -> Bool { (object as? CKUserIdentity)?.members == members }
    public override var hash: Int { members.hashValue }
    public override var description: String {
        "<CKUserIdentity: \(userRecordID?.recordName ?? lookupInfo?.description ?? "unknown user")>"
    }

    // MARK: Copies and archives

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) { coder.encodeContent(self, forKey: "CKUserIdentity") }

    /// Returns nil for an archive that contains no identity.
    public required convenience init?(coder: NSCoder) {
        guard let identity = coder.decodeContent(CKUserIdentity.self, forKey: "CKUserIdentity") else { return nil }
        self.init(
            userRecordID: identity.userRecordID, lookupInfo: identity.lookupInfo,
            nameComponents: identity.nameComponents, hasAccount: identity.hasiCloudAccount)
    }
}

extension CKUserIdentity: Archived {
    func archive(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.archive("userRecordID", userRecordID)
        writer.archive("lookupInfo", lookupInfo)
        writer.archive("nameComponents", nameComponents)
        writer.archive("hasAccount", hasiCloudAccount)
        writer.endObject()
    }

    convenience init(archive reader: inout JSONReader) throws(WireError) {
        var (user, info): (CKRecordID?, CKUserIdentityLookupInfo?) = (nil, nil)
        var (name, hasAccount): (PersonNameComponents?, Bool?) = (nil, nil)
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "userRecordID": user = try reader.archived()
            case "lookupInfo": info = try reader.archived()
            case "nameComponents": name = try reader.archived()
            case "hasAccount": hasAccount = try reader.archived()
            default: break
            }
        }
        guard let hasAccount else { throw WireError("this is not the identity of a person") }
        self.init(userRecordID: user, lookupInfo: info, nameComponents: name, hasAccount: hasAccount)
    }
}

extension PersonNameComponents: Archived {
    func archive(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.archive("namePrefix", namePrefix)
        writer.archive("givenName", givenName)
        writer.archive("middleName", middleName)
        writer.archive("familyName", familyName)
        writer.archive("nameSuffix", nameSuffix)
        writer.archive("nickname", nickname)
        writer.archive("phoneticRepresentation", phoneticRepresentation)
        writer.endObject()
    }

    init(archive reader: inout JSONReader) throws(WireError) {
        self.init()
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "namePrefix": namePrefix = try reader.archived()
            case "givenName": givenName = try reader.archived()
            case "middleName": middleName = try reader.archived()
            case "familyName": familyName = try reader.archived()
            case "nameSuffix": nameSuffix = try reader.archived()
            case "nickname": nickname = try reader.archived()
            case "phoneticRepresentation": phoneticRepresentation = try reader.archived()
            default: break
            }
        }
    }
}
