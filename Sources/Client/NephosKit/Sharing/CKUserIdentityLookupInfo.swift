public import Foundation

/// What to find a person by: an address, a number or a user record. A value: equal ones are equal.
///
/// It stands at the top level, since classes inside of others cannot be archived on Linux; write `CKUserIdentity.LookupInfo`.
public final class CKUserIdentityLookupInfo: NSObject, NSSecureCoding, NSCopying, Sendable {
    private enum Key: Hashable, Sendable {
        case email(String)
        case phone(String)
        case user(CKRecordID)
    }

    private let key: Key

    private init(_ key: Key) { self.key = key }

    /// Finds a person by an email address.
    public convenience init(emailAddress: String) { self.init(.email(emailAddress)) }
    /// Finds a person by a phone number.
    public convenience init(phoneNumber: String) { self.init(.phone(phoneNumber)) }
    /// Finds a person by their user record.
    public convenience init(userRecordID: CKRecord.ID) { self.init(.user(userRecordID)) }

    /// One for each email address, in the same order.
    public static func lookupInfos(withEmails emails: [String]) -> [CKUserIdentity.LookupInfo] {
        emails.map { CKUserIdentityLookupInfo(emailAddress: $0) }
    }

    /// One for each phone number, in the same order.
    public static func lookupInfos(withPhoneNumbers phoneNumbers: [String]) -> [CKUserIdentity.LookupInfo] {
        phoneNumbers.map { CKUserIdentityLookupInfo(phoneNumber: $0) }
    }

    /// One for each user record, in the same order.
    public static func lookupInfos(with recordIDs: [CKRecord.ID]) -> [CKUserIdentity.LookupInfo] {
        recordIDs.map { CKUserIdentityLookupInfo(userRecordID: $0) }
    }

    /// The email address, if the person is to be found by one.
    public var emailAddress: String? { if case .email(let address) = key { address } else { nil } }
    /// The phone number, if the person is to be found by one.
    public var phoneNumber: String? { if case .phone(let number) = key { number } else { nil } }
    /// The user record, if the person is to be found by one.
    public var userRecordID: CKRecord.ID? { if case .user(let recordID) = key { recordID } else { nil } }

    public override func isEqual(_ object: Any?) -> Bool { (object as? CKUserIdentityLookupInfo)?.key == key }
    public override var hash: Int { key.hashValue }
    public override var description: String { "<CKUserIdentityLookupInfo: \(key)>" }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) {
        coder.encodeIfAny(emailAddress.map { $0 as NSString }, forKey: "emailAddress")
        coder.encodeIfAny(phoneNumber.map { $0 as NSString }, forKey: "phoneNumber")
        coder.encodeIfAny(userRecordID, forKey: "userRecordID")
    }

    /// Nil for an archive that holds nothing to find a person by.
    public required convenience init?(coder: NSCoder) {
        let email = coder.decodeString(forKey: "emailAddress").map { Key.email($0) }
        let phone = coder.decodeString(forKey: "phoneNumber").map { Key.phone($0) }
        let user = coder.decodeIfAny(CKRecordID.self, forKey: "userRecordID").map { Key.user($0) }
        guard let key = email ?? phone ?? user else { return nil }
        self.init(key)
    }
}
