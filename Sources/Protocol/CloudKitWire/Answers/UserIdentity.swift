/// A user in a response: `users/caller` and `users/discover`.
public struct UserIdentity: Sendable {
    public var userRecordName: UserID
    public var givenName: String?
    public var familyName: String?
    /// Written as `lookupInfo`.
    public var emailAddress: String?

    public init(
        userRecordName: UserID, givenName: String? = nil, familyName: String? = nil, emailAddress: String? = nil
    ) {
        self.userRecordName = userRecordName
        self.givenName = givenName
        self.familyName = familyName
        self.emailAddress = emailAddress
    }

    /// Appends a user identity dictionary.
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writeMembers(to: &writer)
        writer.endObject()
    }

    /// Appends the members of a user identity dictionary to an open object: `users/caller` returns them together with an array
    /// `users`.
    public func writeMembers(to writer: inout JSONWriter) {
        writer.member("userRecordName", userRecordName.recordName)
        if givenName != nil || familyName != nil {
            writer.key("nameComponents")
            writer.beginObject()
            if let givenName { writer.member("givenName", givenName) }
            if let familyName { writer.member("familyName", familyName) }
            writer.endObject()
        }
        if let emailAddress {
            writer.key("lookupInfo")
            writer.beginObject()
            writer.member("emailAddress", emailAddress)
            writer.endObject()
        }
    }

    /// Appends a user dictionary, the form of the deprecated `users/current`.
    public func writeUser(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("userRecordName", userRecordName.recordName)
        if let givenName { writer.member("firstName", givenName) }
        if let familyName { writer.member("lastName", familyName) }
        if let emailAddress { writer.member("emailAddress", emailAddress) }
        writer.endObject()
    }
}
