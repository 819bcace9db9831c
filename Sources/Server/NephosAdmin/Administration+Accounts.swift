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
        let row = try inputs.account(email: email, name: name)
        do {
            try engine.createAccount(row)
        } catch {
            throw error == .exists ? .accountExists(row.email) : .storage(error)
        }
        return row.id
    }
}
