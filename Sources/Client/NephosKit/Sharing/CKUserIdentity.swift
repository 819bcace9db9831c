public import Foundation

/// A person, as far as the service tells who that is. A value: equal members make equal identities.
public final class CKUserIdentity: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// What to find a person by.
    public typealias LookupInfo = CKUserIdentityLookupInfo

    private struct Members: Hashable, Sendable {
        var userRecordID: CKRecordID?
        var lookupInfo: CKUserIdentityLookupInfo?
        var nameComponents: PersonNameComponents?
        var hasAccount: Bool
    }

    private let members: Members

    /// - Parameter hasAccount: Whether the person is somebody to the service yet.
    init(
        userRecordID: CKRecordID? = nil, lookupInfo: CKUserIdentityLookupInfo? = nil,
        nameComponents: PersonNameComponents? = nil, hasAccount: Bool
    ) {
        members = Members(
            userRecordID: userRecordID, lookupInfo: lookupInfo, nameComponents: nameComponents, hasAccount: hasAccount)
    }

    /// What the person was found by; nil where nobody looked.
    public var lookupInfo: LookupInfo? { members.lookupInfo }
    /// Nil as long as the person has not agreed to be known.
    public var nameComponents: PersonNameComponents? { members.nameComponents }
    /// The person's user record; nil as long as they are an address alone.
    public var userRecordID: CKRecord.ID? { members.userRecordID }
    /// Whether the person is somebody to the service, and not an address alone.
    public var hasiCloudAccount: Bool { members.hasAccount }

    /// The IDs of the person's contacts: always empty.
    @available(*, deprecated, message: "Always empty: there are no contacts.")
    public var contactIdentifiers: [String] { [] }

    /// Whether both mean one person, however much each of them tells.
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

    /// Nil for an archive that holds no identity.
    public required convenience init?(coder: NSCoder) {
        guard coder.containsValue(forKey: "hasAccount") else { return nil }
        let name = coder.decodeIfAny(NSPersonNameComponents.self, forKey: "nameComponents")
        self.init(
            userRecordID: coder.decodeIfAny(CKRecordID.self, forKey: "userRecordID"),
            lookupInfo: coder.decodeIfAny(CKUserIdentityLookupInfo.self, forKey: "lookupInfo"),
            nameComponents: name.map { $0 as PersonNameComponents }, hasAccount: coder.decodeBool(forKey: "hasAccount"))
    }
}
