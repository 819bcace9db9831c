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

    public func encode(with coder: NSCoder) {
        coder.encodeIfAny(userRecordID, forKey: "userRecordID")
        coder.encodeIfAny(lookupInfo, forKey: "lookupInfo")
        coder.encodeIfAny(nameComponents.map { $0 as NSPersonNameComponents }, forKey: "nameComponents")
        coder.encode(hasiCloudAccount, forKey: "hasAccount")
    }

    /// Returns nil for an archive that contains no identity.
    public required convenience init?(coder: NSCoder) {
        guard coder.containsValue(forKey: "hasAccount") else { return nil }
        let name = coder.decodeIfAny(NSPersonNameComponents.self, forKey: "nameComponents")
        self.init(
            userRecordID: coder.decodeIfAny(CKRecordID.self, forKey: "userRecordID"),
            lookupInfo: coder.decodeIfAny(CKUserIdentityLookupInfo.self, forKey: "lookupInfo"),
            nameComponents: name.map { $0 as PersonNameComponents }, hasAccount: coder.decodeBool(forKey: "hasAccount"))
    }
}
