import CloudKitWire
public import Foundation

/// The information for looking up a person: an email address, a phone number or a user record. Two objects are equal if
/// this information is equal.
///
/// The class is declared at the top level, because nested classes cannot be archived on Linux; write
/// `CKUserIdentity.LookupInfo`.
public final class CKUserIdentityLookupInfo: NSObject, NSSecureCoding, NSCopying, Sendable {
    private enum Key: Hashable, Sendable {
        case email(String)
        case phone(String)
        case user(CKRecordID)
    }

    private let key: Key

    private init(_ key: Key) { self.key = key }

    /// Creates information for looking up a person by an email address.
    public convenience init(emailAddress: String) { self.init(.email(emailAddress)) }
    /// Creates information for looking up a person by a phone number.
    public convenience init(phoneNumber: String) { self.init(.phone(phoneNumber)) }
    /// Creates information for looking up a person by their user record.
    public convenience init(userRecordID: CKRecord.ID) { self.init(.user(userRecordID)) }

    /// Returns one object for each email address, in the same order.
    public static func lookupInfos(withEmails emails: [String]) -> [CKUserIdentity.LookupInfo] {
        emails.map { CKUserIdentityLookupInfo(emailAddress: $0) }
    }

    /// Returns one object for each phone number, in the same order.
    public static func lookupInfos(withPhoneNumbers phoneNumbers: [String]) -> [CKUserIdentity.LookupInfo] {
        phoneNumbers.map { CKUserIdentityLookupInfo(phoneNumber: $0) }
    }

    /// Returns one object for each user record, in the same order.
    public static func lookupInfos(with recordIDs: [CKRecord.ID]) -> [CKUserIdentity.LookupInfo] {
        recordIDs.map { CKUserIdentityLookupInfo(userRecordID: $0) }
    }

    /// The email address; nil if the person is not looked up by one.
    public var emailAddress: String? { if case .email(let address) = key { address } else { nil } }
    /// The phone number; nil if the person is not looked up by one.
    public var phoneNumber: String? { if case .phone(let number) = key { number } else { nil } }
    /// The ID of the user record; nil if the person is not looked up by one.
    public var userRecordID: CKRecord.ID? { if case .user(let recordID) = key { recordID } else { nil } }

    public override func isEqual(_ object: Any?) -> Bool { (object as? CKUserIdentityLookupInfo)?.key == key }
    public override var hash: Int { key.hashValue }
    public override var description: String { "<CKUserIdentityLookupInfo: \(key)>" }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) { coder.encodeContent(self, forKey: "CKUserIdentityLookupInfo") }

    /// Returns nil for an archive that contains no email address, phone number or user record.
    public required convenience init?(coder: NSCoder) {
        let info = coder.decodeContent(CKUserIdentityLookupInfo.self, forKey: "CKUserIdentityLookupInfo")
        guard let info else { return nil }
        self.init(info.key)
    }
}

extension CKUserIdentityLookupInfo: Archived {
    func archive(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.archive("emailAddress", emailAddress)
        writer.archive("phoneNumber", phoneNumber)
        writer.archive("userRecordID", userRecordID)
        writer.endObject()
    }

    convenience init(archive reader: inout JSONReader) throws(WireError) {
        var found: Key?
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "emailAddress": found = .email(try reader.archived())
            case "phoneNumber": found = .phone(try reader.archived())
            case "userRecordID": found = .user(try reader.archived())
            default: break
            }
        }
        guard let found else { throw WireError("this is no information for looking up a person") }
        self.init(found)
    }
}
