package import NephosRunner
import NephosStorage

extension Administration {
    /// Makes an account for a person. It is good for every container; what a container knows of the person begins
    /// with their first session there.
    ///
    /// - Parameters:
    ///   - email: One address, at most 254 bytes; unique without regard to case.
    ///   - name: Given name, then family name. Everything behind the first space is the family name.
    /// - Returns: The account's id.
    /// - Throws: ``AdminError/accountExists(_:)``.
    package func createAccount(email: String, name: String = "") throws(AdminError) -> String {
        let email = try Validation.email(email)
        let name = try Validation.name(name, of: "name")
        let parts = name.split(separator: " ", maxSplits: 1).map(String.init)
        let row = AccountRow(
            id: inputs.uuid(), email: email, givenName: parts.first ?? "",
            familyName: parts.count > 1 ? parts[1].trimmingSpaces : "", createdAt: inputs.now())
        do {
            try engine.createAccount(row)
        } catch {
            throw error == .exists ? .accountExists(email) : .storage(error)
        }
        return row.id
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
