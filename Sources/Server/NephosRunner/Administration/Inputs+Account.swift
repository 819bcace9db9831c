package import NephosStorage

extension Inputs {
    /// A new account. It is not stored yet.
    ///
    /// - Parameters:
    ///   - email: One address (``EmailAddress``).
    ///   - name: Given name, then family name. Everything after the first space is the family name.
    package func account(email: String, name: String) throws(AdminError) -> AccountRow {
        let email = try Validation.email(email)
        let name = try Validation.name(name, of: "name")
        let parts = name.split(separator: " ", maxSplits: 1).map(String.init)
        return AccountRow(
            id: uuid(), email: email.text, givenName: parts.first ?? "",
            familyName: parts.count > 1 ? parts[1].trimmingSpaces : "", createdAt: now())
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
