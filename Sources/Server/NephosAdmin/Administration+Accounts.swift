package import NephosRunner
import NephosStorage

extension Administration {
    /// Creates an account for a person. It is valid for every container; a container gets a user for the person with their first
    /// session there.
    ///
    /// - Parameters:
    ///   - email: One address (``EmailAddress``), which has no account yet.
    ///   - name: Given name, then family name. Everything after the first space is the family name.
    /// - Returns: The account's id.
    /// - Throws: ``AdminError/accountExists(_:)``.
    package func createAccount(email: String, name: String = "") throws(AdminError) -> String {
        let row = try inputs.account(email: email, name: name)
        try add(row)
        return row.id
    }
}
